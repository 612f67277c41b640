import { randomUUID } from 'node:crypto';
import type { Response } from '../../shared/core/respond';
import { heartbeat } from './functions/events';
import { type HeadroomObject, type Installation, install } from './functions/installation';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { eventually } from './harness/eventually';
import { nodePool } from './harness/manifests';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

type Tolerating = HeadroomObject & {
  readonly spec: { readonly template: { readonly spec: { readonly tolerations?: readonly object[] } } };
};

const TAINT = { key: 'dedicated', value: 'ci', effect: 'NoSchedule' };
const TOLERATION = { ...TAINT, operator: 'Equal' };

describeCluster('a NodePool that vanishes and comes back', () => {
  const name = `vanishing-${randomUUID().slice(0, 8)}`;
  // Of another node class, so that the Karpenter of this cluster leaves it alone.
  const pool = nodePool({ name, taints: [TAINT], nodeClass: 'none' });
  const minute = virtualTime();
  let cluster: Cluster;
  let headstart: Installation;

  const tick = (at: number) => headstart.invoke<Response>('reconcile', heartbeat(minute(at)), minute(at));
  const tolerations = async () => ((await headstart.headroom(name)) as Tolerating).spec.template.spec.tolerations;
  const told = () => headstart.linesOf('reconcile').filter((line) => 'MissingNodePools' in line).length;
  const status = (at: number) => headstart.invoke('inflate', { status: true }, minute(at));

  beforeAll(async () => {
    cluster = await sharedCluster();
    headstart = await install(cluster, { nodePools: { [name]: { base: 2, max: 5 } } });
    await cluster.admin.apply(pool);
  });

  afterAll(async () => {
    await headstart?.remove();
    await cluster.admin.remove(await cluster.admin.pathOf(pool));
  });

  test('its headroom keeps its tolerations and follows its decisions, and the loss is told', async () => {
    await tick(0);
    expect(await tolerations()).toEqual([TOLERATION]);
    expect(told()).toBe(0);

    const path = await cluster.admin.pathOf(pool);
    await cluster.admin.remove(path);
    await eventually(async () => (await cluster.admin.find(path)) === undefined, { what: 'the end of the NodePool' });
    const { decisions } = await tick(1);
    expect(decisions).toMatchObject([{ change: 'none', replicas: 2 }]);
    expect(told()).toBe(1);
    expect(await status(1)).toMatchObject({ status: [{ headroom: name, noSuchNodePool: true }] });

    await headstart.invoke('inflate', { headroom: name, exactly: 4, for: '5m' }, minute(2));
    expect((await headstart.headroom(name)).spec.replicas).toBe(4);
    expect(await tolerations()).toEqual([TOLERATION]);

    await cluster.admin.apply(pool);
    await tick(3);
    expect(told()).toBe(1);
    expect(await tolerations()).toEqual([TOLERATION]);
  });
});
