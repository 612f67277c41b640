import { seedFor } from '../../lab/simulator/deterministic/seeded-random';
import { FaultCounts } from './environment/fault-kinds';
import type { HandlingStrategy } from './environment/strategy';
import { runScenario, type ScenarioResult } from './scenario';

export interface RunOptions {
  readonly seed: number;
  /** The minimum number of steps, unless an invariant is violated before. */
  readonly steps: number;
  /** @default the real code */
  readonly strategy?: HandlingStrategy;
  /** Every how manieth scenario, and from which on, if several processes share a run. @default all */
  readonly part?: { readonly first: number; readonly of: number };
}

export interface RunResult {
  readonly steps: number;
  readonly scenarios: number;
  readonly counts: FaultCounts;
  /** The scenario that violated an invariant; the run ends there. */
  readonly failed?: ScenarioResult;
}

/** Runs scenarios, each with its own seed, until `steps` are done or an invariant is violated. */
export async function runScenarios({ seed, steps, strategy, part }: RunOptions): Promise<RunResult> {
  const { first, of } = part ?? { first: 0, of: 1 };
  const counts = new FaultCounts();
  let [done, scenarios] = [0, 0];
  while (done < steps) {
    const number = first + scenarios * of;
    const result = await runScenario({ seed: seedFor(seed, `scenario ${number}`), ...(strategy && { strategy }) });
    done += result.steps;
    scenarios += 1;
    counts.addAll(result.counts);
    if (result.violations.length > 0) return { steps: done, scenarios, counts, failed: result };
  }
  return { steps: done, scenarios, counts };
}
