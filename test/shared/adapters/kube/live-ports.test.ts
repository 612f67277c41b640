import { KubeError } from '../../../../shared/adapters/kube/kube-error';
import { keptLive, liveConfigMap, readConfigMap, readLive } from '../../../../shared/adapters/kube/live-ports';
import type { Config } from '../../../../shared/core/config/config';
import { loadConfig } from '../../../../shared/core/config/read/load';

const NOW = Date.parse('2026-11-16T09:30:15.250Z');
const REGARDING = { apiVersion: 'v1', kind: 'ConfigMap', name: 'headroom-schedules' };
const REFUSED = { regarding: REGARDING, type: 'Warning', reason: 'SchedulesRefused', note: 'line 3' } as const;
const data = { 'f:data': {} };

function configWith(liveSchedules: boolean): Config {
  const text = `cluster: {name: demo, region: eu-west-1, liveSchedules: ${liveSchedules}}\nnodePools: {web: {max: 3}}\n`;
  const result = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!result.ok) throw new Error('not valid');
  return result.config;
}

/** An API that answers every create with `answer`. */
function recorder(answer: () => Promise<object> = async () => ({})) {
  const created: [string, Record<string, unknown>][] = [];
  const create = async (path: string, body: object) => {
    created.push([path, body as Record<string, unknown>]);
    return answer();
  };
  const get = async () => {
    throw new KubeError({ method: 'GET', path: '/' }, 404, 'NotFound', 'no such ConfigMap');
  };
  return { created, transport: { create, get } as unknown as Parameters<typeof readLive>[1] };
}

it.each([
  [
    'the last writer of the data, whatever the order',
    [
      ['argocd', 9, data],
      ['kubectl', 11, data],
      ['vim', 10, data],
    ],
    'kubectl',
    11,
  ],
  [
    'nobody who wrote something else',
    [
      ['kubectl', 9, data],
      ['labeler', 12, { 'f:metadata': {} }],
    ],
    'kubectl',
    9,
  ],
  [
    'nobody whose fields are unknown',
    [
      ['kubectl', 9, data],
      ['old', 12, undefined],
    ],
    'kubectl',
    9,
  ],
  ['somebody without a name', [[undefined, 9, data]], 'somebody', 9],
] as const)('says that the live schedules were edited by %s', (_, writers, by, hour) => {
  const managedFields = writers.map(([manager, at, fieldsV1]) => ({
    ...(manager && { manager }),
    time: new Date(Date.UTC(2026, 10, 16, at)),
    ...(fieldsV1 && { fieldsV1 }),
  }));
  const { edit } = liveConfigMap({ metadata: { managedFields } });
  expect(edit).toEqual({ by, at: new Date(Date.UTC(2026, 10, 16, hour)).toISOString() });
});

it('says nothing about an editor whom managedFields do not date', () => {
  expect(liveConfigMap({ metadata: { managedFields: [{ manager: 'x', fieldsV1: data }] } })).toEqual({
    data: {},
    binaryKeys: [],
  });
});

it('takes data, the keys of binaryData and the uid of the ConfigMap', () => {
  expect(liveConfigMap({ metadata: { uid: 'u1' }, data: { text: 'x' }, binaryData: { a: 'AA', b: 'AA' } })).toEqual({
    data: { text: 'x' },
    binaryKeys: ['a', 'b'],
    uid: 'u1',
  });
});

it('takes a ConfigMap that is not there for gone', async () => {
  expect(await readConfigMap(recorder().transport, 'headroom')).toBeUndefined();
});

it('neither reads nor reports where live schedules are off', () => {
  expect(readLive(configWith(false), recorder().transport)).toEqual({});
  expect(keptLive(configWith(false))).toEqual({});
  expect(keptLive(configWith(true)).live?.read).toBeUndefined();
  expect(readLive(configWith(true), recorder().transport).live?.read).toBeDefined();
});

it('creates an Event that kubectl describe shows at the ConfigMap', async () => {
  const { created, transport } = recorder();
  await readLive(configWith(true), transport).emit?.(REFUSED, NOW);
  expect(created).toEqual([
    [
      '/apis/events.k8s.io/v1/namespaces/headroom/events',
      {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: expect.stringMatching(/^headroom-schedules\.\w+$/), namespace: 'headroom' },
        eventTime: '2026-11-16T09:30:15.250000Z',
        reportingController: 'headstart.dev/headstart',
        reportingInstance: 'headstart',
        action: 'Reconcile',
        type: 'Warning',
        reason: 'SchedulesRefused',
        note: 'line 3',
        regarding: { ...REGARDING, namespace: 'headroom' },
      },
    ],
  ]);
});

it.each([
  ['the same text within the hour has the same name', REFUSED, NOW + 60_000, true],
  ['the same text an hour later has another', REFUSED, NOW + 3_600_000, false],
  ['another text has another', { ...REFUSED, note: 'line 4' }, NOW, false],
  ['another reason has another', { ...REFUSED, reason: 'Other' }, NOW, false],
] as const)('creates one Event an hour for one problem: %s', async (_, event, at, isSame) => {
  const { created, transport } = recorder();
  const { emit } = readLive(configWith(true), transport);
  await emit?.(REFUSED, NOW);
  await emit?.(event, at);
  const [first, second] = created.map(([, { metadata }]) => (metadata as { name: string }).name);
  expect(first === second).toBe(isSame);
});

it.each([
  [340, 'x'.repeat(340)],
  [341, `${'x'.repeat(337)}...`],
])('shortens a note of %i characters to what the API accepts', async (length, note) => {
  const { created, transport } = recorder();
  await readLive(configWith(true), transport).emit?.({ ...REFUSED, note: 'x'.repeat(length) }, NOW);
  expect(created[0]?.[1].note).toBe(note);
});

it('does not mind that the Event exists, and minds everything else', async () => {
  const failing = (status: number) =>
    recorder(async () => {
      throw new KubeError({ method: 'POST', path: '/events' }, status, 'No', 'no');
    }).transport;
  const emit = (status: number) => readLive(configWith(true), failing(status)).emit?.(REFUSED, NOW);
  await expect(emit(409)).resolves.toBeUndefined();
  await expect(emit(403)).rejects.toThrow('no');
  const broken = recorder(async () => {
    throw new TypeError('socket');
  }).transport;
  await expect(readLive(configWith(true), broken).emit?.(REFUSED, NOW)).rejects.toThrow('socket');
});
