import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { loadEvent } from '../../events/load-event';
import { configOf } from '../../fakes/fake-runtime';
import { tempFolder } from '../../fakes/temp-folder';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const folder = tempFolder();
const before = process.env;
const lines: string[] = [];
const transports: { readonly options: object; readonly asked: string[] }[] = [];
const alarms: unknown[] = [];
const quickOffsets = jest.fn();
const wakeProps: { readonly transport: Pick<KubeTransport, 'get' | 'delete'> }[] = [];
/** What the cluster answers to every read. */
let refusal: number | undefined;

jest.doMock('../../../shared/core/windows/zone', () => ({
  ...jest.requireActual('../../../shared/core/windows/zone'),
  useQuickOffsets: quickOffsets,
}));
jest.doMock('../../../shared/adapters/aws/cloudwatch-alarms', () => ({
  cloudWatchAlarms: (props: object) => ({ until: (deadline: number) => alarms.push({ ...props, deadline }) }),
}));
jest.doMock('../../../shared/adapters/kube/pause-pods', () => ({
  wakePorts: (_config: unknown, props: (typeof wakeProps)[number]) => {
    wakeProps.push(props);
    return { wakeUp: jest.fn() };
  },
}));
jest.doMock('../../../shared/adapters/kube/kube-transport', () => ({
  kubeTransport: (_connection: unknown, options: object) => {
    const asked: string[] = [];
    transports.push({ options, asked });
    const call = async (path: string) => {
      asked.push(path);
      const { KubeError } = await import('../../../shared/adapters/kube/kube-error');
      if (refusal) throw new KubeError({ method: 'GET', path }, refusal, 'Reason', 'why');
      return { items: [] };
    };
    return { get: call, create: call, delete: call };
  },
}));

function deploy(more = '', environment: Readonly<Record<string, string>> = {}) {
  const config = configOf('  web: {max: 9, base: 1}\n', '', `, namespace: spare${more}`);
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  process.env = {
    HEADSTART_OWNER: 'owner',
    HEADSTART_ENDPOINT: 'https://127.0.0.1:1',
    HEADSTART_CA: Buffer.from('ca').toString('base64'),
    LAMBDA_TASK_ROOT: folder,
    ...environment,
  };
}

beforeEach(() => {
  jest.resetModules();
  jest.spyOn(Date, 'now').mockReturnValue(NOW);
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  transports.length = alarms.length = lines.length = 0;
  refusal = undefined;
  deploy();
});
afterEach(() => {
  jest.restoreAllMocks();
  process.env = before;
});

const compose = () => import('../../../lambdas/runtime/compose');
const context = { getRemainingTimeInMillis: () => 10_000 };

test('a function acts by the config beside it, for its owner, by the clock of its machine, and composes once', async () => {
  const { runtime } = await compose();
  const [first, second] = [await runtime(), await runtime()];
  expect(first).toMatchObject({ owner: 'owner', config: { cluster: { name: 'demo', namespace: 'spare' } } });
  expect(first.now()).toBe(NOW);
  expect(second.config).toBe(first.config);
  expect(second.ports.cluster).not.toBe(first.ports.cluster);
});

test('without an owner nothing starts, and the next invocation tries again', async () => {
  delete process.env.HEADSTART_OWNER;
  const { runtime } = await compose();
  await expect(runtime()).rejects.toThrow(
    'HEADSTART_OWNER is required: whose headroom this is, as the CDK app sets it',
  );
  process.env.HEADSTART_OWNER = 'later';
  expect((await runtime()).owner).toBe('later');
});

test('two seconds before Lambda ends it, an invocation is done with the cluster and CloudWatch', async () => {
  await (await compose()).runtime(context);
  const deadline = NOW + 8_000;
  expect(transports.map(({ options }) => options)).toEqual([{ deadline }, { deadline, maxTries: 1, budgetMs: 2_000 }]);
  expect(alarms).toEqual([{ region: 'ap-northeast-2', deadline }]);
});

