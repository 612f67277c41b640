// Mutation tests: changes the core in small ways, one at a time, and counts the changes that no test notices.
// `npm run mutate` runs all groups, `npm run mutate -- decide record` some of them.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

const CORE = 'shared/core';
const TESTS = 'test/shared/core';

/** What is changed, and the small, fast selection of tests that has to notice: files, or all of a folder. */
const GROUPS = {
  decide: {
    mutate: [`${CORE}/decision/decide.ts`, `${CORE}/decision/next-decision.ts`],
    tests: ['decision/decide.test.ts', 'decision/floor.test.ts', 'decision/next-decision.test.ts'],
  },
  record: {
    mutate: [`${CORE}/record/*.ts`],
    tests: [
      'record/',
      'config/check/record-size.test.ts',
      ...['floors', 'lead-times', 'ready-by'].map((name) => `handle/${name}.test.ts`),
    ],
  },
  windows: {
    mutate: [`${CORE}/windows/*.ts`, `!${CORE}/windows/aws-cron*.ts`],
    tests: [
      'cron',
      'is-open',
      'window',
      'zone',
      'cron-times',
      'clock-change',
      'edges',
      'closing',
      'highest-window',
    ].map((name) => `windows/${name}.test.ts`),
  },
  'aws-cron': {
    mutate: [`${CORE}/windows/aws-cron*.ts`],
    tests: ['windows/aws-cron.test.ts', 'windows/aws-cron-days.test.ts'],
  },
  reconcile: {
    mutate: [
      `${CORE}/{process-event,outcome,respond}.ts`,
      `${CORE}/apply/*.ts`,
      `${CORE}/intents/*.ts`,
      `${CORE}/observe/*.ts`,
    ],
    tests: ['./', 'apply/', 'handle/', 'intents/', 'observe/'],
  },
  config: {
    mutate: [`${CORE}/config/**/*.ts`],
    tests: [
      ...['said', 'load', 'load-live', 'load-problems', 'overlays'].map((name) => `config/read/${name}.test.ts`),
      ...['config/schema/', 'config/check/', 'config/'],
    ],
  },
  karpenter: { mutate: [`${CORE}/karpenter/*.ts`], tests: ['karpenter/', 'observe/'] },
  manifests: { mutate: [`${CORE}/manifests/*.ts`], tests: ['manifests/', 'apply/'] },
  live: {
    mutate: [`${CORE}/live/*.ts`],
    tests: ['live/live-text.test.ts', 'live/effective-pool.test.ts', 'handle/live-schedules.test.ts'],
  },
  basics: { mutate: [`${CORE}/basics/*.ts`], tests: ['basics/', '../../scripts/reasons.test.ts'] },
  schedules: { mutate: [`${CORE}/schedules/schedules.ts`], tests: ['schedules/'] },
};

/** While tests are written: some files of one group, or some of their lines (`closing.ts:49-49`), with commas between. */
const ONLY = process.env.MUTATE_ONLY?.split(',').map((file) => `${CORE}/${file}`);
const LEAST_SCORE = 90;
/** A changed loop may never end: what takes this much longer than the tests of the unchanged code counts as noticed. */
const TIMEOUT_MS = Number(process.env.MUTATE_TIMEOUT_MS ?? 20_000);

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
process.env.TZ = 'UTC';
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(GROUPS, name));
if (unknown.length > 0) {
  console.error(`no group ${unknown.join(', ')}; there are ${Object.keys(GROUPS).join(', ')}`);
  process.exit(2);
}

const rows = [];
for (const name of asked.length > 0 ? asked : Object.keys(GROUPS)) rows.push(await runGroup(name, GROUPS[name]));
console.log('\n| group | mutants | killed | timed out | survived | score |\n|---|---|---|---|---|---|');
for (const { name, total, killed, timedOut, survived, score } of rows)
  console.log(`| ${name} | ${total} | ${killed} | ${timedOut} | ${survived} | ${score.toFixed(1)} % |`);
process.exitCode = rows.every(({ score }) => score >= LEAST_SCORE) ? 0 : 1;

async function runGroup(name, { mutate, tests }) {
  process.env.MUTATE_TESTS = JSON.stringify(tests.flatMap(testFiles));
  const results = await new Stryker({
    mutate: ONLY ?? mutate,
    testRunner: 'circus',
    plugins: [fileURLToPath(new URL('mutation-runner.mjs', import.meta.url))],
    coverageAnalysis: 'perTest',
    concurrency: Number(process.env.MUTATE_CONCURRENCY ?? 1),
    timeoutMS: TIMEOUT_MS,
    reporters: ['progress-append-only'],
    logLevel: 'warn',
    tempDirName: join(tmpdir(), 'headstart-mutation', name),
    ignorePatterns: ['console', 'docs/images', 'cdk.out', 'dist', 'coverage'],
  }).runMutationTest();

  const [killed, timedOut] = ['Killed', 'Timeout'].map((wanted) => results.filter(({ status }) => status === wanted));
  const left = results.filter((mutant) => !killed.includes(mutant) && !timedOut.includes(mutant));
  // A timeout counts as noticed, but on a busy machine it may only have been slow: these are listed too.
  for (const mutant of [...left, ...timedOut]) console.log(described(mutant));
  const noticed = killed.length + timedOut.length;
  const [total, survived] = [results.length, left.length];
  return { name, total, killed: killed.length, timedOut: timedOut.length, survived, score: (100 * noticed) / total };
}

function described({ fileName, location: { start, end }, replacement, status }) {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const text = [...lines.slice(0, -1), lines.at(-1).slice(0, end.column - 1)].join('\n').slice(start.column - 1);
  return `${status} ${relative('.', fileName)}:${start.line}:${start.column} ${short(text)} -> ${short(replacement)}`;
}

function short(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

function testFiles(path) {
  if (!path.endsWith('/')) return [`${TESTS}/${path}`];
  const files = readdirSync(`${TESTS}/${path}`).filter((file) => file.endsWith('.test.ts'));
  return files.map((file) => `${TESTS}/${path}${file}`);
}
