import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../shared/core/config/config';
import { loadLive } from '../../../shared/core/config/read/load-live';
import { checkParts } from '../../../shared/core/live/check-parts';
import { folderWith, runCli } from '../../cli/run-cli';
import { configIn } from '../../fakes/loaded-config';
import { traceOf } from './learn-from';

/** Six nodes from nine to six, and two at night. */
const shopTrace = () => traceOf((minute) => (minute >= 540 && minute < 1_080 ? 6 : 2));

const config = (pool: string) =>
  `cluster: {name: shop, region: ap-northeast-2, liveSchedules: true}\nnodePools:\n  default: ${pool}\n`;
const NIGHT = '{name: night, timezone: UTC, start: 0 2 * * *, end: 0 3 * * *, desiredReplicas: 3}';
const SALE = '{name: sale, timezone: UTC, from: 2026-12-01T08:00, to: 2026-12-01T20:00, desiredReplicas: 8}';

const windowsOf = ({ headrooms }: Config) =>
  headrooms.map(({ base, windows }) => ({
    base,
    windows: windows.map(({ live: _, ...window }) => window).sort((a, b) => (a.name < b.name ? -1 : 1)),
  }));

test('config and live schedules together are what --write would have written', async () => {
  const pool = `{max: 9, leadTime: 5m, unit: {node: {cpu: 1}}, schedules: [${NIGHT}, ${SALE}]}`;
  const folder = folderWith({ 'headroom.yaml': config(pool), 'written.yaml': config(pool), 'trace.csv': shopTrace() });
  const at = (file: string) => join(folder, file);
  const learn = (file: string, ...more: string[]) =>
    runCli(['suggest', '--demand', at('trace.csv'), '--timezone', 'UTC', '-c', at(file), ...more]);

  const live = await learn('headroom.yaml', '--live', at('live.yaml'));
  expect(live).toMatchObject({ code: 0, err: expect.stringContaining('live.yaml') });
  expect((await learn('written.yaml', '--write')).code).toBe(0);

  const text = readFileSync(at('live.yaml'), 'utf8');
  expect(text).toContain('name: night');
  expect(text).toContain('remove: true');
  expect(text).not.toContain('sale');
  const overlay = loadLive({ file: 'live.yaml', text });
  if (!overlay.ok) throw new Error(JSON.stringify(overlay.problems));
  const deployed = configIn(at('headroom.yaml'));
  const counted = checkParts(overlay.parts, deployed, { by: 'test', at: '2026-11-17T00:00:00Z' });
  expect(counted.problems).toEqual([]);
  expect(windowsOf(counted.config)).toEqual(windowsOf(configIn(at('written.yaml'))));
  expect(windowsOf(deployed)).not.toEqual(windowsOf(counted.config));
});

test('what needs a deploy is left out and said, and --write beside it is refused', async () => {
  const folder = folderWith({
    'headroom.yaml': config('{max: 9, leadTime: 10m, unit: {node: {cpu: 1}}}'),
    'trace.csv': shopTrace(),
  });
  const at = (file: string) => join(folder, file);
  const learn = (...more: string[]) =>
    runCli(['suggest', '--demand', at('trace.csv'), '-c', at('headroom.yaml'), '--lead', '5m', ...more]);
  const { err } = await learn('--live', at('live.yaml'));
  expect(err).toContain('default: another unit or leadTime needs a deploy; left out');
  expect(readFileSync(at('live.yaml'), 'utf8')).toBe('nodePools: {}\n');
  expect(await learn('--live', at('other.yaml'), '--write')).toMatchObject({ code: 1 });
  expect(existsSync(at('other.yaml'))).toBe(false);
});