test('reconcile wakes up with calls of one short try, and repeats a delete, whose claim is spent', async () => {
  await import('../../../lambdas/runtime/reconcile');
  const { ports } = await (await compose()).runtime(context);
  expect(ports).toHaveProperty('wakeUp');
  const { transport } = wakeProps.at(-1) ?? {};
  await transport?.get('events');
  await transport?.delete('pod');
  const deadline = NOW + 8_000;
  expect(transports.filter(({ asked }) => asked.length > 0)).toEqual([
    { options: { deadline, maxTries: 1, budgetMs: 2_000 }, asked: ['events'] },
    { options: { deadline, timeoutMs: 2_000 }, asked: ['pod'] },
  ]);
});

test('reads and Events go to the namespace, log and metrics to standard output', async () => {
  const { ports } = await (await compose()).runtime();
  await ports.cluster.listHeadrooms();
  await ports.cluster.listHeadrooms();
  const regarding = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'headroom-web' };
  await ports.emit?.({ regarding, type: 'Normal', reason: 'R', note: 'n' }, NOW);
  expect(transports.map(({ asked }) => asked)).toEqual([
    [expect.stringContaining('/namespaces/spare/deployments?')],
    ['/apis/events.k8s.io/v1/namespaces/spare/events'],
  ]);
  ports.log.info('x', {});
  ports.metrics.count('errors', 1);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', message: 'x' },
    { _aws: { Timestamp: NOW }, Cluster: 'demo', Errors: 1 },
  ]);
});

test("sleeps grow with jitter, and offsets are the process's own", async () => {
  const { ports } = await (await compose()).runtime();
  const { jitteredSleep } = await import('../../../shared/adapters/process/sleep');
  const { hostOffset } = await import('../../../shared/adapters/process/host-offset');
  expect(ports.sleep).toBe(jitteredSleep);
  expect(quickOffsets).toHaveBeenLastCalledWith(hostOffset);
  expect(ports).not.toHaveProperty('live');
});

test('outside Lambda the config lies beside the code', async () => {
  const { LAMBDA_TASK_ROOT: _none, ...rest } = process.env;
  process.env = rest;
  await expect((await compose()).runtime()).rejects.toThrow(join('lambdas', 'runtime', 'config.json'));
});

test('with live schedules the functions count by them', async () => {
  deploy(', liveSchedules: true');
  const { runtime, useLive } = await compose();
  useLive((await import('../../../shared/adapters/kube/live-ports')).keptLive);
  expect((await runtime()).ports.live).toBeDefined();
});

test('a heartbeat that the cluster refuses fails with the type of the error, for a deploy to explain', async () => {
  refusal = 401;
  const { handler } = await import('../../../lambdas/runtime/reconcile');
  await expect(handler(loadEvent('heartbeat', { time: '2026-11-16T03:00:00Z' }), context)).rejects.toMatchObject({
    name: 'ClusterUnauthenticated',
  });
  expect(transports[0]?.options).toEqual({ deadline: NOW + 8_000 });
});

test.each(['alarm', 'announce', 'inflate', 'interruption'])('%s ends before its deadline', async (name) => {
  const { handler } = await import(`../../../lambdas/runtime/${name}`);
  await handler({ Records: [] }, context);
  expect(transports[0]?.options).toEqual({ deadline: NOW + 8_000 });
});

test('announce reads messages about announced peaks, and nothing else', async () => {
  const { handler } = await import('../../../lambdas/runtime/announce');
  const body = JSON.stringify(loadEvent('heartbeat'));
  expect(await handler({ Records: [{ messageId: 'a', body }] })).toEqual({ batchItemFailures: [] });
  expect(lines.join('')).toContain('event has no object at announced, got nothing');
});

test('an override is logged with the id of its invocation', async () => {
  refusal = 403;
  const { handler } = await import('../../../lambdas/runtime/inflate');
  const override = { headroom: 'web', atLeast: 3, for: '30m', by: 'ana' };
  await expect(handler(override, { ...context, awsRequestId: 'r-1' })).rejects.toThrow('403');
  const received = lines.map((line) => JSON.parse(line)).find(({ message }) => message === 'override received');
  expect(received).toMatchObject({ level: 'info', headroom: 'web', requestId: 'r-1' });
});
