// Measures how fast the functions start and how fast the core decides; writes docs/benchmarks.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfigFiles } from '../../shared/adapters/config-files';
import { comparedVariants, deployedVariants, type Variant } from './bundles';
import { decisionTable } from './decisions';
import { measureStarts } from './measure';
import { quietCluster } from './quiet-cluster';
import { machineFacts, writeSection } from './report';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
const loaded = loadConfigFiles('headroom.yaml');
if (!loaded.ok) throw new Error('headroom.yaml is not valid');
const { config } = loaded;

const root = mkdtempSync(join(tmpdir(), 'headstart-bench-'));
const quiet = await quietCluster(config, Date.parse('2026-11-16T00:00:00Z'));
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
  writeSection(
    'functions',
    [
      '## Cold start of the functions',
      '',
      `\`npm run bench\`, ${machineFacts()}; median of ${ROUNDS} process starts each, interleaved. The ratio is relative to an empty handler. "Read at start" is what a cold start loads; the rest (SDK clients) is loaded only on the path that needs it. Targets: every handler ≤ 400 KB and ≤ 2.0×, a reconcile without a change ≤ 1.5×.`,
      '',
      '| process | bundle | read at start | start | ratio |',
      '|---|---|---|---|---|',
      ...rows,
      '',
      'In the last row the process also signs its token, opens a TLS connection to an API on loopback, reads two lists, decides for every NodePool, finds nothing to change and exits. It misses its target. A rough profile on a busy machine shows the first use of `Intl` for time zones as the largest part beyond loading; the rest was not profiled.',
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
  const still = `Date.now = () => ${Date.parse('2026-11-16T00:00:00Z')};`;
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
