import { seedFor } from '../../simulator/deterministic/seeded-random';
import { FaultCounts } from './environment/fault-kinds';
import type { WayThrough } from './environment/strategy';
import { runScenario, type ScenarioResult } from './scenario';

export interface RunOptions {
  readonly seed: number;
  /** How many steps at least, unless something is found before. */
  readonly steps: number;
  /** @default the real code */
  readonly way?: WayThrough;
  readonly onScenario?: (done: { readonly steps: number; readonly scenarios: number }) => void;
}

export interface RunResult {
  readonly steps: number;
  readonly scenarios: number;
  readonly counts: FaultCounts;
  /** The scenario in which something was found; the run ends there. */
  readonly failed?: ScenarioResult;
}

/** Scenario after scenario, each with a seed of its own, until so many steps are done or something is found. */
export async function runScenarios({ seed, steps, way, onScenario }: RunOptions): Promise<RunResult> {
  const counts = new FaultCounts();
  let [done, scenarios] = [0, 0];
  while (done < steps) {
    const result = await runScenario({ seed: seedFor(seed, `scenario ${scenarios}`), ...(way && { way }) });
    done += result.steps;
    scenarios += 1;
    counts.addAll(result.counts);
    if (result.violations.length > 0) return { steps: done, scenarios, counts, failed: result };
    onScenario?.({ steps: done, scenarios });
  }
  return { steps: done, scenarios, counts };
}
