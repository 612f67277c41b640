import type { HeadroomConfig } from '../../../shared/core/config/config';
import { seededRandom, seedFor } from '../deterministic/seeded-random';
import { beforeFirstEdge, type Curve, type CurveStep, windowPeaks } from './demand-curve';
import { describePeaks, hasFloors, podsStart, podText } from './describe-peaks';
import type { Scenario } from './scenario';

const SECOND = 1_000;
/** An autoscaler adds pods in steps while demand grows. */
const RAMP = [0.15, 0.3, 0.5, 0.7, 0.85, 1];
const STEP_MS = 25 * SECOND;

export const lunchPeak: Scenario = {
  id: 'lunch',
  title: 'Lunch peak',
  comparesStrategies: true,
  description: (config) =>
    `Load grows as each window opens: within two and a half minutes as many pods start as the window plans for. A second, smaller wave follows half-way through, and the pods stop towards the end. ${describePeaks(config)} ${podText(config)} Watch nodes start during the lead time${hasFloors(config) ? ' and pods fill the nodes of a floor, which are paid once; room is refilled' : ', pods preempt the pause pods at once, and Karpenter launch nodes for the displaced pause pods'}.`,
  startsAt: (config, after) => beforeFirstEdge(config, after, 'lunch'),
  actions: windowPeaks(lunchCurve),
};

/**
 * Grows in steps as the window opens, by another quarter halfway, and shrinks towards the end. Room is refilled, so it is
 * planned for the first wave alone; a floor is not, and is planned for both.
 */
export function lunchCurve(seed: number, pool: Pick<HeadroomConfig, 'name' | 'unit'>): Curve {
  return ({ name, start, end, replicas }) => {
    const random = seededRandom(seedFor(seed, `${pool.name} ${name} ${start}`));
    const length = end - start;
    const more = (share: number) => Math.max(1, Math.floor(replicas * share));
    const [first, second] =
      pool.unit.kind === 'floor' ? [Math.max(1, replicas - more(0.2)), replicas] : [replicas, replicas + more(0.25)];
    const says: Readonly<Record<number, string>> = {
      0: `${name}: ${podsStart(first)}`,
      [RAMP.findIndex((share) => Math.ceil(first * share) === first) || RAMP.length]: `${name}: all of them are there`,
    };
    const ramp = RAMP.map(
      (share, step): CurveStep => ({
        at: start + step * STEP_MS + Math.floor(random() * 10 * SECOND),
        pods: Math.ceil(first * share),
        ...(says[step] && { says: says[step] }),
      }),
    );
    return [
      ...ramp,
      { at: start + Math.floor(length * 0.5), pods: second, says: `${name}: a second wave of ${second - first}` },
      { at: start + Math.floor(length * 0.65), pods: first },
      { at: start + Math.floor(length * 0.85), pods: Math.ceil(first / 2), says: `${name}: half of the pods stop` },
      { at: end, pods: 0 },
    ].filter(({ at }, index) => index < RAMP.length || at > start + RAMP.length * STEP_MS);
  };
}
