import { html, nothing } from '/vendor/lit-html/lit-html.js';
import { span, timeOf, usedText, withLocalTimes } from '../lib/format.js';
import { nodeTiles } from './node-tiles.js';

/** @import { PoolView } from '../../snapshot/snapshot' */
/** @import { PoolContents } from './node-tiles.js' */
/**
 * @typedef {{
 *   inflate: (pool: string) => void,
 *   release: (pool: string) => void,
 *   alarm: (alarmName: string, firing: boolean) => void,
 *   take: (node: string) => void,
 * }} PoolActions
 */

/**
 * One NodePool: its figures, why it has that size, its timeline, its nodes and its actions.
 * @param {PoolView} pool @param {PoolContents} contents @param {import('./node-tiles.js').Scene} scene @param {PoolActions} actions
 */
export function poolCard(pool, contents, scene, actions) {
  const { now, real } = scene;
  const { name, nodePool, wanted, ready, used, override } = pool;
  return html`<article class="card pool" data-pool=${name} aria-label=${`Headroom ${name}`} ?data-short=${ready < wanted} ?data-trouble=${pool.trouble}>
    <div class="row pool-head">
      <h3>${name}</h3>
      <div class="row pool-actions">
        ${real ? nothing : pool.alarms.map((alarm) => alarmButton(name, alarm, actions.alarm))}
        <button type="button" class="button button-small" ?hidden=${!override} aria-label="Release ${name}" @click=${() => actions.release(name)}>Release</button>
        <button type="button" class="button button-small button-primary" aria-label="Inflate ${name}" @click=${() => actions.inflate(name)}>Inflate</button>
      </div>
    </div>
    <p class="sentence">${withLocalTimes(pool.sentence, now)}</p>
    ${shortageNote(pool, now)}
    <div class="row pool-why">
      <div>
        <div class="row pool-figures">
          <span class="figure-wanted"><b>${wanted}</b> wanted</span>
          <span class="figure-ready"><b>${ready}</b> ready</span>
          <span class="figure-used" ?hidden=${pool.useUnknown}><b>${used}</b> ${usedText(pool)}</span>
        </div>
        <p class="note pool-unit">${pool.unit} · ${pool.bound}${nodePool === name ? nothing : ` · on NodePool ${nodePool}`}</p>
      </div>
      <div>
        <ul class="reasons">${pool.reasons.map((reason) => html`<li>${withLocalTimes(reason, now)}</li>`)}</ul>
        <p class="note next-change">${nextText(pool, now, real)}</p>
        ${occurrenceNotes(pool)}
      </div>
    </div>
    <div class="chart" role="img" aria-label=${chartText(pool, now)}><div class="chart-tip" hidden aria-hidden="true"></div></div>
    ${nodeTiles(contents, scene, actions.take)}
  </article>`;
}

/** The learned lead time, and how the last occurrences went. @param {PoolView} pool */
const occurrenceNotes = ({
  name,
  lead,
  occurrences = [],
}) => html`<p class="note" ?hidden=${lead === undefined}>lead time ${lead}</p>
  <ul class="note occurrences" aria-label="last windows of ${name}" ?hidden=${occurrences.length === 0}>
    ${occurrences.map(({ text, late }) => html`<li ?data-late=${late} title=${text}>${text}</li>`)}
  </ul>`;

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

/** @param {PoolView} pool @param {number} now @param {boolean} real */
function nextText({ kind, next, absent, plan, wanted }, now, real) {
  const stay = kind === 'floor' && Number(next?.text) < wanted ? '; nodes with work stay' : '';
  const change = next && `${next.text} at ${timeOf(next.at, now)}, in ${span(next.at - now)}${stay}`;
  if (absent && real)
    return [`not on the cluster; the config asks for ${plan[0]?.text} now`, ...(change ? [change] : [])].join(', ');
  return change ? `next change: ${change}` : 'no change scheduled';
}

/** @param {PoolView} pool @param {number} now */
function chartText(pool, now) {
  const { name, wanted, ready, used, next } = pool;
  const coming = next ? `next change: ${next.text} at ${timeOf(next.at, now)}` : 'no change scheduled';
  return `Timeline of ${name}: ${wanted} wanted, ${ready} ready, ${used} ${usedText(pool)}; ${coming}`;
}
