import { repeat } from '/vendor/lit-html/directives/repeat.js';
import { html } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';
import { counted } from '../lib/format.js';
import { recall, remember } from '../lib/remembered.js';
import { viewOf } from './chart-data.js';
import { readPalette } from './chart-palette.js';
import { showLegend } from './legend.js';
import { nodeTiles } from './node-tiles.js';
import { poolCard } from './pool-card.js';
import { createPoolChart } from './pool-chart.js';

/** @import { PoolView, Snapshot } from '../../snapshot/snapshot' */

const HOUR = 3_600_000;
const SPANS = [1, 3, 6, 24];
/** The key for nodes outside the configured NodePools, which no NodePool can have as its name. */
const OTHERS = '';
const DEFAULT_SPAN = 3;
/** So many headrooms are cards if they have something to show; of more, only those that need a look. */
const FEW = 6;
const SPAN_KEY = 'headstart.hours';

/**
 * All NodePools, each in a card; timelines on screen are drawn all the time, the others one at a time.
 * @param {Omit<import('./pool-card.js').PoolActions, 'fold'>} actions
 */
export function createPools(actions) {
  const place = byId('pools');
  /** @type {Map<Element, ReturnType<typeof createPoolChart>>} */
  const charts = new Map();
  /** @type {Set<Element>} */
  const onScreen = new Set();
  const spans = createSpans();
  let palette = readPalette();
  let drawnFor = '';
  let width = place.clientWidth;
  new ResizeObserver(([entry]) => {
    width = entry?.contentRect.width ?? width;
  }).observe(place);

  /** Timelines off screen with an old picture. @type {Set<Element>} */
  const stale = new Set();

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

  const keepCharts = () => {
    for (const card of charts.keys()) if (!card.isConnected || !card.hasAttribute('data-open')) forget(card);
    for (const host of place.querySelectorAll('.chart')) {
      const card = host.closest('.pool');
      if (!card || charts.has(card)) continue;
      charts.set(card, createPoolChart(/** @type {HTMLElement} */ (host)));
      observer.observe(card);
    }
  };
  const forget = (/** @type {Element} */ card) => {
    charts.get(card)?.close();
    charts.delete(card);
    stale.delete(card);
    onScreen.delete(card);
    observer.unobserve(card);
  };
  /** What the user folded or unfolded. @type {Map<string, boolean>} */
  const chosen = new Map();
  const fold = (/** @type {string} */ name, /** @type {boolean} */ open) => {
    chosen.set(name, open);
    if (shown) update(...shown);
  };
  /** @type {[Snapshot, number] | undefined} */
  let shown;

  const draw = (
    /** @type {Element} */ card,
    /** @type {Snapshot} */ { pools },
    /** @type {import('./chart-data.js').View} */ view,
    /** @type {number} */ now,
  ) => {
    stale.delete(card);
    const pool = pools.find(({ name }) => name === card.getAttribute('data-pool'));
    if (pool) charts.get(card)?.draw(pool, view, now, palette);
  };

  const update = (/** @type {Snapshot} */ snapshot, /** @type {number} */ now) => {
    shown = [snapshot, now];
    const { pools, hidden } = snapshot;
    const contents = contentsByPool(snapshot);
    const others = contents(OTHERS);
    place.toggleAttribute('data-many', pools.length > 1);
    byId('no-pools').hidden = pools.length > 0;
    byId('others').hidden = others.nodes.length + others.pending.length === 0;
    const scene = { now, real: snapshot.mode === 'cluster', many: pools.length > 1 };
    const cards = pools.map((pool) => {
      const content = contents(pool.name);
      const atFirst = isOpenAtFirst(pool, content, pools.length);
      return { pool, content, open: chosen.get(pool.name) ?? atFirst, rank: pool.trouble ? 0 : atFirst ? 1 : 2 };
    });
    const drawn = cards.toSorted((a, b) => a.rank - b.rank);
    const card = (/** @type {typeof cards[number]} */ { pool, open, content }) =>
      poolCard(pool, open, content, scene, { ...actions, fold });
    show(
      'pools',
      repeat(drawn, ({ pool }) => pool.name, card),
    );
    showLegend(legendOf(cards));
    show('others', nodeTiles(others, scene, actions.take));
    byId('left-out').hidden = hidden === undefined;
    show('left-out', hidden && `not shown: ${counted(hidden.nodes, 'node')}, ${counted(hidden.pods, 'pod')}`);
    keepCharts();
    for (const card of charts.keys()) stale.add(card);
    drawnFor = '';
  };

  return {
    update,
    /** Draws the timelines if they have moved by at least half a pixel. @param {Snapshot} snapshot @param {number} now */
    tick(snapshot, now) {
      const length = spans.hours() * HOUR;
      const view = viewOf(snapshot.clock.startedAt, now, length);
      const halfPixels = Math.floor(((now - snapshot.clock.startedAt) / length) * width * 2);
      const wanted = `${halfPixels}|${length}`;
      const moved = wanted !== drawnFor;
      drawnFor = wanted;
      for (const card of moved ? onScreen : []) draw(card, snapshot, view, now);
      const [next] = stale;
      if (next) draw(next, snapshot, view, now);
    },
    /** For printing: draws all of them, at their width on paper. @param {Snapshot} snapshot @param {number} now */
    drawAll(snapshot, now) {
      const view = viewOf(snapshot.clock.startedAt, now, spans.hours() * HOUR);
      for (const [card, chart] of charts) {
        draw(card, snapshot, view, now);
        chart.fit();
      }
    },
    recolour() {
      palette = readPalette();
      drawnFor = '';
    },
  };
}

