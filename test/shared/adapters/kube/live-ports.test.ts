import { KubeError } from '../../../../shared/adapters/kube/kube-error';
import { keptLive, liveConfigMap, readConfigMap, readLive } from '../../../../shared/adapters/kube/live-ports';
import type { Config } from '../../../../shared/core/config/config';
import { loadConfig } from '../../../../shared/core/config/read/load';

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

it('reads the ConfigMap of its namespace', async () => {
  const paths: string[] = [];
  const get = async (path: string) => {
    paths.push(path);
    return { metadata: { uid: 'u1' }, data: { text: 'x' } };
  };
  const transport = { get } as unknown as Parameters<typeof readLive>[1];
  expect(await readConfigMap(transport, 'spare')).toStrictEqual({ data: { text: 'x' }, binaryKeys: [], uid: 'u1' });
  expect(await readLive(configWith(true), transport).live?.read?.(0)).toMatchObject({ uid: 'u1' });
  expect(paths).toEqual(
    ['spare', 'headroom'].map((namespace) => `/api/v1/namespaces/${namespace}/configmaps/headroom-schedules`),
  );
});

it('takes an empty ConfigMap for what it is', () => {
  expect(liveConfigMap({})).toStrictEqual({ data: {}, binaryKeys: [] });
  expect(liveConfigMap({ metadata: {} })).toStrictEqual({ data: {}, binaryKeys: [] });
});

it('counts by what is kept, where live schedules are on', () => {
  expect(keptLive(configWith(true)).live?.effective).toBeInstanceOf(Function);
});
