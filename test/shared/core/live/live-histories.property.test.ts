import fc from 'fast-check';
import { handle } from '../../../../shared/core/handle';
import { readKept } from '../../../../shared/core/live/read-kept';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { tickNow } from '../handle/service';

const MINUTE = 60_000;
const START = Date.parse('2026-11-17T12:00:00Z');
const config = configOf('  web: {max: 30, base: 1}\n  ci: {max: 30, base: 1}\n', '', ', liveSchedules: true');
const window = (size: number) =>
  `{name: w, timezone: UTC, start: 0 0 * * *, end: 59 23 31 12 *, desiredReplicas: ${size}}`;
/** Both NodePools say the same number twice, so that half an edit shows. */
const textOf = (size: number) =>
  `nodePools:\n${['web', 'ci'].map((name) => `  ${name}: {base: ${size}, schedules: [${window(size)}]}\n`).join('')}`;

const step = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), size: fc.integer({ min: 2, max: 20 }) }),
  fc.record({ kind: fc.constantFrom('break' as const, 'two keys' as const, 'delete' as const, 'deploy' as const) }),
  fc.record({
    kind: fc.constantFrom('heartbeat' as const, 'order' as const),
    fault: fc.constantFrom('', 'live', 'apply', 'list'),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('an edit is never half counted within a NodePool, never lost, and never outlives its deletion by more than two minutes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const service = new FakeRuntime(config, START);
      /** What the last valid text says. */
      let valid: number | undefined;
      for (const one of steps) {
        service.time += MINUTE;
        if (one.kind === 'edit') valid = one.size;
        change(service, one);
        await run(service, one);
        service.cluster.fault = () => undefined;
        for (const pool of ['web', 'ci']) {
          const sizes = keptSizes(service, pool);
          expect(sizes.every((size) => size === sizes[0])).toBe(true);
        }
      }
      // Whatever happened, two quiet heartbeats are right again; a deletion counts within two minutes more.
      for (let beat = 0; beat < 4; beat += 1) {
        service.time += MINUTE;
        await tick(service);
      }
      const found = service.cluster.configMap?.data;
      const isValid =
        found !== undefined && Object.keys(found).length === 1 && !Object.values(found).includes('nodePools: [');
      for (const pool of ['web', 'ci']) {
        if (isValid) expect(keptSizes(service, pool)).toEqual([valid, valid]);
        if (!found) expect(keptSizes(service, pool)).toEqual([]);
        const size = keptSizes(service, pool)[0] ?? 1;
        expect(service.cluster.headroom(pool)?.replicas).toBe(size);
      }
    }),
    { numRuns: 150 },
  );
});

function change({ cluster }: FakeRuntime, one: Step): void {
  const put = (data: Readonly<Record<string, string>>) => {
    cluster.configMap = { data, binaryKeys: [], edit: { by: 'kubectl', at: new Date(START).toISOString() } };
  };
  if (one.kind === 'edit') put({ text: textOf(one.size) });
  if (one.kind === 'break') put({ text: 'nodePools: [' });
  if (one.kind === 'two keys') put({ text: textOf(25), other: textOf(26) });
  if (one.kind === 'delete') cluster.configMap = undefined;
}

async function run(service: FakeRuntime, one: Step): Promise<void> {
  if ('fault' in one) service.cluster.fault = (call) => (call === one.fault ? new Error('503') : undefined);
  if (one.kind === 'heartbeat') await tick(service);
  if (one.kind === 'deploy') await handle(tickNow('deploy', service), service).catch(() => undefined);
  if (one.kind !== 'order') return;
  // Any other function: it counts by what is kept, and passes it on.
  service.readsLive = false;
  await handle({ headroom: 'web', release: true, by: 'ana' }, service).catch(() => undefined);
  service.readsLive = true;
}

const tick = (service: FakeRuntime) => handle(tickNow('heartbeat', service), service).catch(() => undefined);

function keptSizes(service: FakeRuntime, pool: string): readonly unknown[] {
  const kept = readKept(service.cluster.headroom(pool)?.annotations[ANNOTATIONS.live]);
  const sizes = kept?.schedules?.map((one) => ('remove' in one ? undefined : Number(one.desiredReplicas))) ?? [];
  return kept?.base === undefined ? [] : [kept.base, ...sizes];
}
