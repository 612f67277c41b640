import { seededRandom, seedFor } from '../deterministic/seeded-random';
import { type Curve, demandActions, firstEdge, inOrder, occasionsOf } from './demand-curve';
import { describePeaks } from './describe-peaks';
import type { Scenario } from './scenario';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** An autoscaler adds pods in steps while the orders grow. */
const RAMP = [0.15, 0.3, 0.5, 0.7, 0.85, 1];
const STEP_MS = 25 * SECOND;

/** A peak that comes every day at the same time and grows within minutes. */
export const lunchPeak: Scenario = {
  id: 'lunch',
  title: 'Lunch peak',
  story: (config) =>
    `Orders grow as every window opens: within two and a half minutes as many pods come as the window asks headroom for, a second, smaller wave follows half way through, and towards the end they leave again. ${describePeaks(config)} Each pod asks for exactly one unit. Watch the nodes start during the lead time, the pods take the places of the pause pods at once, and the displaced pause pods buy the next nodes.`,
  startsAt: (config, after) => Math.max(after, (firstEdge(config, after) ?? after) - 3 * MINUTE),
  actions: ({ config, seed }, from, to) =>
    inOrder(
      config.nodePools.flatMap((pool) =>
        demandActions(pool, occasionsOf(pool, from, to), lunchCurve(seed, pool.name), { from, to }),
      ),
    ),
};

/** Up in steps as the window opens, a quarter more half way, down again towards the end. */
export function lunchCurve(seed: number, pool: string): Curve {
  return ({ name, start, end, replicas }) => {
    const random = seededRandom(seedFor(seed, `${pool} ${name} ${start}`));
    const length = end - start;
    const ramp = RAMP.map((share, step) => ({
      at: start + step * STEP_MS + Math.floor(random() * 10 * SECOND),
      pods: Math.ceil(replicas * share),
    }));
    const more = Math.max(1, Math.floor(replicas / 4));
    return [
      ...ramp,
      { at: start + Math.floor(length * 0.5), pods: replicas + more },
      { at: start + Math.floor(length * 0.65), pods: replicas },
      { at: start + Math.floor(length * 0.85), pods: Math.ceil(replicas / 2) },
      { at: end, pods: 0 },
    ].filter(({ at }, index) => index < RAMP.length || at > start + RAMP.length * STEP_MS);
  };
}
