import { seedFor } from '../../simulator/deterministic/seeded-random';
import { FaultCounts } from './environment/fault-kinds';
import type { HandlingStrategy } from './environment/strategy';
import { runScenario, type ScenarioResult } from './scenario';

export interface RunOptions {
  readonly seed: number;
  /** The minimum number of steps, unless an invariant is violated before. */
  readonly steps: number;
  /** @default the real code */
  readonly strategy?: HandlingStrategy;
}

export interface RunResult {
  readonly steps: number;
  readonly scenarios: number;
  readonly counts: FaultCounts;
  /** The scenario that violated an invariant; the run ends there. */
  readonly failed?: ScenarioResult;
}

/** Runs scenarios, each with its own seed, until `steps` are done or an invariant is violated. */
export async function runScenarios({ seed, steps, strategy }: RunOptions): Promise<RunResult> {
  const counts = new FaultCounts();
  let [done, scenarios] = [0, 0];
  while (done < steps) {
    const result = await runScenario({ seed: seedFor(seed, `scenario ${scenarios}`), ...(strategy && { strategy }) });
    done += result.steps;
    scenarios += 1;
    counts.addAll(result.counts);
    if (result.violations.length > 0) return { steps: done, scenarios, counts, failed: result };
  }
  return { steps: done, scenarios, counts };
}
