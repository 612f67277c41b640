import { randomUUID } from 'node:crypto';
import { installOnePool, type OnePool } from '../functions/one-pool';
import { nodePool } from '../harness/manifests';
import { describeCluster } from '../harness/shared-cluster';

describeCluster('a NodePool of EKS Auto Mode', () => {
  const name = `auto-${randomUUID().slice(0, 8)}`;
  const made = nodePool({ name });
  const spec = made.spec as { readonly template: { readonly spec: object } };
  const nodeClassRef = { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' };
  const pool = { ...made, spec: { template: { spec: { ...spec.template.spec, nodeClassRef } } } };
  let one: OnePool;

  beforeAll(async () => {
    one = await installOnePool(name, { base: 2, max: 5, unit: { floor: { cpu: 4, memory: '16Gi' } } });
    await one.cluster.admin.apply(pool);
  });

  afterAll(async () => {
    await one?.headstart.remove();
    await one?.cluster.admin.remove(`/apis/karpenter.sh/v1/nodepools/${name}`);
  });

  test('is accepted by the API, and its floor asks for sizes by the labels of that node class', async () => {
    expect(await one.tick(0)).toMatchObject({ replicas: 2 });
    const template = JSON.stringify((await one.headroom()).spec.template);
    expect(template).toContain('{"key":"eks.amazonaws.com/instance-cpu","operator":"Gt","values":["3"]}');
    expect(template).toContain('{"key":"eks.amazonaws.com/instance-memory","operator":"Gt","values":["16383"]}');
  });
});
