import {
  applyDecision,
  BeingDeletedError,
  type Change,
  prepareChange,
} from '../../../../shared/core/apply/apply-decision';
import { writeContests } from '../../../../shared/core/apply/contested-field';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import type { CurrentHeadroom } from '../../../../shared/core/ports/ports';
import { EMPTY_RECORD } from '../../../../shared/core/record/record';
import { FakeCluster } from '../../../fakes/fake-cluster';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const MINUTE = 60_000;
const config = configOf('  web: {max: 30, warmImages: [example.com/app:1]}\n');
const [web] = config.headrooms;
if (!web) throw new Error('no pool');

const KNOWN = { record: EMPTY_RECORD, countedLate: [], verdicts: [] };
const NEWS = { ...KNOWN, overridden: {} };
const change = (more: Partial<Change> = {}): Change => ({
  config,
  owner: 'ours',
  pool: web,
  seen: { nodePoolOf: (name) => ({ name, taints: [] }), minor: 35 },
  current: undefined,
  news: NEWS,
  quarantined: undefined,
  held: undefined,
  decision: { replicas: 6, reasons: ['base: 6'] },
  now: NOW,
  ...more,
});

/** The headroom as it stands after a change, and as somebody else then left it. */
async function standing(given = change(), edited: Partial<CurrentHeadroom> = {}): Promise<CurrentHeadroom> {
  const cluster = new FakeCluster();
  await applyDecision(given, cluster);
  cluster.edit('web', () => edited);
  const current = cluster.headroom('web');
  if (!current) throw new Error('no headroom');
  return current;
}
const annotated = async (more: Record<string, string>, edited: Partial<CurrentHeadroom> = {}) => {
  const { annotations } = await standing();
  return standing(change(), { ...edited, annotations: { ...annotations, ...more } });
};

describe('the change', () => {
  test('to a headroom that is not there yet is its creation', () => {
    expect(prepareChange(change()).outcome).toStrictEqual({
      headroom: 'web',
      pool: web,
      replicas: 6,
      reasons: ['base: 6'],
      from: 0,
      ready: 0,
      change: 'created',
      ...KNOWN,
    });
  });

  test.each([
    {
      name: 'the record cannot be read',
      given: { quarantined: '{' },
      held: { replicas: 5 },
      says: { unreadable: '{' },
    },
    { name: 'nodes cannot be counted', given: {}, held: { replicas: 5, because: 'why' }, says: {} },
  ])('says what size is held while $name', ({ given, held, says }) => {
    const { outcome } = prepareChange(change({ held, ...given }));
    const { headroom: _name, pool: _pool, replicas: _size, reasons: _reasons, ...rest } = outcome;
    expect(rest).toStrictEqual({ from: 0, ready: 0, change: 'created', ...KNOWN, held, ...says });
  });

  test('to a headroom that is as it should be is none', async () => {
    const current = await standing(change(), { ready: 4 });
    expect(prepareChange(change({ current })).outcome).toStrictEqual({
      headroom: 'web',
      pool: web,
      replicas: 6,
      reasons: ['base: 6'],
      from: 6,
      ready: 4,
      change: 'none',
      ...KNOWN,
    });
  });

  test('of the decided size alone is told as that', async () => {
    const current = await standing();
    const { outcome } = prepareChange(change({ current, decision: { replicas: 8, reasons: ['base: 8'] } }));
    expect(outcome).toMatchObject({ from: 6, replicas: 8, change: 'resized', reasons: ['base: 8'] });
    expect(outcome.contested).toBeUndefined();
  });

  test('of another field says which', async () => {
    const current = await standing();
    const { outcome } = prepareChange(change({ current, decision: { replicas: 6, reasons: ['lunch: 6'] } }));
    expect(outcome).toMatchObject({ change: 'updated', drift: `metadata.annotations.${ANNOTATIONS.reasons}` });
  });

  test('tells what became of an override', () => {
    const replaced = { mode: 'atLeast' as const, replicas: 3, until: NOW, at: NOW, by: 'ana', reason: 'sale' };
    const { outcome } = prepareChange(change({ news: { ...NEWS, overridden: { replaced } } }));
    expect(outcome.replaced).toBe(replaced);
  });

  test('is made to the kind of object that it is, although the items of a list do not name it', async () => {
    const current = await standing();
    const { apiVersion, kind, ...listed } = current.object as Record<string, unknown>;
    expect([apiVersion, kind]).toEqual(['apps/v1', 'Deployment']);
    expect(prepareChange(change({ current: { ...current, object: listed } })).outcome.change).toBe('none');
  });
});

