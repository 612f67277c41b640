/** @import { PoolView, TimelinePoint } from '../../snapshot/snapshot' */
/** @typedef {{ from: number, to: number }} View */

/** The share of a timeline for the past, once the run is long enough; the rest shows the plan. */
const PAST_SHARE = 0.68;
/** The share before the run's start, at first. */
const MARGIN_SHARE = 0.03;

/**
 * The period that the timelines show: fixed at first, then moving with the clock.
 * @param {number} startedAt
 * @param {number} now
 * @param {number} length
 * @returns {View}
 */
export function viewOf(startedAt, now, length) {
  const from = Math.max(startedAt - length * MARGIN_SHARE, now - length * PAST_SHARE);
  return { from, to: from + length };
}

/**
 * The columns that the chart draws as steps: time, in use, in use plus free, plan, wanted, and the pods that would wait
 * without headroom. The past ends now, the plan begins now.
 * @param {PoolView} pool
 * @param {View} view
 * @param {number} now
 */
export function columnsOf(pool, { from, to }, now) {
  const past = pointsBetween(pool.timeline, from, now);
  const { wanted, inUse, free, timeline } = pool;
  const known = [...past, { ...timeline.at(-1), at: now, wanted, inUse, free }];
  const planned = plannedBetween(pool, now, to);
  const none = planned.slice(1).map(() => null);
  const before = past.map(() => null);
  return [
    [...known.map(({ at }) => at), ...planned.slice(1).map(({ at }) => at)],
    [...known.map((point) => point.inUse), ...none],
    [...known.map(stacked), ...none],
    [...before, ...planned.map(({ replicas }) => replicas)],
    [...known.map((point) => point.wanted), ...none],
    [...known.map(({ wouldWait }, index) => wouldWait ?? (known[index - 1]?.wouldWait ? 0 : null)), ...none],
  ];
}

/** The top of the y axis, slightly above the highest value of the timeline and the plan. @param {PoolView} pool */
export function topOf(pool) {
  let peak = Math.max(pool.wanted, 3);
  for (const point of pool.timeline) peak = Math.max(peak, point.wanted, point.wouldWait ?? 0);
  for (const { replicas } of pool.plan) peak = Math.max(peak, replicas);
  return peak * 1.15;
}

/** The top of the stacked areas. @param {Pick<TimelinePoint, 'inUse' | 'free'>} point */
const stacked = ({ inUse, free }) => inUse + free;

/**
 * The points within a view, starting with the value in effect at its beginning.
 * @param {readonly TimelinePoint[]} timeline
 * @param {number} from
 * @param {number} now
 */
function pointsBetween(timeline, from, now) {
  const first = timeline.findIndex(({ at }) => at > from);
  const inside = first < 0 ? [] : timeline.slice(first).filter(({ at }) => at < now);
  const held = first < 0 ? timeline.at(-1) : timeline[first - 1];
  return held ? [{ ...held, at: from }, ...inside] : inside;
}

/** @param {PoolView} pool @param {number} now @param {number} to */
function plannedBetween({ plan, wanted }, now, to) {
  const current = plan.findLast(({ at }) => at <= now)?.replicas ?? wanted;
  const coming = plan.filter(({ at }) => at > now && at < to);
  const last = coming.at(-1)?.replicas ?? current;
  return [{ at: now, replicas: current }, ...coming, { at: to, replicas: last }];
}
