// npm run faults -- --steps 1000000 --seed 7 runs many scenarios; --replay SEED prints the trace of one of them, or with
// --page FILE.html writes it as a page.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FAULT_KINDS } from './environment/fault-kinds';
import { replay, replayPage, timeOfDay } from './replay-page';
import { runScenarios } from './run-scenarios';
import { runScenario } from './scenario';

/** A run of this length that never had some kind of fault is not the test it should be. */
const ENOUGH_FOR_ALL_KINDS = 15_000;

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    replay: { type: 'string' },
    page: { type: 'string' },
  },
});

if (values.page !== undefined) {
  if (values.replay === undefined) throw new Error('--page shows one seed; add --replay SEED');
  const replayed = await replay({ seed: Number(values.replay) });
  writeFileSync(values.page, replayPage(replayed));
  report(replayed.result.violations, replayed.result.steps);
  console.log(`wrote ${values.page}`);
} else if (values.replay !== undefined) {
  const { violations, steps } = await runScenario({
    seed: Number(values.replay),
    onTrace: ({ at, step, text }) => console.log(`${timeOfDay(at)} ${step} ${text}`),
  });
  report(violations, steps);
} else {
  const begun = Date.now();
  const { counts, steps, scenarios, failed } = await runScenarios({
    seed: Number(values.seed),
    steps: Number(values.steps),
  });
  const perSecond = Math.round((steps * 1_000) / (Date.now() - begun));
  for (const [kind, count] of counts.entries()) console.log(`${String(count).padStart(9)}  ${kind}`);
  console.log(`${steps} steps in ${scenarios} scenarios, ${perSecond} steps/s`);
  const unseen = FAULT_KINDS.filter((kind) => counts.of(kind) === 0);
  if (!failed && steps >= ENOUGH_FOR_ALL_KINDS && unseen.length > 0) {
    console.log(`NEVER HAPPENED: ${unseen.join(', ')}`);
    process.exitCode = 1;
  }
  if (failed) {
    report(failed.violations, failed.steps);
    console.log(`replay it:   npm run faults -- --replay ${failed.seed}`);
    console.log(`as a page:   npm run faults -- --replay ${failed.seed} --page faults-${failed.seed}.html`);
  }
}

function report(violations: readonly string[], steps: number): void {
  for (const what of violations) console.log(`VIOLATED after ${steps} steps: ${what}`);
  if (violations.length > 0) process.exitCode = 1;
}