describe('a record that cannot be read', () => {
  const recorded = { held: { replicas: 9 }, quarantined: '{oops' };

  test('is kept beside the readable one, and told with the size that is held', () => {
    const { outcome, manifest } = prepareChange(change(recorded));
    expect(outcome).toMatchObject({ unreadable: '{oops', held: { replicas: 9 } });
    expect(manifest.metadata.annotations).toMatchObject({ [ANNOTATIONS.quarantined]: '{oops' });
  });

  test('is taken away once it is settled', async () => {
    const { outcome, manifest } = prepareChange(change({ current: await standing(change(recorded)) }));
    expect(outcome).toMatchObject({ change: 'updated', drift: `metadata.annotations.${ANNOTATIONS.quarantined}` });
    expect(manifest.metadata.annotations).not.toHaveProperty([ANNOTATIONS.quarantined]);
    expect(outcome).not.toHaveProperty('held');
  });

  test('is not written again and again', async () => {
    const current = await standing(change(recorded));
    expect(prepareChange(change({ current, ...recorded })).outcome.change).toBe('none');
  });
});

describe('live schedules that no longer count', () => {
  test('are emptied by one write and removed by the next, because an apply removes only its own fields', async () => {
    const live = { pool: web, replaced: [], notes: [], reasons: [], annotation: '{}' };
    const keeping = await standing(change({ live }));
    const emptied = prepareChange(change({ current: keeping }));
    expect(emptied.outcome.change).toBe('updated');
    expect(emptied.manifest.metadata.annotations).toMatchObject({ [ANNOTATIONS.live]: '' });
    const empty = { ...keeping, annotations: { ...keeping.annotations, [ANNOTATIONS.live]: '' } };
    const removed = prepareChange(change({ current: empty }));
    expect(removed.outcome.change).toBe('updated');
    expect(removed.manifest.metadata.annotations).not.toHaveProperty([ANNOTATIONS.live]);
  });
});

describe('a size that somebody set by hand', () => {
  test.each([
    { name: 'is undone, and it is said', edited: { replicas: 3 }, said: 'scaled by hand to 3, undone' },
    {
      name: 'is undone, and it is said by whom',
      edited: { replicas: 3, scaledBy: 'kubectl' },
      said: 'scaled by kubectl to 3, undone',
    },
  ])('$name', async ({ edited, said }) => {
    const { outcome } = prepareChange(change({ current: await standing(change(), edited) }));
    expect(outcome).toMatchObject({ change: 'resized', from: 3, replicas: 6 });
    expect(outcome.reasons).toEqual(['base: 6', `${said}: use inflate for an emergency`]);
  });

  test('and is what is decided now needs no word', async () => {
    const current = await standing(change(), { replicas: 8 });
    const { outcome } = prepareChange(change({ current, decision: { replicas: 8, reasons: ['base: 8'] } }));
    expect(outcome.reasons).toEqual(['base: 8']);
  });

  test('cannot be told where nobody knows what was decided', async () => {
    const current = await standing(change(), { replicas: 3, annotations: { [ANNOTATIONS.owner]: 'ours' } });
    expect(prepareChange(change({ current })).outcome.reasons).toEqual(['base: 6']);
  });
});

describe('a field that somebody keeps setting back', () => {
  const fought = (times: number, ago: number, edited: Partial<CurrentHeadroom> = {}) =>
    annotated(
      { [ANNOTATIONS.contested]: writeContests([{ field: 'spec.replicas', times, at: NOW - ago }]) },
      { replicas: 4, ...edited },
    );

  test('is set right, and counted on the object', async () => {
    const { outcome, manifest } = prepareChange(change({ current: await fought(1, MINUTE) }));
    expect([outcome.change, outcome.contested]).toEqual(['resized', undefined]);
    expect(manifest.metadata.annotations).toMatchObject({
      [ANNOTATIONS.owner]: 'ours',
      [ANNOTATIONS.contested]: writeContests([{ field: 'spec.replicas', times: 2, at: NOW }]),
    });
  });

  test('is contested with the last time that it is set right', async () => {
    const { outcome } = prepareChange(change({ current: await fought(4, MINUTE, { changedBy: 'argocd' }) }));
    expect(outcome).toMatchObject({ change: 'resized', drift: 'spec.replicas' });
    expect(outcome.contested).toStrictEqual({ field: 'spec.replicas', isNew: true, by: 'argocd' });
  });

  test('is left alone from then on, and stays contested', async () => {
    const { outcome, manifest } = prepareChange(change({ current: await fought(5, MINUTE) }));
    expect(outcome).toMatchObject({ change: 'none', drift: 'spec.replicas' });
    expect(outcome.contested).toStrictEqual({ field: 'spec.replicas', isNew: false });
    expect(manifest.metadata.annotations).not.toHaveProperty([ANNOTATIONS.contested]);
  });

  test('is tried again after ten minutes, without being new', async () => {
    const { outcome } = prepareChange(change({ current: await fought(5, 10 * MINUTE) }));
    expect(outcome).toMatchObject({ change: 'resized', contested: { isNew: false } });
  });

  test('does not delay a size that the decision changes', async () => {
    const current = await fought(5, MINUTE);
    const { outcome } = prepareChange(change({ current, decision: { replicas: 8, reasons: ['base: 8'] } }));
    expect(outcome).toMatchObject({ change: 'resized', replicas: 8, contested: { isNew: false } });
  });
});

