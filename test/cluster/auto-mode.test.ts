import { randomUUID } from 'node:crypto';
import { heartbeat } from './functions/events';
import { type HeadroomObject, type Installation, install } from './functions/installation';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { nodePool } from './harness/manifests';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

interface Placed extends HeadroomObject {
  readonly spec: HeadroomObject['spec'] & {
    readonly template: {
      readonly spec: {
        readonly affinity: {
          readonly nodeAffinity: {
            readonly requiredDuringSchedulingIgnoredDuringExecution: {
              readonly nodeSelectorTerms: readonly { readonly matchExpressions: readonly object[] }[];
            };
          };
        };
      };
    };
  };
}

describeCluster('a NodePool of EKS Auto Mode', () => {
  const name = `auto-${randomUUID().slice(0, 8)}`;
  const made = nodePool({ name });
  const spec = made.spec as { readonly template: { readonly spec: object } };
  const nodeClassRef = { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' };
  const pool = {
    ...made,
    spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, nodeClassRef } } },
  };
  const minute = virtualTime();
  let cluster: Cluster;
  let headstart: Installation;

  beforeAll(async () => {
    cluster = await sharedCluster();
    headstart = await install(cluster, {
      nodePools: { [name]: { base: 2, max: 5, unit: { floor: { cpu: 4, memory: '16Gi' } } } },
    });
    await cluster.admin.apply(pool);
  });

  afterAll(async () => {
    await headstart?.remove();
    await cluster.admin.remove(await cluster.admin.pathOf(pool));
  });

  test('is taken by the API, and its floor asks for sizes by the labels of that node class', async () => {
    await headstart.invoke('reconcile', heartbeat(minute(0)), minute(0));
    const { replicas, template } = ((await headstart.headroom(name)) as Placed).spec;
    const [term] = template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
    expect(replicas).toBe(2);
    expect(term?.matchExpressions).toEqual([
      { key: 'eks.amazonaws.com/instance-cpu', operator: 'Gt', values: ['3'] },
      { key: 'eks.amazonaws.com/instance-memory', operator: 'Gt', values: ['16383'] },
    ]);
  });
});