/**
 * What the unfolded cards show.
 * @param {readonly { pool: PoolView, open: boolean, content: import('./node-tiles.js').PoolContents }[]} cards
 */
function legendOf(cards) {
  const open = cards.filter((card) => card.open);
  const nodes = open.flatMap(({ content }) => content.nodes);
  const pods = open.flatMap(({ content }) => [
    ...content.pending,
    ...content.nodes.flatMap(({ name }) => content.pods.get(name) ?? []),
  ]);
  return { pools: open.map(({ pool }) => pool), nodes, pods };
}

/**
 * Of a few headrooms those with something to show are unfolded, of many only those in trouble or with an override.
 * @param {PoolView} pool @param {import('./node-tiles.js').PoolContents} contents @param {number} all
 */
function isOpenAtFirst({ wanted, trouble, override }, { nodes, pending }, all) {
  if (all === 1 || trouble || override) return true;
  return all <= FEW && wanted + nodes.length + pending.length > 0;
}

/**
 * The nodes and pods of each NodePool, and under `OTHERS` those outside the configured NodePools.
 * @param {Snapshot} snapshot @returns {(pool: string) => import('./node-tiles.js').PoolContents}
 */
function contentsByPool({ pools, nodes, pods }) {
  const named = new Set(pools.map(({ name }) => name));
  // The nodes of a NodePool with several headrooms are in the card of the first.
  const firstOn = new Map(pools.map(({ name, nodePool }) => /** @type {const} */ ([nodePool, name])).reverse());
  const poolOf = (/** @type {{ pool: string }} */ { pool }) => firstOn.get(pool) ?? OTHERS;
  const headroomOf = (/** @type {{ pool: string, kind: string }} */ pod) =>
    pod.kind === 'headroom' && named.has(pod.pool) ? pod.pool : poolOf(pod);
  const nodesOf = Map.groupBy(nodes, poolOf);
  const podsOf = Map.groupBy(pods, ({ node }) => node ?? '');
  const pendingOf = Map.groupBy(podsOf.get('') ?? [], headroomOf);
  return (pool) => ({ nodes: nodesOf.get(pool) ?? [], pods: podsOf, pending: pendingOf.get(pool) ?? [] });
}

/** The buttons for how many hours the timelines show; the choice is remembered. */
function createSpans() {
  const recalled = Number(recall(SPAN_KEY));
  let hours = SPANS.includes(recalled) ? recalled : DEFAULT_SPAN;
  const choose = (/** @type {number} */ choice) => {
    hours = choice;
    remember(SPAN_KEY, String(choice));
    draw();
  };
  const button = (/** @type {number} */ choice) =>
    html`<button type="button" aria-pressed=${choice === hours} @click=${() => choose(choice)}>${choice} h</button>`;
  const draw = () => show('spans', SPANS.map(button));
  draw();
  return { hours: () => hours };
}
