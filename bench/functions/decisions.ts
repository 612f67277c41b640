import type { Config } from '../../shared/core/config/config';
import { loadConfig } from '../../shared/core/config/read/load';
import { decide } from '../../shared/core/decision/decide';
import { nextDecision } from '../../shared/core/decision/next-decision';
import { EMPTY_RECORD } from '../../shared/core/record/record';
import { machineFacts } from '../results';
import { median } from './measure';

const NOW = Date.parse('2026-11-16T00:00:00Z');

/** How long the pure decision takes, for many NodePools with many windows. */
export function decisionTable(): string {
  const sizes = [
    { pools: 1, windows: 5 },
    { pools: 100, windows: 5 },
    { pools: 100, windows: 50 },
    { pools: 1_000, windows: 5 },
  ];
  const rows = sizes.map(({ pools, windows }) => {
    const config = manyPools(pools, windows);
    const first = timed(() => decideAll(config));
    const warm = median(Array.from({ length: 9 }, (_, i) => timed(() => decideAll(config, NOW + i * 60_000))));
    const next = median(Array.from({ length: 3 }, () => timed(() => nextAll(config))));
    return `| ${pools} × ${windows} | ${first.toFixed(2)} ms | ${warm.toFixed(2)} ms | ${next.toFixed(2)} ms |`;
  });
  return [
    '## The decision alone',
    '',
    `\`npm run bench\`, ${machineFacts()}. Pure computation in one process, no I/O. "First" is the first call for that config in the process, "warm" the median of nine later minutes. "With next change" also finds when each NodePool will next change, which \`status\` and \`inflate\` do, but not the heartbeat.`,
    '',
    '| NodePools × windows | first | warm | with next change |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function decideAll({ headrooms }: Config, now = NOW): number {
  return headrooms.reduce((sum, pool) => sum + decide({ pool, record: EMPTY_RECORD, now }).replicas, 0);
}

function nextAll({ headrooms }: Config): number {
  return headrooms.reduce((sum, pool) => sum + (nextDecision({ pool, record: EMPTY_RECORD, now: NOW })?.at ?? 0), 0);
}

function manyPools(pools: number, windows: number): Config {
  const zones = ['Asia/Seoul', 'Europe/Prague', 'America/New_York', 'UTC'];
  const schedules = Array.from({ length: windows }, (_, i) => {
    const hour = i % 23;
    return `{name: w${i}, timezone: ${zones[i % 4]}, start: ${i} ${hour} * * MON-FRI, end: 30 ${hour + 1} * * *, desiredReplicas: ${1 + (i % 9)}}`;
  });
  const pool = `{max: 10, leadTime: 5m, schedules: [${schedules.join(', ')}]}`;
  const text = `cluster: {name: bench, region: eu-west-1}\nnodePools:\n  pool: ${pool}\n`;
  const loaded = loadConfig([{ file: 'bench.yaml', text }]);
  if (!loaded.ok) throw new Error('the bench config is not valid');
  // More than a config may have, so that the figures show how it grows.
  const headrooms = Array.from({ length: pools }, (_, i) =>
    loaded.config.headrooms.map((one) => ({ ...one, name: `pool-${i}` })),
  ).flat();
  return { ...loaded.config, headrooms };
}

function timed(work: () => unknown): number {
  const started = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - started) / 1e6;
}
