import fc from 'fast-check';
import { loadLive } from '../../../../shared/core/config/read/load-live';
import { handle } from '../../../../shared/core/handle';
import { effectiveHeadroom } from '../../../../shared/core/live/effective-pool';
import { readKept } from '../../../../shared/core/live/read-kept';
import { keptOf } from '../../../../shared/core/live/update-kept';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { statusOf } from '../../../../shared/core/status';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { tickNow } from '../handle/service';

const START = Date.parse('2026-11-17T12:30:00Z');
const AT = '2026-11-17T09:00:00.000Z';
const config = configOf(
  '  web: {max: 12, base: 1, unit: {floor: {cpu: 4}}}\n  ci: {max: 12, base: 1}\n',
  '',
  ', liveSchedules: true',
);
const TEXT =
  'nodePools: {web: {base: 2, schedules: [{name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: 9}]}}';

const NAMES = ['lunch', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'event:x'];
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(...NAMES, AT, '0 12 * * *', '2026-02-30T08:00', '9999-12-31T23:59', 'UTC', 'Asia/Seoul'),
  fc.constantFrom(-1, 0, 1.5, 5_000, 5_001, 1e308, null),
);
/** Mostly right, so that the checks behind the first one are met too. */
const mostly = (value: unknown) => fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, odd);
const edit = fc.oneof({ weight: 6, arbitrary: fc.record({ by: mostly('ana'), at: mostly(AT) }) }, odd);
const schedule = fc.oneof(
  fc.record({ name: mostly('night'), remove: mostly(true), edit }, { requiredKeys: ['name', 'remove'] }),
  fc.record(
    {
      name: fc.oneof(fc.constantFrom(...NAMES), mostly('tea')),
      timezone: mostly('UTC'),
      start: mostly('0 12 * * *'),
      end: mostly('0 14 * * *'),
      desiredReplicas: mostly(3),
      excludeDates: mostly(['2026-12-25']),
      edit,
    },
    { requiredKeys: ['name', 'edit'] },
  ),
  fc.record({
    name: mostly('sale'),
    timezone: mostly('Asia/Seoul'),
    from: mostly('2026-11-17T08:00'),
    to: mostly('2026-11-18T08:00'),
    addNodes: mostly('4'),
    edit,
  }),
  odd,
);
const annotation = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.json(),
  fc
    .record(
      {
        hash: mostly('1-a'),
        by: mostly('ana'),
        at: mostly(AT),
        base: mostly(3),
        schedules: fc.oneof({ weight: 6, arbitrary: fc.array(schedule, { maxLength: 4 }) }, odd),
        goneSince: mostly(AT),
        refused: fc.oneof(fc.record({ hash: mostly('1-b'), by: mostly('bo'), at: mostly(AT), problem: odd }), odd),
        unread: fc.oneof(fc.record({ since: mostly(AT), problem: mostly('403') }), odd),
        undeployed: mostly(['old']),
        broken: mostly('{}'),
      },
      { requiredKeys: ['hash', 'by', 'at'] },
    )
    .map((kept) => JSON.stringify(kept)),
);

test('whatever the annotation holds, what is read of it obeys the rules of the text, and is read again as it is', () => {
  fc.assert(
    fc.property(annotation, (text) => {
      const kept = readKept(text);
      const parts = kept?.schedules?.map(({ edit: _edit, ...one }) => one);
      const pool = { ...(kept?.base !== undefined && { base: kept.base }), ...(parts && { schedules: parts }) };
      const known = JSON.stringify({ nodePools: { web: pool } });
      expect(loadLive({ file: 'kept', text: known })).toMatchObject({ ok: true });
      // Its order too: another one would be another write.
      expect(JSON.stringify(readKept(JSON.stringify(kept)))).toBe(JSON.stringify(kept));
      for (const one of config.headrooms)
        expect(effectiveHeadroom(one, kept, config).pool.base).toBeLessThanOrEqual(5_000);
    }),
    { numRuns: 2_000 },
  );
});

test('a text that was accepted is read from the annotation as it was kept', () => {
  fc.assert(
    fc.property(fc.array(schedule, { maxLength: 4 }), fc.integer({ min: 0, max: 5_000 }), (schedules, base) => {
      const loaded = loadLive({ file: 'text', text: JSON.stringify({ nodePools: { web: { base, schedules } } }) });
      const part = loaded.ok ? loaded.parts.get('web') : undefined;
      fc.pre(part !== undefined);
      const kept = { ...keptOf(part ?? {}, { by: 'ana', at: AT }), hash: '1-a' };
      expect(JSON.stringify(readKept(JSON.stringify(kept)))).toBe(JSON.stringify(kept));
    }),
    { numRuns: 500 },
  );
});

test('whatever the annotation holds, no function fails, and the next text that can be read repairs it', async () => {
  await fc.assert(
    fc.asyncProperty(annotation, fc.boolean(), async (text, isOther) => {
      const service = new FakeRuntime(config, START);
      service.cluster.configMap = { data: { text: TEXT }, binaryKeys: [], edit: { by: 'ana', at: AT } };
      const beat = async () => {
        service.time += 60_000;
        await handle(tickNow('heartbeat', service), service);
        return service.cluster.headroom('web')?.annotations[ANNOTATIONS.live];
      };
      const right = await beat();
      service.cluster.edit('web', ({ annotations }) => ({ annotations: { ...annotations, [ANNOTATIONS.live]: text } }));
      service.readsLive = !isOther;
      service.cluster.fault = (call) => (call === 'live' ? new Error('503') : undefined);
      await handle({ headroom: 'web', release: true, by: 'ana' }, service);
      await statusOf(service, service.time);
      service.readsLive = true;
      service.cluster.fault = () => undefined;
      const broken = readKept(text)?.broken;
      const repaired = await beat();
      if (broken !== undefined) expect(readKept(repaired)).toMatchObject(readKept(right) ?? {});
      expect(readKept(repaired)?.broken).toBeUndefined();
    }),
    { numRuns: 150 },
  );
});
