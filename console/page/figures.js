import { byId, setAttribute, setShown, setText } from './dom.js';
import { counted, money, percent, waited, whole } from './format.js';

/** @typedef {import('../snapshot/snapshot').Snapshot} Snapshot */
/** @typedef {import('../snapshot/snapshot').WaitingView} WaitingView */

/** The row of key figures: waiting with and without headroom, its tail, headroom, nodes, cost. */
export function createFigures() {
  return {
    /** @param {Snapshot} snapshot */
    update(snapshot) {
      showMedian(snapshot.waiting);
      showTail(snapshot.waiting);
      showHeadroom(snapshot.pools);
      showNodes(snapshot);
      showCost(snapshot.cost);
    },
  };
}

/** @param {WaitingView} waiting */
function showMedian({ with: having, without }) {
  const known = having.pods > 0;
  const compared = known && without !== undefined && without.pods > 0;
  setShown(byId('wait-without-side'), without !== undefined);
  setShown(byId('wait-bars'), compared);
  setText(byId('wait-with'), known ? waited(having.medianMs) : '–');
  setText(byId('wait-without'), compared ? waited(without.medianMs) : '–');
  const worst = Math.max(having.medianMs, compared ? without.medianMs : 0, 1);
  setWidth('wait-bar-with', known ? having.medianMs / worst : 0);
  setWidth('wait-bar-without', compared ? without.medianMs / worst : 0);
  const ratio = byId('wait-ratio');
  const words = compared ? ratioWords(having.medianMs, without.medianMs) : undefined;
  setShown(ratio, words !== undefined);
  setText(ratio, words ?? '');
}

/** @param {number} having @param {number} without */
function ratioWords(having, without) {
  if (without <= having) return undefined;
  const ratio = without / Math.max(having, 100);
  const rounded = ratio < 10 ? ratio.toFixed(1) : whole(ratio);
  return having < 100 ? 'at once' : `${rounded}× sooner`;
}

/** @param {WaitingView} waiting */
function showTail({ with: having, without }) {
  for (const [side, figures] of /** @type {const} */ ([
    ['with', having],
    ['without', without],
  ])) {
    const known = figures !== undefined && figures.pods > 0;
    setText(byId(`p95-${side}`), known ? waited(figures.p95Ms) : '–');
    setText(byId(`worst-${side}`), known ? waited(figures.worstMs) : '–');
    setText(byId(`pods-${side}`), known ? whole(figures.pods) : '–');
  }
}

/** @param {Snapshot['pools']} pools */
function showHeadroom(pools) {
  const sum = (/** @type {(pool: Snapshot['pools'][number]) => number} */ of) =>
    pools.reduce((total, pool) => total + of(pool), 0);
  const wanted = sum((pool) => pool.wanted);
  const ready = sum((pool) => Math.min(pool.ready, pool.wanted));
  const used = sum((pool) => Math.min(pool.used, pool.wanted));
  const missing = wanted - ready;
  setText(
    byId('headroom-ready'),
    sum((pool) => pool.ready),
  );
  setText(byId('headroom-wanted'), wanted);
  setWidth('meter-ready', wanted === 0 ? 0 : ready / wanted);
  setWidth('meter-used', wanted === 0 ? 0 : Math.min(used, missing) / wanted);
  const note = byId('shortfall');
  setText(note, missing > 0 ? `short of ${missing}${used > 0 ? ` (${used} used)` : ''}` : noShortfall(wanted));
  setAttribute(note, 'data-short', missing > 0);
}

/** @param {number} wanted */
const noShortfall = (wanted) => (wanted === 0 ? 'none wanted now' : 'nothing missing');

/** @param {Snapshot} snapshot */
function showNodes({ nodes, pods, hidden }) {
  const count = (/** @type {string} */ state) => nodes.filter((node) => node.state === state).length;
  const spot = nodes.filter((node) => node.spot).length;
  const states = /** @type {const} */ (['launching', 'leaving']).flatMap((state) => {
    const many = count(state);
    return many > 0 ? [`${many} ${state}`] : [];
  });
  setText(byId('node-count'), whole(nodes.length + (hidden?.nodes ?? 0)));
  setText(byId('node-spot'), hidden && hidden.nodes > 0 ? '' : `${spot} spot`);
  setText(byId('node-states'), [`${count('ready')} ready`, ...states].join(' · '));
  const real = pods.filter((pod) => pod.kind === 'real');
  const waiting = real.filter((pod) => pod.state === 'pending').length;
  const more = hidden && hidden.pods > 0 ? 'over ' : '';
  setText(byId('pod-states'), `${more}${counted(real.length, 'pod')}, ${waiting} waiting`);
  setAttribute(byId('pod-states'), 'data-short', waiting > 0);
}

/** @param {Snapshot['cost']} cost */
function showCost({ total, headroom, nodeHours }) {
  setText(byId('cost-total'), money(total));
  const share = total > 0 ? ` (${percent(headroom / total)})` : '';
  setText(byId('cost-headroom'), `headroom ${money(headroom)}${share}`);
  setText(byId('cost-hours'), `${nodeHours.toFixed(1)} node-hours`);
}

/** @param {string} id @param {number} share */
function setWidth(id, share) {
  const width = `${(Math.max(0, Math.min(1, share)) * 100).toFixed(1)}%`;
  const bar = byId(id);
  if (bar.style.width !== width) bar.style.width = width;
}
