// npm run mutants -- --seed 7 --count 60 draws changes from StrykerJS' list for the core, the adapters and the functions,
// plants them one by one, and says which of them jest and the fault simulation notice.
// --only shared/core/record,shared/core/live draws there only, --on-way only on an event's way; --suite jest or --suite faults
// runs one of the two. --workers 1 leaves a core to others. Quicker, with less than all tests: --tests test/shared,test/lambdas
// runs these only, --nearest 12 the dozen nearest test files of each. What they kill is killed; a survivor may be killed by the others.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawMutants, type Mutant } from './draw.mjs';
import { isOnEventWay } from './event-way';
import { bundleFaults, faultKillerOf } from './fault-kills.mjs';
import { JestRunner, reachedByTests } from './jest-kills.mjs';
import { newSandbox } from './sandbox';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    steps: { type: 'string', default: '20000' },
    only: { type: 'string', default: '' },
    'on-way': { type: 'boolean', default: false },
    suite: { type: 'string', default: 'both' },
    workers: { type: 'string', default: `${availableParallelism()}` },
    nearest: { type: 'string', default: 'Infinity' },
    tests: { type: 'string', default: '' },
  },
});

type Killer = (mutant: Mutant) => Promise<string | undefined>;

const sandbox = newSandbox();
const [seed, count] = [Number(values.seed), Number(values.count)];
const [workers, nearest] = [Number(values.workers), Number(values.nearest)];
const isDrawn = (file: string) =>
  values.only.split(',').some((start) => file.startsWith(start)) && (!values['on-way'] || isOnEventWay(file));
const { mutants, listed } = await drawMutants({ seed, count, isDrawn }, (file, content) =>
  writeFileSync(join(sandbox, file), content),
);
console.log(`${mutants.length} of ${listed} mutants, seed ${seed}`);
if (values.suite !== 'faults') await jestTable();
if (values.suite !== 'jest') await faultTable();
process.exit();

async function jestTable(): Promise<void> {
  const reached = await reachedByTests(sandbox, { workers, tests: values.tests.split(',').filter(Boolean) });
  const runners = Array.from({ length: workers }, () => new JestRunner(sandbox, nearest));
  const idle = [...runners];
  await table('jest', mutants, async (mutant) => {
    const runner = idle.pop() ?? new JestRunner(sandbox, nearest);
    const killer = await runner.killerOf(mutant, reached);
    idle.push(runner);
    return killer;
  });
  for (const runner of runners) runner.end();
}

async function faultTable(): Promise<void> {
  const steps = Number(values.steps);
  const program = await bundleFaults(sandbox);
  await table(
    `the fault simulation (${steps} steps)`,
    mutants.filter(({ file }) => isOnEventWay(file)),
    (mutant) => faultKillerOf(program, mutant, steps),
  );
}

/** A row for each mutant, as soon as it is known, and the score. */
async function table(name: string, drawn: readonly Mutant[], killerOf: Killer): Promise<void> {
  console.log(`\n### Killed by ${name}\n`);
  console.log('| id | where | mutator | change | killed by |\n|---|---|---|---|---|');
  const waiting = [...drawn];
  const all = { killed: 0, 'timed out': 0, survived: 0 };
  const work = async () => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const killer = await killerOf(mutant);
      // An endless loop, or a busy machine: not to be taken for noticed without a look.
      all[killer === undefined ? 'survived' : killer === 'time-out' ? 'timed out' : 'killed'] += 1;
      const { id, file, line, mutator, before, replacement } = mutant;
      const change = `\`${cell(before, 60)}\` → \`${cell(replacement, 60)}\``;
      const by = killer === undefined ? '**survived**' : cell(killer, 110);
      console.log(`| ${id} | ${file}:${line} | ${mutator} | ${change} | ${by} |`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  const share = drawn.length === 0 ? 100 : (100 * all.killed) / drawn.length;
  const counts = Object.entries(all).map(([what, count]) => `${count} ${what}`);
  console.log(`\n${name}: ${counts.join(', ')} of ${drawn.length}; ${share.toFixed(1)} % killed`);
}

function cell(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'");
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
