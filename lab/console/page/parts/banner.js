import { html } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';

/** @import { Snapshot } from '../../snapshot/snapshot' */

/** Further facts are one click away. */
const MAX_IN_LINE = 2;

/**
 * States what is simulated, or that this is a real cluster.
 * @param {Snapshot} snapshot
 */
export function showBanner(snapshot) {
  const { mode, simulated, configProblems, problems = [] } = snapshot;
  show('banner-title', mode === 'sandbox' ? 'Simulated' : 'Real cluster');
  show('banner-text', simulated.slice(0, MAX_IN_LINE).join(' · '));
  showLines('banner-more', 'banner-lines', simulated.slice(MAX_IN_LINE));
  showLines('problems', 'problem-lines', configProblems);
  showLines('troubles', 'trouble-lines', problems);
}

/** @param {string} section @param {string} list @param {readonly string[]} lines */
function showLines(section, list, lines) {
  byId(section).hidden = lines.length === 0;
  show(
    list,
    lines.map((line) => html`<li>${line}</li>`),
  );
}
