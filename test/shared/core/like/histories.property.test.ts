import fc from 'fast-check';
import { MAX_KEPT_LIKE } from '../../../../shared/core/like/read-kept-like';
import { podsOfShare } from '../../../../shared/core/like/share-sizes';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { LikeWorld, workload } from './like-setup';

/** Half an hour of lunch from the tenth minute on; base follows, lunch counts once. */
const CONFIG =
  '  web: {unit: {like: shop/checkout}, base: 25%, max: 400, leadTime: 0m, schedules: [{name: lunch, timezone: UTC, start: 10 12 * * *, end: 40 12 * * *, desiredReplicas: 60%}], alarms: [{alarmName: queue-deep, add: 10%, hold: 2m}]}';
const LUNCH = { from: 10, to: 40 };
const MINUTES = 55;

const SHAPES = ['250m', '900m', '3'];
const MAX = 400;

type Step =
  | { readonly kind: 'replicas'; readonly replicas: number }
  | { readonly kind: 'shape'; readonly shape: number }
  | { readonly kind: 'gone' | 'bare' | 'unread' | 'wiped' | 'twice' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('replicas' as const), replicas: fc.integer({ min: 0, max: 300 }) }),
  },
  { weight: 8, arbitrary: fc.constantFrom(8, 40).map((replicas) => ({ kind: 'replicas' as const, replicas })) },
  { weight: 1, arbitrary: fc.nat(2).map((shape) => ({ kind: 'shape' as const, shape })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('gone', 'bare', 'unread', 'wiped', 'twice').map((kind) => ({ kind }) as Step),
  },
);
/** What happens in each minute; most minutes nothing does. */
const history = fc.array(fc.option(step, { freq: 2, nil: undefined }), { minLength: MINUTES, maxLength: MINUTES });

interface Reading {
  readonly minute: number;
  readonly replicas: number;
}

/** The world beside its own model: what was read when, of which everything else follows. */
class History {
  private readonly world = new LikeWorld(CONFIG, workload(40));
  private readonly readings: Reading[] = [];
  private replicas = 40;
  private cpu = '250m';
  private lunch: Reading | undefined;
  /** Whoever takes the annotation away takes with it what it remembers of the last minutes. */
  private wipedAt = Number.NEGATIVE_INFINITY;
  /** What makes no difference in whole pause pods is not written, and another shape cannot know it. */
  private reshapedAt = Number.NEGATIVE_INFINITY;

  async run(steps: readonly (Step | undefined)[]): Promise<void> {
    for (const [minute, one] of steps.entries()) {
      const isRead = this.happens(one, minute);
      await this.world.tick(minute === 0 ? 0 : 1).catch(() => undefined);
      if (one?.kind === 'twice') await this.world.tick(0).catch(() => undefined);
      if (isRead) this.readings.push({ minute, replicas: this.replicas });
      const isOpen = minute >= LUNCH.from && minute < LUNCH.to;
      if (!isOpen || this.wipedAt === minute) this.lunch = undefined;
      if (isOpen && isRead) this.lunch ??= { minute, replicas: this.replicas };
      if (this.readings.length > 0) this.check(minute, isOpen);
    }
  }

  /** Whether the workload can be read afterwards. */
  private happens(one: Step | undefined, minute: number): boolean {
    if (one?.kind === 'replicas') this.replicas = one.replicas;
    if (one?.kind === 'shape') {
      this.cpu = SHAPES[one.shape] ?? this.cpu;
      this.reshapedAt = minute;
    }
    const requests = one?.kind === 'bare' ? {} : { cpu: this.cpu };
    const found = workload(this.replicas, { containers: [{ resources: { requests } }] });
    this.world.runs(one?.kind === 'gone' ? undefined : found);
    this.world.cluster.fault = (call) =>
      call === 'workload' && one?.kind === 'unread' ? new Error('timed out') : undefined;
    if (one?.kind === 'wiped' && minute > 0) {
      this.wipedAt = minute;
      this.world.cluster.edit('web', ({ annotations: { [ANNOTATIONS.like]: _kept, ...annotations } }) => ({
        annotations,
      }));
    }
    return one === undefined || !['gone', 'bare', 'unread'].includes(one.kind);
  }

  private check(minute: number, isOpen: boolean): void {
    const { world, readings, lunch } = this;
    const { kept, size } = world;
    expect(world.current.annotations[ANNOTATIONS.like]?.length).toBeLessThanOrEqual(MAX_KEPT_LIKE);
    const { shape, base } = kept ?? {};
    // Nothing is known as long as nothing was read: the size is held.
    if (!shape || !base) return;
    const units = (share: number, replicas: number) =>
      Math.ceil(Math.min(podsOfShare(share, replicas), MAX) / shape.pods);
    const since = Math.max(minute - 4, this.wipedAt, this.reshapedAt);
    const recent = readings.filter((one) => one.minute >= since);
    for (const { replicas } of recent) expect(size).toBeGreaterThanOrEqual(units(25, replicas));
    expect(readings.map(({ replicas }) => replicas)).toContain(base.replicas);
    const counted = Object.values(world.record.shares ?? {}).map(({ replicas }) => replicas);
    if (isOpen) expect(counted).toEqual(lunch ? [lunch.replicas] : []);
    const open = isOpen && lunch ? units(60, lunch.replicas) : 0;
    if (lunch || !isOpen) expect(size).toBe(Math.max(units(25, base.replicas), open));
  }
}

test('whatever happens to a workload, its room keeps to the rule', async () => {
  await fc.assert(
    fc.asyncProperty(history, (steps) => new History().run(steps)),
    { numRuns: 30 },
  );
});

test('an hour of a workload that is left alone is one write', async () => {
  const world = new LikeWorld(CONFIG.replace(/, schedules.*/, '}'), workload(40));
  for (let minute = 0; minute < 60; minute += 1) await world.tick(1);
  expect(world.cluster.writes).toBe(1);
});
