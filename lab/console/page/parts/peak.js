import { html, svg } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';
import { counted, shortTime, waited } from '../lib/format.js';
import { roundTimes } from '../pools/time-axis.js';

/** @import { Snapshot } from '../../snapshot/snapshot' */
/** @typedef {NonNullable<Snapshot['peak']>} Peak */

const MAX_TICKS = 6;

/**
 * The first minutes of a run: one headroom's nodes and pods, with headroom and without, over one time axis.
 * @param {Snapshot} snapshot @param {number} now
 */
export function showPeak({ peak, scenario }, now) {
  byId('peak').hidden = peak === undefined;
  if (!peak) return;
  show('peak-title', `${scenario?.title} in ${peak.headroom}, with headroom and without`);
  show('peak-moments', momentsOf(peak));
  show('peak-sides', [
    side('with headroom', peak.with, peak, now, peak.monthly),
    side('without headroom', peak.without, peak, now, peak.monthly && '$0'),
    html`<div class="peak-axis" aria-hidden="true">${roundTimes(peak.from, peak.to, MAX_TICKS).map(
      (at) => html`<span .style=${`left: ${shareOf(peak, at)}%`}>${shortTime(at)}</span>`,
    )}</div>`,
  ]);
}

/** @param {Peak} peak */
function momentsOf({ moments }) {
  if (moments.length === 0) return html`<li class="quiet">The run begins; nothing has happened yet.</li>`;
  return moments.map(({ at, text }) => html`<li><time>${shortTime(at)}</time> ${text}</li>`);
}

/**
 * @param {string} name @param {Peak['with']} figures @param {Peak} peak @param {number} now
 * @param {string | undefined} cost of the headroom; only where a price is known
 */
function side(name, { nodes, pods, running, counts, waits }, peak, now, cost) {
  const [ready = 0, run = 0, wait = 0] = counts;
  const lines = svg`${peak.moments.map(({ at }) => line(peak, at, 'moment'))}${line(peak, now, 'now')}`;
  const box = (/** @type {unknown} */ areas) =>
    html`<svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">${areas}${lines}</svg>`;
  return html`<div class="peak-side" role="group" aria-label=${name}>
    <div class="peak-lanes">
      <h3>${name}</h3>
      <span>${counted(ready, 'node')}</span>
      <span>${counted(run, 'pod')} running${wait > 0 ? html`, <b class="peak-waiting">${wait} waiting</b>` : ''}</span>
    </div>
    <div class="peak-charts">
      ${box(svg`<path class="peak-nodes" d=${nodes}></path>`)}
      ${box(svg`<path class="peak-waits" d=${pods}></path><path class="peak-runs" d=${running}></path>`)}
    </div>
    <div class="row peak-figures">
      <p><b class="peak-wait">${waits.pods > 0 ? waited(waits.p95Ms) : '–'}</b><span class="quiet">19 of 20 pods waited at most this for a node</span></p>
      <p ?hidden=${!cost}><b>${cost}</b><span class="quiet">a month for headroom, as planned</span></p>
    </div>
  </div>`;
}

/** @param {Peak} peak @param {number} at @param {string} kind */
function line(peak, at, kind) {
  const x = shareOf(peak, at) * 10;
  return x > 1000 ? '' : svg`<line class="peak-line" data-line=${kind} x1=${x} x2=${x} y1="0" y2="100"></line>`;
}

/** @param {Peak} peak @param {number} at in percent of the axis */
const shareOf = ({ from, to }, at) => ((at - from) / (to - from)) * 100;
