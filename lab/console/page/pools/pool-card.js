import { html, nothing } from '/vendor/lit-html/lit-html.js';
import { span, withBareTimes, withLocalTimes } from '../lib/format.js';
import { nodeTiles } from './node-tiles.js';

/** @import { PoolView } from '../../snapshot/snapshot' */
/** @import { PoolContents } from './node-tiles.js' */
/**
 * @typedef {{
 *   inflate: (pool: string) => void,
 *   release: (pool: string) => void,
 *   alarm: (alarmName: string, firing: boolean) => void,
 *   take: (node: string) => void,
 *   fold: (pool: string, open: boolean) => void,
 * }} PoolActions
 */

/**
 * One headroom: a row with its figures and what it says of itself, and unfolded also why it has that size, its timeline,
 * its nodes and its actions.
 * @param {PoolView} pool @param {boolean} open @param {PoolContents} contents @param {import('./node-tiles.js').Scene} scene @param {PoolActions} actions
 */
export function poolCard(pool, open, contents, scene, actions) {
  const { now } = scene;
  const { name, ready, wanted } = pool;
  const body = `body-${name}`;
  return html`<article class="card pool" data-pool=${name} aria-label=${`Headroom ${name}`} ?data-open=${open} ?data-short=${ready < wanted} ?data-trouble=${pool.trouble}>
    <div class="row pool-head">
      <h3><button type="button" class="fold" aria-expanded=${open} aria-controls=${body} @click=${() => actions.fold(name, !open)}>${name}</button></h3>
      ${open ? poolActions(pool, scene, actions) : meter(pool)}
    </div>
    <p class="sentence">${withLocalTimes(pool.sentence, now)}</p>
    ${shortageNote(pool, now)}
    <div class="pool-body" id=${body} ?hidden=${!open}>${open ? unfolded(pool, contents, scene, actions) : nothing}</div>
  </article>`;
}

/** @param {PoolView} pool @param {import('./node-tiles.js').Scene} scene @param {PoolActions} actions */
const poolActions = ({ name, alarms, override }, { real }, actions) => html`<div class="row pool-actions">
    ${real ? nothing : alarms.map((alarm) => alarmButton(name, alarm, actions.alarm))}
    <button type="button" class="button button-small" ?hidden=${!override} aria-label="Release ${name}" @click=${() => actions.release(name)}>Release</button>
    <button type="button" class="button button-small button-primary" aria-label="Inflate ${name}" @click=${() => actions.inflate(name)}>Inflate</button>
  </div>`;

/** What is in use, free and missing of what is wanted. @param {PoolView} pool */
function meter({ wanted, inUse, free }) {
  const width = (/** @type {number} */ part) => `width: ${((part / (wanted || 1)) * 100).toFixed(1)}%`;
  return html`<div class="meter" aria-hidden="true"><i class="meter-used" .style=${width(inUse)}></i><i class="meter-ready" .style=${width(free)}></i></div>`;
}

/** @param {PoolView} pool @param {PoolContents} contents @param {import('./node-tiles.js').Scene} scene @param {PoolActions} actions */
function unfolded(pool, contents, scene, actions) {
  const { name, nodePool, edits = [], lead, occurrences = [] } = pool;
  const { now } = scene;
  const local = (/** @type {string} */ text) => withBareTimes(text, now);
  return html`<div class="row pool-why">
      <div>
        <div class="row pool-figures">${figures(pool)}</div>
        <p class="note pool-unit">${pool.unit} · ${pool.bound}${nodePool === name ? nothing : ` · on NodePool ${nodePool}`}</p>
        <ul class="note edits" aria-label="live edits of ${name}" ?hidden=${edits.length === 0}>${edits.map((edit) => html`<li>live: ${local(edit)}</li>`)}</ul>
      </div>
      <div>
        <ul class="reasons">${pool.reasons.map((reason) => html`<li>${local(reason)}</li>`)}</ul>
        <p class="note" ?hidden=${lead === undefined}>lead time ${lead}</p>
        <ul class="note occurrences" aria-label="last windows of ${name}" ?hidden=${occurrences.length === 0}>
          ${occurrences.map(({ text, late }) => html`<li ?data-late=${late} title=${local(text)}>${local(text)}</li>`)}
        </ul>
      </div>
    </div>
    <div class="chart" role="img" aria-label=${chartText(pool)}><div class="chart-tip" hidden aria-hidden="true"></div></div>
    ${nodeTiles(contents, scene, actions.take)}`;
}

/** @param {PoolView} pool */
function figures({ wanted, ready, inUse, free, missing, useUnknown }) {
  const use = useUnknown ? { ready } : { 'in use': inUse, free };
  const shown = { wanted, ...use, ...(missing > 0 && { missing }) };
  return Object.entries(shown).map(
    ([what, amount]) => html`<span class="figure-${what.replace(' ', '-')}"><b>${amount}</b> ${what}</span>`,
  );
}

/** What is missing, for how long and why. @param {PoolView} pool @param {number} now */
const shortageNote = ({ wanted, ready, shortSince, why = [] }, now) =>
  why.length === 0
    ? nothing
    : html`<div class="row shortage"><b>${[
        ...(ready < wanted ? [`${wanted - ready} short`] : []),
        ...(shortSince === undefined ? [] : [`for ${span(now - shortSince)}`]),
      ].join(' ')}</b><ul>${why.map((line) => html`<li title=${line}>${line}</li>`)}</ul></div>`;

/** @param {string} pool @param {PoolView['alarms'][number]} alarm @param {PoolActions['alarm']} set */
const alarmButton = (pool, { name, alarmName, firing }, set) =>
  html`<button type="button" class="button button-small button-alarm" data-alarm=${alarmName} aria-pressed=${firing}
    aria-label="${firing ? 'Clear' : 'Fire'} alarm ${name} of ${pool}" @click=${() => set(alarmName, !firing)}>${firing ? 'Clear' : 'Fire'} alarm ${name}</button>`;

/** @param {PoolView} pool */
const chartText = ({ name, wanted, inUse, free }) =>
  `Timeline of ${name}: ${wanted} wanted, ${inUse} in use, ${free} free`;
