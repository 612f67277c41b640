import { byId, el, keyed, setAttribute, setShown, setText } from './dom.js';

/** @typedef {import('../snapshot/snapshot').Snapshot} Snapshot */

/** What does not fit into one line is a click away. */
const MAX_IN_LINE = 2;

/** Says plainly what is simulated, or that this is a real cluster and whether Headstart may write to it. */
export function createBanner() {
  const [banner, title, text, act] = [byId('banner'), byId('banner-title'), byId('banner-text'), byId('act')];

  return {
    /** @param {Snapshot} snapshot */
    update(snapshot) {
      const [headline, explanation] = wordsFor(snapshot);
      setAttribute(banner, 'data-kind', kindOf(snapshot));
      setText(title, headline);
      setText(text, explanation);
      const rest = snapshot.simulated.slice(MAX_IN_LINE);
      showLines('banner-more', 'banner-lines', rest);
      setShown(act, snapshot.mode === 'cluster' && !snapshot.acting);
      showLines('problems', 'problem-lines', snapshot.configProblems);
      showLines('troubles', 'trouble-lines', snapshot.problems ?? []);
    },
  };
}

/** @param {string} section @param {string} list @param {readonly string[]} lines */
function showLines(section, list, lines) {
  setShown(byId(section), lines.length > 0);
  keyed(byId(list), lines, String, (line) => ({ node: el('li', {}, line), update() {} }));
}

/** @param {Snapshot} snapshot */
function kindOf({ mode, acting }) {
  if (mode === 'sandbox') return 'sandbox';
  return acting ? 'acting' : 'read-only';
}

/** @param {Snapshot} snapshot @returns {[headline: string, explanation: string]} */
function wordsFor(snapshot) {
  const simulated = snapshot.simulated.slice(0, MAX_IN_LINE);
  switch (kindOf(snapshot)) {
    case 'sandbox':
      return ['Simulated', simulated.join(' · ')];
    case 'acting':
      return ['Real cluster, acting', ['Headstart writes to this cluster', ...simulated].join(' · ')];
    default:
      return ['Real cluster, read-only', ['Headstart shows what it would do', ...simulated].join(' · ')];
  }
}