describe('a NodePool', () => {
  const tolerations = ({ manifest }: ReturnType<typeof prepareChange>) => manifest.spec.template.spec.tolerations;
  const taints = [{ key: 'team', effect: 'NoSchedule' }];
  const toleration = { key: 'team', operator: 'Exists', effect: 'NoSchedule' };
  const tainted = change({ seen: { nodePoolOf: (name) => ({ name, taints }), minor: 35 } });

  test('that is there has its taints tolerated', () => {
    const prepared = prepareChange(tainted);
    expect(tolerations(prepared)).toEqual([toleration]);
    expect(prepared.outcome).not.toHaveProperty('noSuchNodePool');
  });

  test.each([
    { name: 'is not there', facts: 'missing' as const, missing: true },
    { name: 'could not be read', facts: undefined, missing: undefined },
  ])('that $name keeps what its headroom had', async ({ facts, missing }) => {
    const current = await standing(tainted);
    const prepared = prepareChange(change({ current, seen: { nodePoolOf: () => facts, minor: 35 } }));
    expect(tolerations(prepared)).toEqual([toleration]);
    expect([prepared.outcome.change, prepared.outcome.noSuchNodePool]).toEqual(['none', missing]);
  });
});

describe('images are warmed', () => {
  const volumes = (given: Change) => prepareChange(given).manifest.spec.template.spec.volumes?.length ?? 0;
  const { nodePoolOf } = change().seen;

  test.each([
    { name: 'from Kubernetes 1.35 on', minor: 35, warmed: 1 },
    { name: 'not before', minor: 34, warmed: 0 },
  ])('$name', ({ minor, warmed }) => {
    expect(volumes(change({ seen: { nodePoolOf, minor } }))).toBe(warmed);
  });

  test('as before while the version cannot be read', async () => {
    const cold = change({ seen: { nodePoolOf, minor: 34 } });
    for (const given of [change(), cold])
      expect(volumes(change({ seen: { nodePoolOf }, current: await standing(given) }))).toBe(volumes(given));
  });
});

describe('writing', () => {
  test('creates what is not there, changes what differs, and leaves the rest', async () => {
    const cluster = new FakeCluster();
    await applyDecision(change(), cluster);
    await applyDecision(change({ current: cluster.headroom('web') }), cluster);
    expect(cluster.calls).toEqual(['create']);
    const bigger = { replicas: 8, reasons: ['base: 8'] };
    await applyDecision(change({ current: cluster.headroom('web'), decision: bigger }), cluster);
    expect([cluster.calls, cluster.headroom('web')?.replicas]).toEqual([['create', 'apply'], 8]);
  });

  test('never touches what another owner has', async () => {
    const current = await standing();
    const cluster = new FakeCluster();
    await expect(applyDecision(change({ current, owner: 'theirs' }), cluster)).rejects.toThrow('belongs to ours');
    expect(cluster.calls).toEqual([]);
  });

  test('to what is being deleted is an error, since it would be lost', async () => {
    const current = await standing(change(), { deleting: true, replicas: 3 });
    const cluster = new FakeCluster();
    const written = applyDecision(change({ current }), cluster);
    await expect(written).rejects.toThrow(BeingDeletedError);
    await expect(written).rejects.toMatchObject({
      name: 'BeingDeletedError',
      message:
        'Deployment headroom-web is being deleted, and what is written to it would be lost; it is created again once it is gone',
    });
    expect(cluster.calls).toEqual([]);
  });
});
