import { html, nothing } from '/vendor/lit-html/lit-html.js';
import { show } from '../lib/dom.js';
import { counted, money, percent, waited, whole } from '../lib/format.js';

/** @import { Snapshot, WaitingView } from '../../snapshot/snapshot' */
/** @typedef {import('../../snapshot/snapshot').WaitingView['with']} WaitFigures */

/** Below this nobody would notice. */
const LEAST_GAIN = 1.2;

/**
 * The row of key figures: waiting with and without headroom, its tail, headroom, nodes, cost.
 * @param {Snapshot} snapshot
 */
export function showFigures(snapshot) {
  const { waiting, headroom } = snapshot;
  show('figures', [
    median(waiting),
    tail(waiting),
    headroomFigure(headroom),
    nodesFigure(snapshot),
    costFigure(snapshot),
  ]);
}

/** @param {WaitingView} waiting */
function median({ with: having, without }) {
  const known = having.pods > 0;
  const compared = known && without !== undefined && without.pods > 0;
  const ratio = compared ? ratioText(having, without) : undefined;
  return html`<article class="card figure figure-wait" aria-labelledby="wait-title">
    <div class="figure-head">
      <h2 id="wait-title">Pod wait for a node <span class="quiet">median</span></h2>
      <p id="wait-ratio" class="ratio" ?hidden=${!ratio}>${ratio}</p>
    </div>
    <div class="row versus">
      <div class="versus-side">
        <p id="wait-with" class="huge ready-ink">${known ? waited(having.medianMs) : '–'}</p>
        <p class="quiet" ?hidden=${!without}>with headroom</p>
      </div>
      <div class="versus-side" ?hidden=${!without}>
        <p id="wait-without" class="huge">${compared ? waited(without.medianMs) : '–'}</p>
        <p class="quiet">without, same demand</p>
      </div>
    </div>
  </article>`;
}

/** Half of the pods and all but the slowest twentieth gain at least this much. @param {WaitFigures} having @param {WaitFigures} without */
function ratioText(having, without) {
  if (having.p95Ms === 0 && without.medianMs > 0) return 'no wait';
  const gain = (/** @type {'medianMs' | 'p95Ms'} */ figure) => without[figure] / Math.max(having[figure], 100);
  const ratio = Math.min(gain('medianMs'), gain('p95Ms'));
  return ratio < LEAST_GAIN ? undefined : `${ratio < 10 ? ratio.toFixed(1) : whole(ratio)}× faster`;
}

/** @param {WaitingView} waiting */
function tail({ with: having, without, slowest }) {
  const sides = without ? [having, without] : [having];
  const row = (/** @type {string} */ name, /** @type {(figures: WaitFigures) => string} */ format) =>
    html`<tr><th scope="row">${name}</th>${sides.map(
      (figures) => html`<td>${figures.pods > 0 ? format(figures) : '–'}</td>`,
    )}</tr>`;
  return html`<article class="card figure" aria-labelledby="tail-title">
    <h2 id="tail-title">Slowest pods</h2>
    <table class="tail">
      <thead ?hidden=${!without}><tr><th scope="col"><span class="hidden">figure</span></th><th scope="col">with</th><th scope="col">without</th></tr></thead>
      <tbody>
        ${row('p95', ({ p95Ms }) => waited(p95Ms))} ${row('max', ({ worstMs }) => waited(worstMs))}
        ${row('pods', ({ pods }) => whole(pods))}
      </tbody>
    </table>
    <p class="note slowest" data-short ?hidden=${!slowest} title=${slowest}>slowest in ${slowest}</p>
  </article>`;
}

/** @param {Snapshot['headroom']} headroom */
function headroomFigure({ ready, wanted, noun, inUse, free, text }) {
  const width = (/** @type {number} */ part) => `width: ${((part / (wanted || 1)) * 100).toFixed(1)}%`;
  return html`<article class="card figure" aria-labelledby="headroom-title">
    <h2 id="headroom-title">Headroom ready</h2>
    <p class="big">${ready}<span class="quiet"> of ${wanted} ${noun}</span></p>
    <div class="meter" aria-hidden="true"><i class="meter-used" .style=${width(inUse)}></i><i class="meter-ready" .style=${width(free)}></i></div>
    <p class="note" ?data-short=${ready < wanted}>${text}</p>
  </article>`;
}

/** @param {Snapshot} snapshot */
function nodesFigure({ nodes, pods, hidden }) {
  const counts = /** @type {const} */ (['ready', 'launching', 'terminating']).map((state) => ({
    state,
    count: nodes.filter((node) => node.state === state).length,
  }));
  const states = counts.filter(({ state, count }) => state === 'ready' || count > 0);
  const real = pods.filter((pod) => pod.kind === 'real');
  const waiting = real.filter((pod) => pod.state === 'pending').length;
  return html`<article class="card figure" aria-labelledby="nodes-title">
    <h2 id="nodes-title">Nodes</h2>
    <p class="big">${whole(nodes.length + (hidden?.nodes ?? 0))} <span class="quiet">${hidden?.nodes ? nothing : `${nodes.filter(({ spot }) => spot).length} spot`}</span></p>
    <p class="note">${states.map(({ state, count }) => `${count} ${state === 'ready' ? 'running' : state}`).join(' · ')}</p>
    <p class="note" ?data-short=${waiting > 0}>${hidden?.pods ? 'over ' : nothing}${counted(real.length, 'pod')}, ${waiting} pending</p>
  </article>`;
}

/** @param {Snapshot} snapshot */
function costFigure({ cost: { total, headroom, nodeHours }, month, prices }) {
  const priced = total > 0 || nodeHours === 0;
  const part = total > 0 ? ` (${percent(headroom / total)})` : '';
  return html`<article class="card figure" aria-labelledby="cost-title">
    <h2 id="cost-title">Cost so far</h2>
    <p class="big">${priced ? money(total) : '–'}</p>
    <p class="note">${priced ? `headroom cost ${money(headroom)}${part}` : 'no price known'}</p>
    <p class="note" ?hidden=${!month}>${month} a month as planned</p>
    <p class="note">${nodeHours.toFixed(1)} node-hours${prices ? `, ${prices}` : nothing}</p>
  </article>`;
}
