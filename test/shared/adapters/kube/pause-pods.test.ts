import { KubeError } from '../../../../shared/adapters/kube/kube-error';
import { pausePods, wakePorts } from '../../../../shared/adapters/kube/pause-pods';
import type { Config } from '../../../../shared/core/config/config';
import type { CurrentHeadroom } from '../../../../shared/core/ports/ports';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const EVENTS = '/apis/events.k8s.io/v1/namespaces/hr/events';
const SETTLED = { metadata: { generation: 3 }, status: { observedGeneration: 3, replicas: 2, updatedReplicas: 2 } };
const HEADROOM = {
  name: 'headroom-web',
  uid: 'uid-web',
  labels: { 'headstart.dev/headroom': 'web' },
  object: SETTLED,
} as unknown as CurrentHeadroom;

/** Too long for the whole hash in the names of its pods. */
const LONG = 'a-name-of-thirty-seven-characters-now';

type Items = Readonly<Record<string, readonly object[]>>;

const configOf = (cluster: object = {}) =>
  ({
    cluster: { namespace: 'hr', ...cluster },
    headrooms: ['web', 'a-b', LONG].map((name) => ({ name })),
  }) as unknown as Config;

/** Lists by path, and what was sent. */
function over(items: Items, error?: KubeError) {
  const sent: unknown[] = [];
  const transport = {
    get: async (path: string) => {
      sent.push(path);
      return { items: items[path.split('?')[0] ?? ''] ?? [] };
    },
    create: async (path: string, body: object) => {
      sent.push([path, body]);
      if (error) throw error;
      return body;
    },
    delete: async (path: string, preconditions?: object) => {
      sent.push([path, preconditions]);
      if (error) throw error;
    },
  };
  return { sent, pods: pausePods(transport as never, configOf()) };
}

test('preemptions are the scheduler’s Events, by the headroom that the pod is named after', async () => {
  const event = (name: string, eventTime: unknown) => ({ regarding: { name }, eventTime });
  const related = { kind: 'Pod', namespace: 'shop', name: 'checkout-1' };
  const { sent, pods } = over({
    [EVENTS]: [
      { ...event('headroom-web-5d4f-abcde', '2026-11-18T11:59:00.123456Z'), related },
      event('headroom-a-b-5d4f-abcde', '2026-11-18T11:58:00.000000Z'),
      event(`headroom-${LONG}-5d4f8c7b9d-fghij`, '2026-11-18T11:57:00.000000Z'),
      event('headroom-web-5d4f-fghij', null),
      event('headroom-other-5d4f-fghij', '2026-11-18T11:58:00.000000Z'),
      { eventTime: '2026-11-18T11:58:00.000000Z' },
    ],
  });
  expect(await pods.readPreemptions()).toEqual([
    { headroom: 'headroom-web', pod: 'headroom-web-5d4f-abcde', at: NOW - 59_877, by: 'shop/checkout-1' },
    { headroom: 'headroom-a-b', pod: 'headroom-a-b-5d4f-abcde', at: NOW - 120_000 },
    { headroom: `headroom-${LONG}`, pod: `headroom-${LONG}-5d4f8c7b9d-fghij`, at: NOW - 180_000 },
  ]);
  expect(sent).toEqual([`${EVENTS}?fieldSelector=reason%3DPreempted&limit=500`]);
});

test('a claim is an Event whose name says which burst it answers, and is read back', async () => {
  const { sent, pods } = over({});
  expect(await pods.claim(HEADROOM, { headroom: 'headroom-web', at: NOW - 59_000 }, NOW)).toBe(true);
  const [path, event] = sent[0] as [string, { metadata: { name: string } }];
  expect(path).toBe(EVENTS);
  expect(event).toMatchObject({
    metadata: { name: `headroom-web.woken-${NOW - 59_000}`, namespace: 'hr' },
    eventTime: '2026-11-18T12:00:00.000000Z',
    reason: 'Woken',
    type: 'Normal',
    regarding: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'headroom-web', uid: 'uid-web', namespace: 'hr' },
  });
  const read = over({ [EVENTS]: [event, { metadata: { name: 'headroom-web.0abc' } }] });
  expect(await read.pods.readWakeUps()).toEqual([{ headroom: 'headroom-web', at: NOW - 59_000 }]);
  expect(read.sent).toEqual([`${EVENTS}?fieldSelector=reason%3DWoken&limit=500`]);
});

