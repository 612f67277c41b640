// Measures how fast the functions start and how fast the core decides; writes docs/benchmarks.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfigFiles } from '../../shared/adapters/files/config-files';
import { breakdownRows } from './breakdown';
import { comparedVariants, deployedVariants, type Variant } from './bundles';
import { decisionTable } from './decisions';
import { measureStarts } from './measure';
import { quietCluster } from './quiet-cluster';
import { machineFacts, writeSection } from './report';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
/** Where the clock of the measured processes stands still. */
const NOW = Date.parse('2026-11-16T00:00:00Z');
/** The target for a reconcile that runs to its end without a change, relative to an empty handler. */
const MAX_COMPLETE = 1.5;
/** What the parts of such a run are made of. */
const NOTES = [
  '- Offsets of time zones come from the clock of the process (`shared/adapters/process/host-offset.ts`), for 0.2 ms a zone. `Intl.DateTimeFormat` is used only where that clock shows UTC, as London does in winter: its first use takes 23 ms, whatever the locale and the options.',
  '- Making the first request is mostly Node.js: OpenSSL, sockets, the HTTP client. The token takes 2 ms. All connections share one TLS context, which saves 0.6 ms for each further one.',
  '- The two lists use two connections. A single one would save a handshake, but cost a round trip on every cold start.',
  '- 9 KB more or less of our code cannot be told from noise. A function still loads only what its trigger needs: reading orders, `status` and the search for the next change are in `inflate` alone; the AWS clients and what is around them are loaded on demand.',
];
const loaded = loadConfigFiles('headroom.yaml');
if (!loaded.ok) throw new Error('headroom.yaml is not valid');
const { config } = loaded;

const root = mkdtempSync(join(tmpdir(), 'headstart-bench-'));
const quiet = await quietCluster(config, NOW);
try {
  const variants = [...comparedVariants(root), ...deployedVariants(root, config)];
  const load = variants.map((variant) => ({ name: variant.name, file: starter(variant, 'load') }));
  const reconcile = variants.find(({ name }) => name === 'reconcile');
  if (!reconcile) throw new Error('no reconcile bundle');
  const run = { name: 'reconcile, complete run without a change', file: starter(reconcile, 'run'), env: quiet.env };
  const measured = await measureStarts([...load, run], ROUNDS);
  const rows = measured.map(({ name, medianMs, ratio }) => {
    const variant = variants.find((one) => one.name === name) ?? reconcile;
    return `| ${name} | ${kb(variant.bytes)} | ${kb(variant.bytesAtStart)} | ${medianMs.toFixed(1)} ms | ${ratio.toFixed(2)}× |`;
  });
  const complete = measured.at(-1)?.ratio ?? Number.NaN;
  const parts = await breakdownRows(reconcile.folder, quiet.env, NOW, ROUNDS);
  writeSection(
    'functions',
    [
      '## Cold start of the functions',
      '',
      `\`npm run bench\`, ${machineFacts()}; median of ${ROUNDS} process starts each, interleaved. The ratio is relative to an empty handler. "Read at start" is what a cold start loads; the rest (SDK clients) is loaded only on the path that needs it. Targets: every handler ≤ 400 KB and ≤ 2.0×, a reconcile without a change ≤ ${MAX_COMPLETE}×.`,
      '',
      '| process | bundle | read at start | start | ratio |',
      '|---|---|---|---|---|',
      ...rows,
      '',
      `In the last row the process also signs its token, opens TLS connections to an API on loopback, reads two lists, decides for every NodePool, finds nothing to change and exits. It ${complete <= MAX_COMPLETE ? 'meets' : 'misses'} its target. This is what it adds to an empty process, timed around the bundle (\`scripts/bench/timed-run.mjs\`, median of ${ROUNDS} runs):`,
      '',
      '| part | time | share |',
      '|---|---|---|',
      ...parts,
      '',
      'What the parts are made of (the figures of this list were measured once, by hand, at a quiet moment):',
      '',
      ...NOTES,
    ].join('\n'),
  );
  writeSection('decisions', decisionTable());
} finally {
  quiet.close();
  rmSync(root, { recursive: true, force: true });
}

/** A program that loads a bundle as Lambda would and, for `run`, hands it one heartbeat. */
function starter({ folder }: Variant, what: 'load' | 'run'): string {
  const file = join(folder, `${what}.mjs`);
  const heartbeat = { source: 'headstart.schedule', 'detail-type': 'Headstart Heartbeat', detail: {} };
  // The clock stands still where the quiet cluster was made.
  const still = `Date.now = () => ${NOW};`;
  const call = `${still} await handler(${JSON.stringify(heartbeat)});`;
  writeFileSync(
    file,
    `import { handler } from './index.mjs';\n${what === 'run' ? call : 'handler;'}\nprocess.exit(0);\n`,
  );
  return file;
}

function kb(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} KB`;
}
