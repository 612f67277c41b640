import { html } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';

/** @import { Snapshot } from '../../snapshot/snapshot' */

/** Further facts are one click away. */
const MAX_IN_LINE = 2;

/**
 * States what is simulated, or that this is a real cluster and whether Headstart may write to it.
 * @param {Snapshot} snapshot
 */
export function showBanner(snapshot) {
  const { mode, acting, simulated, configProblems, problems = [] } = snapshot;
  const kind = mode === 'sandbox' ? 'sandbox' : acting ? 'acting' : 'read-only';
  const [title, ...start] = TEXTS[kind];
  byId('banner').dataset.kind = kind;
  show('banner-title', title);
  show('banner-text', [...start, ...simulated.slice(0, MAX_IN_LINE)].join(' · '));
  byId('act').hidden = kind !== 'read-only';
  showLines('banner-more', 'banner-lines', simulated.slice(MAX_IN_LINE));
  showLines('problems', 'problem-lines', configProblems);
  showLines('troubles', 'trouble-lines', problems);
}

/** @type {Record<'sandbox' | 'acting' | 'read-only', readonly string[]>} */
const TEXTS = {
  sandbox: ['Simulated'],
  acting: ['Real cluster, acting', 'Headstart writes to this cluster'],
  'read-only': ['Real cluster, read-only', 'Headstart shows what it would do'],
};

/** @param {string} section @param {string} list @param {readonly string[]} lines */
function showLines(section, list, lines) {
  byId(section).hidden = lines.length === 0;
  show(
    list,
    lines.map((line) => html`<li>${line}</li>`),
  );
}
