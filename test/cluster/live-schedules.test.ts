import { runtimeGroup } from '../../shared/core/basics/names';
import type { StatusResponse } from '../../shared/core/handle';
import type { Response } from '../../shared/core/respond';
import { heartbeat } from './functions/events';
import { type Installation, install } from './functions/installation';
import { virtualTime } from './functions/virtual-time';
import { locateProgram } from './harness/build/binaries';
import type { Cluster } from './harness/cluster';
import { eventually } from './harness/process/eventually';
import { runCommand } from './harness/process/run-command';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const POOLS = {
  web: {
    max: 9,
    leadTime: '5m',
    schedules: [{ name: 'always', timezone: 'UTC', start: '0 0 * * *', end: '1 0 1 1 *', desiredReplicas: 2 }],
  },
  batch: { base: 1, max: 3 },
};
const always = (size: number) =>
  `{name: always, timezone: UTC, start: 0 0 * * *, end: 1 0 1 1 *, desiredReplicas: ${size}}`;
const textOf = (size: number) => `nodePools:\n  web:\n    schedules:\n      - ${always(size)}\n`;
const BROKEN = textOf(5).replace('0 0 * * *', '0 99 * * *');
const APPLY = 'application/apply-patch+yaml';

describeCluster('schedules that are edited in the cluster', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let headstart: Installation;
  let now = 0;

  const configMaps = () => `/api/v1/namespaces/${headstart.namespace}/configmaps`;
  const path = () => `${configMaps()}/headroom-schedules`;
  const manifest = (data: object) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'headroom-schedules', namespace: headstart.namespace },
    ...data,
  });
  /** Server-side apply, as Argo CD and Flux do it. */
  const apply = (text: string, manager = 'argocd-controller', force = true) =>
    cluster.admin.request(
      'PATCH',
      `${path()}?fieldManager=${manager}&force=${force}`,
      manifest({ data: { 'schedules.yaml': text } }),
      APPLY,
    );
  const beat = async () => {
    now += 1;
    return headstart.invoke<Response>('reconcile', heartbeat(minute(now)), minute(now));
  };
  const size = async (nodePool = 'web') => (await headstart.headroom(nodePool)).spec.replicas;
  const sizeAfterBeat = async () => {
    await beat();
    return size();
  };
  const statusOf = async () =>
    (await headstart.invoke<StatusResponse>('inflate', { status: true }, minute(now))).status[0];

  beforeEach(async () => {
    cluster = await sharedCluster();
    headstart = await install(cluster, { nodePools: POOLS, liveSchedules: true });
    now = 0;
    await beat();
  });

  afterEach(() => headstart?.remove());

  test('a window counts at the next heartbeat, with who wrote it; all functions count it', async () => {
    await apply(textOf(6));
    expect(await size()).toBe(2);
    expect(await sizeAfterBeat()).toBe(6);
    const status = await statusOf();
    expect(status?.reasons[0]).toMatch(
      /^always \(live since 2\d{3}-\d\d-\d\dT\d\d:\d\dZ by argocd-controller\) open since/,
    );
    const override = { headroom: 'web', atLeast: 8, for: '10m', by: 'ana', reason: 'sale' };
    await headstart.invoke('inflate', override, minute(now));
    expect(await size()).toBe(8);
    await headstart.invoke('inflate', { headroom: 'web', release: true }, minute(now) + 1_000);
    expect(await size()).toBe(6);
  });

  test('kubectl apply, edit and delete do the same', async () => {
    const kubectl = locateProgram('kubectl');
    const { kubeconfigPath } = await cluster.issueClient('product-team', ['system:masters']);
    const run = (args: readonly string[], input = '') =>
      runCommand({
        program: kubectl,
        args: ['--kubeconfig', kubeconfigPath, '-n', headstart.namespace, ...args],
        input,
      });
    await run(['apply', '-f', '-'], JSON.stringify(manifest({ data: { 'schedules.yaml': textOf(4) } })));
    expect(await sizeAfterBeat()).toBe(4);
    expect((await statusOf())?.live?.by).toBe('kubectl-client-side-apply');
    await run(['delete', 'configmap', 'headroom-schedules']);
    expect(await sizeAfterBeat()).toBe(4);
  });

  test('a broken edit changes nothing, and is an Event on the ConfigMap with line and column', async () => {
    await apply(textOf(6));
    await beat();
    await apply(BROKEN);
    expect(await sizeAfterBeat()).toBe(6);
    const problem = expect.stringMatching(
      /schedules\.yaml:4:39: nodePools\.web\.schedules\[0\]\.start has "99" in the hour; .*, in the line "- \{name: always/,
    );
    expect(await statusOf()).toMatchObject({ liveProblem: problem });
    const events = await eventually(async () => {
      const found = await cluster.admin.list<{ note?: string; regarding?: { uid?: string; name?: string } }>(
        `/apis/events.k8s.io/v1/namespaces/${headstart.namespace}/events`,
      );
      const ours = found.filter(({ regarding }) => regarding?.name === 'headroom-schedules');
      return ours.length > 0 && ours;
    });
    expect(events).toEqual([
      expect.objectContaining({ note: problem, regarding: expect.objectContaining({ uid: expect.any(String) }) }),
    ]);
  });

  test('two managers: without force the second is refused, with two keys nothing changes', async () => {
    await apply(textOf(6));
    await beat();
    expect((await apply(textOf(3), 'headstart-cli', false)).status).toBe(409);
    await cluster.admin.request(
      'PATCH',
      `${path()}?fieldManager=other`,
      manifest({ data: { other: textOf(3) } }),
      APPLY,
    );
    expect(await sizeAfterBeat()).toBe(6);
    expect((await statusOf())?.liveProblem).toContain('has 2 keys in data');
  });

  test('the functions may read this one ConfigMap, write none, and create Events', async () => {
    const { api } = await cluster.issueClient('headstart-live', [runtimeGroup(headstart.namespace)]);
    const status = async (method: string, at: string, body?: object) => (await api.request(method, at, body)).status;
    await apply(textOf(6));
    expect(await status('GET', path())).toBe(200);
    expect(await status('GET', configMaps())).toBe(403);
    expect(await status('GET', `${configMaps()}/kube-root-ca.crt`)).toBe(403);
    expect(await status('DELETE', path())).toBe(403);
    expect(await status('PUT', path(), manifest({}))).toBe(403);
    const events = `/apis/events.k8s.io/v1/namespaces/${headstart.namespace}/events`;
    expect(await status('DELETE', `${events}/any`)).toBe(403);
  });
});
