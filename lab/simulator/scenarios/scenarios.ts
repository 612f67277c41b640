import { flashSale } from './flash-sale';
import { lunchPeak } from './lunch-peak';
import { marketOpen } from './market-open';
import type { Scenario } from './scenario';
import { spotStorm } from './spot-storm';

/** Every scenario; a new one only has to be added here. */
export const SCENARIOS: readonly Scenario[] = [lunchPeak, marketOpen, spotStorm, flashSale];

export function scenarioOf(id: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.id === id);
  if (!found)
    throw new Error(
      `scenario ${JSON.stringify(id)} is unknown; write one of ${SCENARIOS.map((scenario) => scenario.id).join(', ')}`,
    );
  return found;
}
