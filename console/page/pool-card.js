import { el, keyed, setAttribute, setShown, setText } from './dom.js';
import { shortTime, span, withLocalTimes } from './format.js';
import { createNodeTiles } from './node-tiles.js';
import { createPoolChart } from './pool-chart.js';

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
/** @typedef {{ pool: PoolView, contents: PoolContents, now: number }} PoolItem */

/**
 * One NodePool: its figures, why it has that size, its timeline, its nodes, and what one can do to it.
 * @param {string} name
 * @param {PoolActions} actions
 */
export function createPoolCard(name, actions) {
  const figures = { wanted: el('b', {}), ready: el('b', {}), used: el('b', {}) };
  const reasons = el('ul', { class: 'reasons' });
  const next = el('p', { class: 'note next-change' });
  const override = el('p', { class: 'note override-note', hidden: true });
  const chartHost = el('div', { class: 'chart', role: 'img' });
  const alarms = el('div', { class: 'row alarms' });
  const release = el(
    'button',
    { type: 'button', class: 'button button-small', click: () => actions.release(name) },
    'Release',
  );
  const inflate = el(
    'button',
    { type: 'button', class: 'button button-small button-primary', click: () => actions.inflate(name) },
    'Inflate',
  );
  const unit = el('span', { class: 'quiet pool-unit' });
  const tiles = createNodeTiles(actions.take);
  const node = el(
    'article',
    { class: 'card pool', 'data-pool': name, 'aria-label': `NodePool ${name}` },
    el(
      'div',
      { class: 'pool-head' },
      el('div', { class: 'pool-title' }, el('h3', {}, name), unit),
      el(
        'div',
        { class: 'pool-figures' },
        el('span', { class: 'pool-figure figure-wanted' }, figures.wanted, ' wanted'),
        el('span', { class: 'pool-figure figure-ready' }, figures.ready, ' ready'),
        el('span', { class: 'pool-figure figure-used' }, figures.used, ' used'),
      ),
      el('div', { class: 'row pool-actions' }, alarms, release, inflate),
    ),
    el('div', { class: 'pool-why' }, reasons, el('div', { class: 'pool-next' }, next, override)),
    chartHost,
    tiles.node,
  );
  const chart = createPoolChart(chartHost);

  return {
    node,
    chart,
    /** @param {PoolItem} item */
    update({ pool, contents, now }) {
      for (const key of /** @type {const} */ (['wanted', 'ready', 'used'])) setText(figures[key], pool[key]);
      setText(unit, `${pool.unit} · max ${pool.max}`);
      keyed(reasons, pool.reasons.map(withLocalTimes), String, (reason) => ({
        node: el('li', {}, reason),
        update() {},
      }));
      setText(next, nextWords(pool, now));
      setShown(override, pool.override !== undefined);
      setText(override, overrideWords(pool, now));
      setShown(release, pool.override !== undefined);
      keyed(alarms, pool.alarms, ({ alarmName }) => alarmName, createAlarm(actions.alarm));
      setAttribute(chartHost, 'aria-label', chartWords(pool, now));
      setAttribute(node, 'data-short', pool.ready < pool.wanted);
      tiles.update(contents, now);
    },
  };
}

/** @param {PoolActions['alarm']} setAlarm */
function createAlarm(setAlarm) {
  return (/** @type {PoolView['alarms'][number]} */ { name, alarmName }) => {
    let firing = false;
    const node = el('button', { type: 'button', class: 'button button-small button-alarm', 'data-alarm': alarmName });
    node.addEventListener('click', () => setAlarm(alarmName, !firing));
    return {
      node,
      /** @param {PoolView['alarms'][number]} alarm */
      update(alarm) {
        firing = alarm.firing;
        setAttribute(node, 'aria-pressed', firing ? 'true' : 'false');
        setText(node, firing ? `Clear alarm ${name}` : `Fire alarm ${name}`);
      },
    };
  };
}

/** @param {PoolView} pool @param {number} now */
function nextWords({ next }, now) {
  return next ? `next: ${next.replicas} at ${shortTime(next.at)}, in ${span(next.at - now)}` : 'no change planned';
}

/** @param {PoolView} pool @param {number} now */
function overrideWords({ override }, now) {
  if (!override) return '';
  const { mode, replicas, until, by } = override;
  const order = mode === 'atLeast' ? 'at least' : 'exactly';
  return `override by ${by}: ${order} ${replicas} for ${span(until - now)} more`;
}

/** @param {PoolView} pool @param {number} now */
function chartWords(pool, now) {
  const { name, wanted, ready, used } = pool;
  return `Timeline of ${name}: ${wanted} wanted, ${ready} ready, ${used} used; ${nextWords(pool, now).replace(/, in .*/, '')}`;
}
