// Measures how fast the functions start and how fast the core decides; writes docs/benchmarks.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfigFiles } from '../../shared/adapters/files/config-files';
import { machineFacts, writeSection } from '../results';
import { breakdownRows } from './breakdown';
import { deployedVariants, FLOORS, floorVariants, naiveVariants, type Variant } from './bundles';
import { decisionTable } from './decisions';
import { type Measured, measureStarts } from './measure';
import { quietCluster } from './quiet-cluster';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
/** Where the clock of the measured processes stands still. */
const NOW = Date.parse('2026-11-16T00:00:00Z');
/** The targets, relative to the floors: of a start, and of a reconcile that runs to its end without a change. */
const [MAX_START, MAX_COMPLETE] = [1.12, 1.2];
/** What the parts of such a run are made of. */
const NOTES = [
  '- Node.js loads the built-in modules of a function from its own snapshot, but `import … from "node:fs"` also evaluates the parts that it would load on first use (streams, readline, Web Crypto). The bundles use `process.getBuiltinModule` instead (`infra/bundling/build-entry.ts`): 5 ms of CPU time less than with `import`. A second file at the start would take 2 ms.',
  '- V8 reads about 25 KB of our code in a millisecond, and compiles a function when it is first called. Most of the last part is this: the second run in the same process shows what the work itself takes. A code cache would avoid it, but it is only valid for one build of Node.js, and Lambda updates that by itself; `/tmp` is empty at a cold start. Reading our code also sets off a collection of the garbage that the start of Node.js leaves, about 1 ms; the floor has the same one in a task right after it is measured, which CPU time shows: there the starts are 1.03 to 1.09 times the floor.',
  '- Offsets of time zones come from the clock of the process (`shared/adapters/process/host-offset.ts`), for 0.2 ms a zone. `Intl.DateTimeFormat` takes 12 ms of CPU time at its first use, and is used only where that clock cannot tell: in zones that show UTC all year.',
  '- Making the first request is mostly Node.js: OpenSSL, sockets, the HTTP client. All connections share one TLS context, which saves 0.6 ms for each further one.',
  '- The two lists use two connections. A single one would save a handshake, but cost a round trip on every cold start.',
  '- The time does not include the end of the process, where Node.js 24 waits for a thread that parses its root certificates, which `node:tls` starts and the functions do not need. A function starts that thread 3 ms later than the floor, because its code is read first.',
  '- Tried without effect: writing the log with `writeSync`, one-shot hashes for the token.',
];
const loaded = loadConfigFiles('headroom.yaml');
if (!loaded.ok) throw new Error('headroom.yaml is not valid');
const { config } = loaded;

const root = mkdtempSync(join(tmpdir(), 'headstart-bench-'));
const quiet = await quietCluster(config, NOW);
try {
  const floors = floorVariants(root);
  const deployed = deployedVariants(root, config);
  const [bare, reconcile] = [named(floors, FLOORS.bare), named(deployed, 'reconcile')];
  const started = [...floors.filter((floor) => floor !== bare), ...naiveVariants(root), ...deployed];
  const complete = { ...reconcile, name: 'reconcile, complete run without a change' };
  const measured = await measureStarts(
    [
      ...started.map((variant) => ({ name: variant.name, file: starter(variant, 'load') })),
      ...[bare, complete].map((variant) => ({ name: variant.name, file: starter(variant, 'run'), env: quiet.env })),
    ],
    ROUNDS,
  );
  const parts = await breakdownRows({ floor: bare.folder, ours: reconcile.folder }, quiet.env, NOW, ROUNDS);
  const slowest = Math.max(...deployed.map(({ name }) => over(measured, name, FLOORS.https)));
  writeSection(
    'functions',
    [
      '## Cold start of the functions',
      '',
      `\`npm run bench\`, ${machineFacts()}, which is the version that the functions are deployed on; median of ${ROUNDS} process starts each, interleaved, until the handler is loaded, or the run complete. CPU time is that of all threads: a function of 512 MB gets 0.29 of a CPU. Ratios are to a floor, a process that does only what every solution must. "Read at start" is what a cold start loads; the rest (SDK clients) is loaded only on the path that needs it. Targets: every handler ≤ 400 KB and ≤ ${MAX_START}× a process that loads \`node:https\` (${verdict(slowest, MAX_START)}), a reconcile without a change ≤ ${MAX_COMPLETE}× a bare process that makes the same requests (${verdict(over(measured, complete.name, bare.name), MAX_COMPLETE)}).`,
      '',
      '| process | bundle | read at start | start | ratio | CPU time | ratio |',
      '|---|---|---|---|---|---|---|',
      ...started.map((variant) => row(measured, variant, FLOORS.https)),
      ...[bare, complete].map((variant) => row(measured, variant, bare.name)),
      '',
      'In the last row the process also signs its token, opens TLS connections to an API on loopback, reads two lists, decides for every NodePool, finds nothing to change and exits; the bare process above it (`bench/functions/bare-reconcile.mjs`) ends when it has the lists. This is what both add to an empty process, timed around the bundle (`bench/functions/timed-run.mjs`):',
      '',
      '| part | bare process | reconcile | above the floor | second run in the same process |',
      '|---|---|---|---|---|',
      ...parts,
      '',
      'What the parts are made of (the figures of this list were measured once, by hand):',
      '',
      ...NOTES,
    ].join('\n'),
  );
  writeSection('decisions', decisionTable());
} finally {
  quiet.close();
  rmSync(root, { recursive: true, force: true });
}

function named(variants: readonly Variant[], name: string): Variant {
  const found = variants.find((one) => one.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

/** A program that loads a bundle as Lambda would and, for `run`, hands it one heartbeat. */
function starter({ folder }: Variant, what: 'load' | 'run'): string {
  const file = join(folder, `${what}.mjs`);
  const heartbeat = { source: 'headstart.schedule', 'detail-type': 'Headstart Heartbeat', detail: {} };
  // The clock stands still where the quiet cluster was made.
  const still = `Date.now = () => ${NOW};`;
  const call = `${still} await handler(${JSON.stringify(heartbeat)});`;
  const report = "process.getBuiltinModule('node:fs').writeSync(2, JSON.stringify(process.cpuUsage()));";
  writeFileSync(
    file,
    `import { handler } from './index.mjs';\n${what === 'run' ? call : 'handler;'}\n${report}\nprocess.exit(0);\n`,
  );
  return file;
}

function row(measured: readonly Measured[], { name, bytes, bytesAtStart }: Variant, floor: string): string {
  const [ours, least] = [timesOf(measured, name), timesOf(measured, floor)];
  const cells = [
    name,
    ...[bytes, bytesAtStart].map((size) => `${(size / 1_000).toFixed(1)} KB`),
    ...[ours.wallMs, ours.cpuMs].flatMap((millis, index) => [
      `${millis.toFixed(1)} ms`,
      `${(millis / (index === 0 ? least.wallMs : least.cpuMs)).toFixed(2)}×`,
    ]),
  ];
  return `| ${cells.join(' | ')} |`;
}

function over(measured: readonly Measured[], name: string, floor: string): number {
  return timesOf(measured, name).wallMs / timesOf(measured, floor).wallMs;
}

function timesOf(measured: readonly Measured[], wanted: string): Measured {
  return measured.find(({ name }) => name === wanted) ?? { name: wanted, wallMs: Number.NaN, cpuMs: Number.NaN };
}

function verdict(ratio: number, target: number): string {
  return `${ratio <= target ? 'met' : 'missed'}: ${ratio.toFixed(2)}×`;
}