test.each([
  [409, false],
  [500, 'throws'],
])('a claim that is answered with %i: %s', async (status, expected) => {
  const { pods } = over({}, new KubeError({ method: 'POST', path: EVENTS }, status, 'Any', 'any'));
  const claimed = await pods.claim(HEADROOM, { headroom: 'headroom-web', at: NOW }, NOW).catch(() => 'throws');
  expect(claimed).toBe(expected);
});

test('a pod is deleted only if it is still the one that was listed', async () => {
  const { sent, pods } = over({});
  await pods.delete({ name: 'headroom-web-5d4f-abcde', uid: 'uid-1' });
  expect(sent).toEqual([['/api/v1/namespaces/hr/pods/headroom-web-5d4f-abcde', { uid: 'uid-1' }]]);
});

test.each([
  [404, 'fine'],
  [409, 'throws'],
])('a delete that is answered with %i: %s, for a repeated one may find its pod gone', async (status, expected) => {
  const { pods } = over({}, new KubeError({ method: 'DELETE', path: 'pod' }, status, 'Any', 'any'));
  const deleted = pods.delete({ name: 'a', uid: 'b' }).then(() => 'fine');
  expect(await deleted.catch(() => 'throws')).toBe(expected);
});

describe('the running pods of a headroom', () => {
  const owned = (name: string, uid: string, owner: string, rest: object) => ({
    metadata: { name, uid, ownerReferences: [{ uid: owner, controller: true }] },
    ...rest,
  });
  const set = (uid: string, owner: string, replicas: number) => owned(uid, uid, owner, { spec: { replicas } });
  const pod = (name: string, owner: string, phase = 'Running') =>
    owned(name, `uid-${name}`, owner, { status: { phase } });
  const SETS = '/apis/apps/v1/namespaces/hr/replicasets';
  const PODS = '/api/v1/namespaces/hr/pods';
  const namesOf = async (items: Items, object: object = SETTLED) => {
    const { sent, pods } = over(items);
    const running = await pods.running({ ...HEADROOM, object });
    return { names: running.map(({ name }) => name), sent };
  };
  const PAIR = [pod('a', 'set'), pod('b', 'set')];

  test('are those of the only ReplicaSet that its Deployment owns and that has pods', async () => {
    const going = { ...pod('c', 'set'), metadata: { ...pod('c', 'set').metadata, deletionTimestamp: 'now' } };
    const items = {
      [SETS]: [set('old', 'uid-web', 0), set('set', 'uid-web', 2), set('foreign', 'uid-other', 2)],
      [PODS]: [...PAIR, pod('d', 'set', 'Pending'), pod('e', 'foreign'), going, { metadata: { name: 'f' } }],
    };
    const { names, sent } = await namesOf(items);
    expect(names).toEqual(['a', 'b']);
    const query = '?labelSelector=headstart.dev%2Fheadroom%3Dweb&limit=500';
    expect(sent).toEqual([`${SETS}${query}`, `${PODS}${query}`]);
  });

  test.each<[string, Items, object]>([
    ['its controller has not seen the newest template', {}, { ...SETTLED, metadata: { generation: 4 } }],
    ['it has pods of an older template', {}, { ...SETTLED, status: { ...SETTLED.status, updatedReplicas: 1 } }],
    ['two of its ReplicaSets have pods', { [SETS]: [set('set', 'uid-web', 2), set('new', 'uid-web', 1)] }, SETTLED],
    ['no ReplicaSet is its own', { [SETS]: [set('set', 'uid-other', 2)] }, SETTLED],
  ])('are none while %s', async (_name, items, object) => {
    const all = { [SETS]: [set('set', 'uid-web', 2)], [PODS]: PAIR, ...items };
    expect((await namesOf(all, object)).names).toEqual([]);
  });

  test('are none while an old ReplicaSet still has a pod', async () => {
    const old = owned('old', 'old', 'uid-web', { spec: { replicas: 0 }, status: { replicas: 1 } });
    expect((await namesOf({ [SETS]: [old, set('set', 'uid-web', 2)], [PODS]: PAIR })).names).toEqual([]);
  });
});

test('with cluster.wakeUp: false, what work takes is counted all the same', () => {
  const props = { transport: {}, cluster: {}, owner: '', log: {} } as never;
  expect(wakePorts(configOf({ wakeUp: false }), props)).toEqual({ preemptions: expect.anything() });
  expect(Object.keys(wakePorts(configOf(), props))).toEqual(['preemptions', 'wakeUp']);
});
