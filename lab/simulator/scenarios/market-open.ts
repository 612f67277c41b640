import type { HeadroomConfig } from '../../../shared/core/config/config';
import { seededRandom, seedFor } from '../deterministic/seeded-random';
import { beforeFirstEdge, type Curve, windowPeaks } from './demand-curve';
import { describePeaks, podsStart, podText } from './describe-peaks';
import type { Scenario } from './scenario';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** All pods start within seconds of the opening, and again before the close. */
export const marketOpen: Scenario = {
  id: 'market',
  title: 'Market open',
  comparesStrategies: true,
  description: (config) =>
    `All pods that a window plans for start within seconds of its start. Two fifths of them stop after ten minutes and are back shortly before the close. ${describePeaks(config)} ${podText(config)} Watch the nodes become ready before the start.`,
  startsAt: (config, after) => beforeFirstEdge(config, after, 'market'),
  actions: windowPeaks(marketCurve),
};

function marketCurve(seed: number, pool: HeadroomConfig): Curve {
  return ({ name, start, end, replicas }) => {
    const random = seededRandom(seedFor(seed, `${pool.name} ${name} ${start}`));
    const soon = () => Math.floor(random() * 3 * SECOND);
    const quiet = Math.max(1, Math.ceil(replicas * 0.6));
    const length = end - start;
    const opening = [
      { at: start + soon(), pods: Math.ceil(replicas / 2), says: `${name}: ${podsStart(replicas)} at once` },
      { at: start + 5 * SECOND + soon(), pods: replicas },
    ];
    const day = [
      { at: start + Math.min(10 * MINUTE, Math.floor(length * 0.3)), pods: quiet, says: `${name}: two fifths stop` },
      { at: end - Math.min(10 * MINUTE, Math.floor(length * 0.3)), pods: replicas, says: `${name}: they are back` },
    ];
    return [...opening, ...day, { at: end, pods: 0 }];
  };
}
