// Simulates faults: npm run faults -- --steps 1000000 --seed 7, or --replay <seed> for one scenario, told step by step.
import { parseArgs } from 'node:util';
import { runScenarios } from './run-scenarios';
import { runScenario } from './scenario';

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    replay: { type: 'string' },
  },
});

if (values.replay !== undefined) {
  const result = await runScenario({ seed: Number(values.replay), trace: (line) => console.log(line) });
  report(result.violations, result.steps);
} else {
  const begun = Date.now();
  const result = await runScenarios({ seed: Number(values.seed), steps: Number(values.steps) });
  const perSecond = Math.round((result.steps * 1_000) / (Date.now() - begun));
  for (const [kind, count] of result.counts.entries()) console.log(`${String(count).padStart(9)}  ${kind}`);
  console.log(`${result.steps} steps in ${result.scenarios} scenarios, ${perSecond} steps/s`);
  if (result.failed) {
    report(result.failed.violations, result.failed.steps);
    console.log(`replay it: npm run faults -- --replay ${result.failed.seed}`);
  }
}

function report(violations: readonly string[], steps: number): void {
  for (const what of violations) console.log(`VIOLATED after ${steps} steps: ${what}`);
  if (violations.length > 0) process.exitCode = 1;
}
