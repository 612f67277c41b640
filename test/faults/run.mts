// npm run faults -- --steps 1000000 --seed 7 runs many scenarios, in as many processes as there are cores (or --workers N);
// --replay SEED prints the trace of one of them, or with --page FILE.html writes it as a page.
import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULT_KINDS, FaultCounts } from './environment/fault-kinds';
import { replay, replayPage, timeOfDay } from './replay-page';
import { type RunResult, runScenarios } from './run-scenarios';
import { runScenario } from './scenario';

/** A run of this length that never had some kind of fault is not the test it should be. */
const ENOUGH_FOR_ALL_KINDS = 15_000;

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    replay: { type: 'string' },
    page: { type: 'string' },
    workers: { type: 'string', default: `${availableParallelism()}` },
    part: { type: 'string' },
  },
});

const [seed, wanted] = [Number(values.seed), Number(values.steps)];
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
} else if (values.part !== undefined) {
  const [first = 0, of = 1] = values.part.split('/').map(Number);
  const { counts, ...rest } = await runScenarios({ seed, steps: wanted, part: { first, of } });
  process.send?.({ ...rest, counts: counts.entries() });
} else {
  const begun = Date.now();
  const workers = Number(values.workers);
  const { counts, steps, scenarios, failed } = await (workers > 1
    ? inProcesses(workers)
    : runScenarios({ seed, steps: wanted }));
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

/** Shares the scenarios among processes; the first violation ends all of them. */
async function inProcesses(workers: number): Promise<RunResult> {
  const children: ChildProcess[] = [];
  const parts = Array.from({ length: workers }, (_, first) => {
    const args = ['--seed', `${seed}`, '--steps', `${Math.ceil(wanted / workers)}`, '--part', `${first}/${workers}`];
    const child = fork(fileURLToPath(import.meta.url), args);
    children.push(child);
    return new Promise<Part | undefined>((resolve, reject) => {
      child.on('message', (part: Part) => {
        if (part.failed) for (const other of children) if (other !== child) other.kill();
        resolve(part);
      });
      child.on('exit', (code) => (code ? reject(new Error(`a process ended with ${code}`)) : resolve(undefined)));
    });
  });
  const done = (await Promise.all(parts)).filter((part) => part !== undefined);
  const counts = new FaultCounts();
  for (const part of done) for (const [kind, count] of part.counts) counts.add(kind, count);
  const failed = done.find((part) => part.failed)?.failed;
  const sum = (of: 'steps' | 'scenarios') => done.reduce((total, part) => total + part[of], 0);
  return { counts, steps: sum('steps'), scenarios: sum('scenarios'), ...(failed && { failed }) };
}

interface Part extends Omit<RunResult, 'counts'> {
  readonly counts: ReturnType<FaultCounts['entries']>;
}

function report(violations: readonly string[], steps: number): void {
  for (const what of violations) console.log(`VIOLATED after ${steps} steps: ${what}`);
  if (violations.length > 0) process.exitCode = 1;
}
