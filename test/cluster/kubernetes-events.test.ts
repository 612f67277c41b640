import type { Response } from '../../shared/core/respond';
import { heartbeat } from './functions/events';
import { type Installation, install } from './functions/installation';
import { virtualTime } from './functions/virtual-time';
import type { KubeObject } from './harness/api-client';
import { locateProgram } from './harness/build/binaries';
import type { Cluster } from './harness/cluster';
import { runCommand } from './harness/process/run-command';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

interface EventObject extends KubeObject {
  readonly reason: string;
  readonly type: string;
  readonly note: string;
  readonly regarding: { readonly kind: string; readonly name: string };
}

describeCluster('Kubernetes Events on the headroom', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let headstart: Installation;

  const beat = (now: number) => headstart.invoke<Response>('reconcile', heartbeat(minute(now)), minute(now));
  const inflate = (atLeast: number) =>
    headstart.invoke<Response>(
      'inflate',
      { headroom: 'web', atLeast, for: '30m', by: 'ana', reason: 'sale' },
      minute(2) + atLeast,
    );
  const eventsPath = () => `/apis/events.k8s.io/v1/namespaces/${headstart.namespace}/events`;
  const notes = async () =>
    (await cluster.admin.list<EventObject>(eventsPath()))
      .filter(({ reason }) => reason.startsWith('Headroom'))
      .map(({ type, reason, regarding, note }) => `${type} ${reason} ${regarding.name}: ${note}`);
  const kubectl = async (...args: readonly string[]) => {
    const { kubeconfigPath } = await cluster.issueClient('reader', ['system:masters']);
    const program = locateProgram('kubectl');
    return runCommand({ program, args: ['--kubeconfig', kubeconfigPath, '-n', headstart.namespace, ...args] });
  };

  beforeEach(async () => {
    cluster = await sharedCluster();
    headstart = await install(cluster, { nodePools: { web: { base: 2, max: 9 }, batch: { max: 3 } } });
  });

  afterEach(() => headstart?.remove());

  test('kubectl get events and describe show what was written, and nothing more comes while nothing is written', async () => {
    await beat(0);
    await beat(1);
    await inflate(5);
    const sized = 'Normal HeadroomResized headroom-web: from';
    expect((await notes()).toSorted()).toEqual([
      `${sized} 0 to 2 replicas: base: 2 nodes`,
      expect.stringMatching(`^${sized} 2 to 5 replicas: Override by ana: 2 → 5 until .+$`),
    ]);
    const described = await kubectl('describe', 'deployment', 'headroom-web');
    expect(described).toMatch(
      /Normal +HeadroomResized .+ headstart\.dev\/headstart +from 0 to 2 replicas: base: 2 nodes/,
    );
    expect(await kubectl('get', 'events')).toMatch(/HeadroomResized +deployment\/headroom-web +from 2 to 5 replicas/);
  });
});
