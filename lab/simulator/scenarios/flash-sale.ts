import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import { seededRandom, seedFor } from '../deterministic/seeded-random';
import { type Curve, type CurveStep, demandActions, type Occasion, perPool, quietTime } from './demand-curve';
import { podsStart } from './describe-peaks';
import type { Action, Scenario, Setting } from './scenario';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const OVERRIDE_AFTER = 5 * MINUTE;
const SALE_AFTER = 10 * MINUTE;
const SALE_LENGTH = 40 * MINUTE;

/** An unplanned peak: somebody inflates the headroom five minutes before it. */
export const flashSale: Scenario = {
  id: 'flash',
  title: 'Flash sale',
  description: (config) => {
    const pool = salePool(config);
    if (!pool) return 'This config has no NodePool with a max above 0, so there is nothing to inflate.';
    const alarms = pool.alarms.length === 0 ? '' : ` A minute later the alarm ${pool.alarms[0]?.name} fires too.`;
    return `A sale starts in five minutes, and no window covers it. Somebody sets an override ("${pool.name} ${pool.unit.kind === 'floor' ? `${pool.max} more nodes` : `at least ${pool.max}`} for 1h"), and the nodes start at once. Five minutes later ${pool.max} pods start within a minute.${alarms} After an hour the override expires, and Karpenter removes the nodes.`;
  },
  startsAt: quietTime,
  actions: perPool(poolActions),
};

/** The NodePool with the largest max. */
function salePool({ headrooms }: Config): HeadroomConfig | undefined {
  const [largest] = [...headrooms].sort((a, b) => b.max - a.max);
  return largest && largest.max > 0 ? largest : undefined;
}

function poolActions({ config, startedAt, seed }: Setting, pool: HeadroomConfig, from: number, to: number): Action[] {
  const days = salePool(config) === pool ? Math.max(0, Math.ceil((to - startedAt) / DAY)) : 0;
  const sales = Array.from({ length: days }, (_, day): Occasion => {
    const start = startedAt + SALE_AFTER + day * DAY;
    return { name: 'sale', start, end: start + SALE_LENGTH, replicas: pool.max };
  });
  const demand = demandActions(pool, sales, saleCurve(seed, pool.name), { from, to });
  const others = sales.flatMap((sale) => [overrideOf(pool, sale), ...alarmsOf(pool, sale)]);
  return [...demand, ...others.filter(({ at }) => at >= from && at < to)];
}

function saleCurve(seed: number, pool: string): Curve {
  return ({ start, end, replicas }) => {
    const random = seededRandom(seedFor(seed, `${pool} sale ${start}`));
    const waves = [0.4, 0.7, 0.9, 1].map(
      (share, wave): CurveStep => ({
        at: start + wave * 15 * SECOND + Math.floor(random() * 5 * SECOND),
        pods: Math.ceil(replicas * share),
        ...(wave === 0 && { says: `the sale: ${podsStart(replicas)} within a minute` }),
      }),
    );
    return [...waves, { at: end - 10 * MINUTE, pods: Math.ceil(replicas / 2) }, { at: end, pods: 0 }];
  };
}

function overrideOf({ name, max, unit }: HeadroomConfig, { start }: Occasion): Action {
  const size = unit.kind === 'floor' ? { addNodes: max } : { atLeast: max };
  const request = { headroom: name, ...size, for: '1h', reason: 'flash sale', by: 'on-call' };
  const moment = { headroom: name, text: 'on-call sets an override' };
  return { kind: 'override', at: start - SALE_AFTER + OVERRIDE_AFTER, request, moment };
}

function alarmsOf({ name, alarms }: HeadroomConfig, { start }: Occasion): Action[] {
  return alarms.slice(0, 1).flatMap(({ name: alarm, alarmName }): Action[] => [
    {
      kind: 'alarm',
      at: start + MINUTE,
      alarmName,
      firing: true,
      moment: { headroom: name, text: `the alarm ${alarm} fires` },
    },
    { kind: 'alarm', at: start + 15 * MINUTE, alarmName, firing: false },
  ]);
}
