import { type Config, type HeadroomConfig, headroomsOn } from '../../../shared/core/config/config';
import { beforeFirstEdge, demandActions, type Occasion, occasionsOf, perPool, quietTime } from './demand-curve';
import { lunchCurve } from './lunch-peak';
import type { Action, Scenario, Setting } from './scenario';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** EC2 reclaims many spot nodes at once, in the middle of a peak. */
export const spotStorm: Scenario = {
  id: 'storm',
  title: 'Spot storm',
  description: ({ headrooms }) => {
    const surging = headrooms.filter(({ interruptions }) => interruptions).map(({ name }) => name);
    const effect =
      surging.length === 0
        ? 'No NodePool of this config has interruptions, so nothing replaces the nodes early: add interruptions: {surge: 1}.'
        : `Each notice adds an interruption surge to the headroom of ${surging.join(', ')}, so that replacements start while the old nodes still drain.`;
    return `Up to twenty minutes into a peak EC2 interrupts half of the spot nodes: rebalance recommendations come first, interruption notices two minutes later, and after two more minutes the nodes are gone. ${effect} Evicted pods take the place of headroom at once, where there is some.`;
  },
  startsAt: (config, after) =>
    watched(config).some(({ nodePool }) => headroomsOn(nodePool, config).some(({ windows }) => windows.length > 0))
      ? beforeFirstEdge(config, after, 'storm')
      : quietTime(config, after),
  actions: perPool(poolActions),
};

/** The headrooms that something is said of: those that answer a notice, or all if none does. */
function watched({ headrooms }: Config): readonly HeadroomConfig[] {
  const answering = headrooms.filter(({ interruptions }) => interruptions);
  return answering.length > 0 ? answering : headrooms;
}

function poolActions({ config, seed, startedAt }: Setting, pool: HeadroomConfig, from: number, to: number): Action[] {
  const occasions = pool.windows.length > 0 ? occasionsOf(pool, from, to) : quietOccasions(pool, startedAt, to);
  const demand = demandActions(pool, occasions, lunchCurve(seed, pool), { from, to });
  // One for each NodePool, however many headrooms it has.
  const [first] = headroomsOn(pool.nodePool, config);
  if (first !== pool) return demand;
  // What they watch is the storm.
  const said = pool.windows.length > 0 ? demand : demand.map(({ moment: _moment, ...action }) => action);
  const storms = occasions.flatMap(({ start, end }): Action[] => {
    const at = start + Math.min(20 * MINUTE, Math.floor((end - start) / 3));
    const common = { kind: 'spot', nodePool: pool.nodePool, share: 0.5 } as const;
    const said = watched(config).find(({ nodePool }) => nodePool === pool.nodePool)?.name;
    const moment = (text: string) => said !== undefined && { moment: { headroom: said, text } };
    return [
      { ...common, at, notice: 'rebalance', ...moment('EC2 warns half of the spot nodes') },
      { ...common, at: at + 2 * MINUTE, notice: 'interruption', ...moment('EC2 takes them in two minutes') },
    ];
  });
  return [...said, ...storms.filter(({ at }) => at >= from && at < to)];
}

/** For pools without windows: a short peak, with a storm ten minutes after the start, each day. */
function quietOccasions({ base }: HeadroomConfig, startedAt: number, to: number): readonly Occasion[] {
  const days = Math.max(0, Math.ceil((to - startedAt) / DAY));
  return Array.from({ length: days }, (_, day) => {
    const start = startedAt + 2 * MINUTE + day * DAY;
    return { name: 'peak', start, end: start + 24 * MINUTE, replicas: Math.max(1, base) };
  });
}
