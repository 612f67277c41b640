import { html } from '/vendor/lit-html/lit-html.js';
import { shortTime, span, usedWords, withLocalTimes } from './format.js';
import { nodeTiles } from './node-tiles.js';

/** @typedef {import('../snapshot/snapshot').PoolView} PoolView */
/** @typedef {import('./node-tiles.js').PoolContents} PoolContents */
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
 * @param {PoolView} pool @param {PoolContents} contents @param {number} now @param {PoolActions} actions
 */
export function poolCard(pool, contents, now, actions) {
  const { name, wanted, ready, used, override } = pool;
  return html`<article class="card pool" data-pool=${name} aria-label="NodePool ${name}" ?data-short=${ready < wanted}>
    <div class="pool-head">
      <div class="pool-title"><h3>${name}</h3><span class="quiet pool-unit">${pool.unit} · max ${pool.max}</span></div>
      <div class="pool-figures">
        <span class="pool-figure figure-wanted"><b>${wanted}</b> wanted</span>
        <span class="pool-figure figure-ready"><b>${ready}</b> ready</span>
        <span class="pool-figure figure-used" ?hidden=${pool.useUnknown}><b>${used}</b> ${usedWords(pool)}</span>
      </div>
      <div class="row pool-actions">
        <div class="row alarms">${pool.alarms.map((alarm) => alarmButton(alarm, actions.alarm))}</div>
        <button type="button" class="button button-small" ?hidden=${!override} @click=${() => actions.release(name)}>Release</button>
        <button type="button" class="button button-small button-primary" @click=${() => actions.inflate(name)}>Inflate</button>
      </div>
    </div>
    <div class="pool-why">
      <ul class="reasons">${pool.reasons.map((reason) => html`<li>${withLocalTimes(reason)}</li>`)}</ul>
      <div class="pool-next">
        <p class="note next-change">${nextWords(pool, now)}</p>
        <p class="note override-note" ?hidden=${!override}>${overrideWords(pool, now)}</p>
      </div>
    </div>
    <div class="chart" role="img" aria-label=${chartWords(pool)}><div class="chart-tip" hidden aria-hidden="true"></div></div>
    ${nodeTiles(contents, now, actions.take)}
  </article>`;
}

/** @param {PoolView['alarms'][number]} alarm @param {PoolActions['alarm']} set */
const alarmButton = ({ name, alarmName, firing }, set) =>
  html`<button type="button" class="button button-small button-alarm" data-alarm=${alarmName} aria-pressed=${firing}
    @click=${() => set(alarmName, !firing)}>${firing ? 'Clear' : 'Fire'} alarm ${name}</button>`;

/** @param {PoolView} pool @param {number} now */
const nextWords = ({ next }, now) =>
  next ? `next change: ${next.text} at ${shortTime(next.at)}, in ${span(next.at - now)}` : 'no change planned';

/** @param {PoolView} pool @param {number} now */
function overrideWords({ override }, now) {
  if (!override) return '';
  const { order, until, by } = override;
  return `override by ${by}: ${order} for ${span(until - now)} more`;
}

/** @param {PoolView} pool */
function chartWords(pool) {
  const { name, wanted, ready, used, next } = pool;
  const coming = next ? `next change: ${next.text} at ${shortTime(next.at)}` : 'no change planned';
  return `Timeline of ${name}: ${wanted} wanted, ${ready} ready, ${used} ${usedWords(pool)}; ${coming}`;
}
