import { byId, el, keyed, setShown, setText } from './dom.js';
import { clockTime, withLocalTimes } from './format.js';
import { icon } from './icons.js';

/** @typedef {import('../snapshot/snapshot').DecisionView} DecisionView */

const MOST = 60;
/** At 1000× decisions come faster than anyone can listen. */
const ANNOUNCE_EVERY_MS = 3_000;

/** The last decisions with their reasons, newest first, and read out as they come. */
export function createDecisions() {
  const [list, empty, announcer] = [byId('decisions'), byId('no-decisions'), byId('announcer')];
  /** @type {string | undefined} */
  let newest;
  let announcedAt = 0;

  return {
    /** @param {readonly DecisionView[]} decisions @param {number} realNow */
    update(decisions, realNow) {
      setShown(empty, decisions.length === 0);
      keyed(list, decisions.slice(0, MOST), keyOf, createEntry);
      const latest = decisions[0];
      if (!latest || keyOf(latest) === newest || realNow - announcedAt < ANNOUNCE_EVERY_MS) return;
      if (newest !== undefined) setText(announcer, spoken(latest));
      newest = keyOf(latest);
      announcedAt = realNow;
    },
  };
}

/** @param {DecisionView} decision */
const keyOf = ({ at, pool, trigger, from, to }) => [at, pool, trigger, from, to].join('|');

/** @param {DecisionView} decision */
const spoken = ({ pool, from, to, reasons }) => `${pool}: ${from} to ${to}, ${reasons.join(', ')}`;

/** @param {DecisionView} decision */
function createEntry({ at, pool, trigger, from, to, reasons }) {
  const direction = directionOf(from, to);
  const node = el(
    'li',
    { class: 'decision', 'data-pool': pool, 'data-direction': direction },
    el(
      'div',
      { class: 'decision-head' },
      el('time', { datetime: new Date(at).toISOString() }, clockTime(at)),
      el('span', { class: 'decision-pool' }, pool),
      el('span', { class: 'decision-change' }, icon(direction), el('b', {}, `${from} → ${to}`)),
    ),
    el('div', { class: 'decision-trigger', title: trigger }, trigger),
    el('ul', { class: 'reasons' }, ...reasons.map((reason) => el('li', {}, withLocalTimes(reason)))),
  );
  return { node, update() {} };
}

/** @param {number} from @param {number} to */
function directionOf(from, to) {
  if (to === from) return 'keep';
  return to > from ? 'up' : 'down';
}
