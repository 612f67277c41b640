import fc from 'fast-check';
import { stringify } from 'yaml';
import type { HeadroomConfig } from '../../../../shared/core/config/config';
import { loadConfig } from '../../../../shared/core/config/read/load';
import { loadLive } from '../../../../shared/core/config/read/load-live';
import type { LivePart, LiveSchedule } from '../../../../shared/core/config/schema/live-schema';
import { effectiveHeadroom } from '../../../../shared/core/live/effective-pool';
import { keepLive } from '../../../../shared/core/live/update-kept';

const NOW = Date.parse('2026-11-17T09:00:00Z');
const EDIT = { by: 'kubectl', at: '2026-11-17T08:59:00Z' };

const name = fc.constantFrom('lunch', 'night', 'sale', 'tea', 'constructor', 'toString');
const size = fc.oneof(
  fc.record({ desiredReplicas: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ addNodes: fc.integer({ min: 1, max: 12 }) }),
);
const times = fc.oneof(
  fc.record({
    start: fc.constantFrom('0 9 * * *', '30 11 * * MON-FRI'),
    end: fc.constantFrom('0 12 * * *', '0 18 1 * *'),
  }),
  fc.record({ from: fc.constant('2026-11-27T08:00'), to: fc.constantFrom('2026-11-27T20:00', '2026-11-28T02:00') }),
);
const window = fc
  .tuple(fc.record({ name, timezone: fc.constantFrom('UTC', 'Asia/Seoul') }), times, size)
  .map(([named, edges, sized]) => ({ ...named, ...edges, ...sized }));
const windows = fc.uniqueArray(window, { selector: (one) => one.name, maxLength: 4 });
const removal = name.map((removed) => ({ name: removed, remove: true as const }));
const schedules = fc.uniqueArray(fc.oneof({ weight: 3, arbitrary: window }, removal), {
  selector: (one) => one.name,
  maxLength: 4,
});
const live = fc.record({ base: fc.integer({ min: 0, max: 12 }), schedules }, { requiredKeys: [] });
const unit = fc.constantFrom({ floor: { cpu: 4 } }, { node: { cpu: 1 } });
const leadTime = fc.constantFrom('5m', 'auto');

test('what counts is what one file would say in which each window that is named live is replaced or taken out', async () => {
  let [compared, refused] = [0, 0];
  const property = fc.asyncProperty(windows, live, unit, leadTime, async (deployed, part, unitOf, lead) => {
    const pool = { max: 12, base: 1, unit: unitOf, leadTime: lead };
    const [before, after] = [load({ ...pool, schedules: deployed }), load({ ...pool, ...laidOver(deployed, part) })];
    if (!before) return;
    const effective = effectiveHeadroom(before, await keptOf(part), { heartbeatSeconds: 60 });
    if (effective.problem !== undefined) {
      refused += 1;
      expect(effective.pool).toBe(before);
      expect(after).toBeUndefined();
      return;
    }
    compared += 1;
    expect(withoutSource(effective.pool)).toEqual(after);
  });
  await fc.assert(property, { numRuns: 400 });
  expect(compared).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(5);
});

/** As a text that is read, kept as an annotation and read again. */
async function keptOf(part: Partial<LivePart>) {
  const text = stringify({ nodePools: { web: part } });
  const loaded = loadLive({ file: 'schedules.yaml', text });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const seen = { kind: 'text' as const, hash: '1-a', key: 'schedules.yaml', text, ...EDIT };
  const compile = async () => ({ ...loaded, undeployed: [] });
  const kept = await keepLive({ headroom: 'web', kept: undefined, seen, now: NOW, again: false, compile });
  return JSON.parse(JSON.stringify(kept));
}

/** By hand: the pool block that a person would write. */
function laidOver(deployed: readonly LiveSchedule[], { base, schedules: over }: Partial<LivePart>) {
  const kept = deployed.map((one) => over?.find((other) => other.name === one.name) ?? one);
  const added = (over ?? []).filter((one) => !deployed.some((other) => other.name === one.name));
  const all = over?.length === 0 ? [] : [...kept, ...added].filter((one) => !('remove' in one));
  return { ...(base !== undefined && { base }), schedules: all };
}

function load(pool: object): HeadroomConfig | undefined {
  const text = stringify({
    cluster: { name: 'demo', region: 'eu-west-1', liveSchedules: true },
    nodePools: { web: pool },
  });
  const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
  return loaded.ok ? loaded.config.headrooms[0] : undefined;
}

function withoutSource({ liveBase: _, ...pool }: HeadroomConfig): HeadroomConfig {
  return { ...pool, windows: pool.windows.map(({ live: _live, ...rest }) => rest) };
}
