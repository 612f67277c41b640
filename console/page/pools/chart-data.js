/** @typedef {import('../../snapshot/snapshot').PoolView} PoolView */
/** @typedef {import('../../snapshot/snapshot').TimelinePoint} TimelinePoint */
/** @typedef {{ from: number, to: number }} View */

/** How much of a timeline lies behind now once the run is old enough; the rest shows the plan. */
const PAST_SHARE = 0.68;
/** And how much lies before the run's start while it is young. */
const MARGIN_SHARE = 0.03;

/**
 * The stretch of time that the timelines show: it stands still at first, then slides with the clock.
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
 * The columns that the chart draws as steps: time, ready, ready plus used, plan, wanted. The past ends now,
 * the plan begins now. Of a floor used nodes are ready too, so that there it is: time, free, ready, plan, wanted.
 * @param {PoolView} pool
 * @param {View} view
 * @param {number} now
 */
export function columnsOf(pool, { from, to }, now) {
  const past = pointsBetween(pool.timeline, from, now);
  const { wanted, ready, used } = pool;
  const known = [...past, { at: now, wanted, ready, used }];
  const planned = plannedBetween(pool, now, to);
  const none = planned.slice(1).map(() => null);
  const before = past.map(() => null);
  return [
    [...known.map(({ at }) => at), ...planned.slice(1).map(({ at }) => at)],
    [...known.map((point) => stacked(pool, point) - point.used), ...none],
    [...known.map((point) => stacked(pool, point)), ...none],
    [...before, ...planned.map(({ replicas }) => replicas)],
    [...known.map((point) => point.wanted), ...none],
  ];
}

/**
 * The highest value that the y axis has room for: steady while the run goes on, and never a flat line at the top.
 * @param {PoolView} pool
 */
export function topOf(pool) {
  let peak = Math.max(pool.wanted, stacked(pool, pool), 3);
  for (const point of pool.timeline) peak = Math.max(peak, point.wanted, stacked(pool, point));
  for (const { replicas } of pool.plan) peak = Math.max(peak, replicas);
  return peak * 1.15;
}

/**
 * Ready and used together: used room is gone until it comes again, a used node of a floor is still there.
 * @param {PoolView} pool @param {{ ready: number, used: number }} point
 */
const stacked = ({ kind }, { ready, used }) => (kind === 'floor' ? ready : ready + used);

/**
 * The points within a view, with the one that still holds where it begins.
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
