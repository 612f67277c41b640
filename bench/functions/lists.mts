// Measures what a large cluster costs the interruption function in memory and time; writes docs/benchmarks.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfigFiles } from '../../shared/adapters/files/config-files';
import { EVENT_QUEUE } from '../../shared/core/events/delivery-limits';
import { machineFacts, writeSection } from '../results';
import { bundleInterruption, invoke } from './invoke-interruption';
import { type LargeClusterOptions, largeCluster } from './large-cluster';

const BYTES_EACH = 6_000;
const SLOW_LINE = { bytesPerSecond: 40e6 / 8 };
const CASES: readonly { readonly line: string; readonly options: Omit<LargeClusterOptions, 'bytesEach'> }[] = [
  { line: 'loopback', options: { nodeClaims: 0 } },
  { line: 'loopback', options: { nodeClaims: 5_000 } },
  { line: 'loopback', options: { nodeClaims: 15_000 } },
  { line: '40 Mbit/s', options: { nodeClaims: 5_000, ...SLOW_LINE } },
];

const loaded = loadConfigFiles('headroom.yaml');
if (!loaded.ok) throw new Error('headroom.yaml is not valid');
// Without alarms: only the lists are of interest here.
const config = { ...loaded.config, headrooms: loaded.config.headrooms.map((pool) => ({ ...pool, alarms: [] })) };
const folder = mkdtempSync(join(tmpdir(), 'headstart-lists-'));
try {
  bundleInterruption(folder, config);
  const rows: string[] = [];
  for (const { line, options } of CASES) {
    const cluster = await largeCluster({ ...options, bytesEach: BYTES_EACH });
    const { failed, milliseconds, maxRssMb } = await invoke(folder, cluster.env).finally(cluster.close);
    const outcome = failed === 0 ? 'handled' : 'failed';
    rows.push(
      `| ${options.nodeClaims.toLocaleString('en')} | ${line} | ${cluster.lists()} | ${(milliseconds / 1_000).toFixed(1)} s | ${maxRssMb.toFixed(0)} MB | ${outcome} |`,
    );
  }
  writeSection(
    'lists',
    [
      '## Large clusters',
      '',
      `\`npm run bench -- lists\`, ${machineFacts()}. The bundled interruption function handles one spot notice of a foreign instance, which reads all NodeClaims, ${BYTES_EACH / 1_000} KB each, from an API over TLS on loopback. It runs under the deployed limit of ${EVENT_QUEUE.functionTimeoutSeconds} s. The peak of resident memory includes Node.js itself (first row). Targets: 15,000 NodeClaims below 200 MB; 5,000 over a line of 40 Mbit/s handled.`,
      '',
      '| NodeClaims | line | requests for them | time | peak memory | notice |',
      '|---|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
