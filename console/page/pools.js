import { viewOf } from './chart-data.js';
import { readPalette } from './chart-palette.js';
import { byId, el, keyed, setAttribute, setShown, setText } from './dom.js';
import { counted } from './format.js';
import { createNodeTiles } from './node-tiles.js';
import { createPoolCard } from './pool-card.js';
import { recall, remember } from './remembered.js';

/** @typedef {import('../snapshot/snapshot').Snapshot} Snapshot */
/** @typedef {import('../snapshot/snapshot').PodView} PodView */
/** @typedef {ReturnType<typeof createPoolCard>} PoolCard */

const HOUR = 3_600_000;
const SPANS = [1, 3, 6, 24];
const DEFAULT_SPAN = 3;
const SPAN_KEY = 'headstart.hours';

/**
 * All NodePools, each in a card; only the timelines on screen are drawn.
 * @param {import('./pool-card.js').PoolActions} actions
 */
export function createPools(actions) {
  const place = byId('pools');
  /** @type {Map<string, PoolCard>} */
  const cards = new Map();
  /** @type {Set<Element>} */
  const onScreen = new Set();
  const others = createNodeTiles(actions.take);
  byId('others').append(others.node);
  const spans = createSpans();
  let palette = readPalette();
  let drawnFor = '';
  let width = place.clientWidth;
  new ResizeObserver(([entry]) => {
    width = entry?.contentRect.width ?? width;
  }).observe(place);

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) onScreen.add(target);
        else onScreen.delete(target);
      }
      drawnFor = '';
    },
    { rootMargin: '300px' },
  );

  const create = (/** @type {import('./pool-card.js').PoolItem} */ { pool: { name } }) => {
    const card = createPoolCard(name, actions);
    cards.set(name, card);
    observer.observe(card.node);
    return card;
  };

  return {
    /** @param {Snapshot} snapshot @param {number} now */
    update(snapshot, now) {
      const contents = contentsByPool(snapshot);
      const items = snapshot.pools.map((pool) => ({ pool, now, contents: contents(pool.name) }));
      setAttribute(place, 'data-many', items.length > 1);
      setShown(byId('no-pools'), items.length === 0);
      keyed(place, items, ({ pool }) => pool.name, create);
      showOthers(others, snapshot, now);
      for (const name of cards.keys()) {
        if (!snapshot.pools.some((pool) => pool.name === name)) cards.delete(name);
      }
      drawnFor = '';
    },
    /** Draws the timelines when they moved by at least half a pixel. @param {Snapshot} snapshot @param {number} now */
    tick(snapshot, now) {
      const length = spans.hours() * HOUR;
      const view = viewOf(snapshot.clock.startedAt, now, length);
      const halfPixels = Math.floor(((now - snapshot.clock.startedAt) / length) * width * 2);
      const wanted = `${halfPixels}|${length}`;
      if (wanted === drawnFor) return;
      drawnFor = wanted;
      for (const pool of snapshot.pools) {
        const card = cards.get(pool.name);
        if (card && onScreen.has(card.node)) card.chart.draw(pool, view, now, palette);
      }
    },
    recolour() {
      palette = readPalette();
      drawnFor = '';
    },
  };
}

/** @param {Snapshot} snapshot @returns {(pool: string) => import('./node-tiles.js').PoolContents} */
function contentsByPool({ nodes, pods }) {
  const nodesOf = Map.groupBy(nodes, ({ pool }) => pool);
  const podsOf = Map.groupBy(pods, ({ node }) => node ?? '');
  const pendingOf = Map.groupBy(podsOf.get('') ?? [], ({ pool }) => pool);
  return (pool) => ({ nodes: nodesOf.get(pool) ?? [], pods: podsOf, pending: pendingOf.get(pool) ?? [] });
}

/**
 * Nodes of NodePools that the config does not name, and how much the snapshot left out.
 * @param {ReturnType<typeof createNodeTiles>} tiles
 * @param {Snapshot} snapshot
 * @param {number} now
 */
function showOthers(tiles, { pools, nodes, pods, hidden }, now) {
  const named = new Set(pools.map(({ name }) => name));
  const others = nodes.filter(({ pool }) => !named.has(pool));
  const pending = pods.filter((pod) => pod.node === undefined && !named.has(pod.pool));
  setShown(byId('others'), others.length + pending.length > 0);
  tiles.update({ nodes: others, pods: Map.groupBy(pods, ({ node }) => node ?? ''), pending }, now);
  setShown(byId('left-out'), hidden !== undefined);
  if (hidden) setText(byId('left-out'), `not drawn: ${counted(hidden.nodes, 'node')}, ${counted(hidden.pods, 'pod')}`);
}

/** The choice of how many hours the timelines show, remembered. */
function createSpans() {
  const recalled = Number(recall(SPAN_KEY));
  let hours = SPANS.includes(recalled) ? recalled : DEFAULT_SPAN;
  const buttons = SPANS.map((choice) => {
    const button = el('button', { type: 'button', 'aria-pressed': choice === hours ? 'true' : 'false' }, `${choice} h`);
    button.addEventListener('click', () => {
      hours = choice;
      for (const [index, other] of buttons.entries()) {
        setAttribute(other, 'aria-pressed', SPANS[index] === choice ? 'true' : 'false');
      }
      remember(SPAN_KEY, String(choice));
    });
    return button;
  });
  byId('spans').append(...buttons);
  return { hours: () => hours };
}
