import type { HeadroomConfig } from '../../../shared/core/config/config';
import { nodePoolManifests } from '../../../shared/core/karpenter/node-pools';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import { pauseDeployment } from '../../../shared/core/manifests/pause-deployment';
import { configIn } from '../../fakes/loaded-config';
import { configOf } from '../functions/installation';
import type { Cluster } from '../harness/cluster';
import { applyCrds } from '../harness/crds';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { ec2NodeClassCrd } from '../schemas/ec2-node-class';

const NAMESPACE = 'manifests';
const STRICT = 'fieldValidation=Strict&dryRun=All';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods?${STRICT}`;
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments?${STRICT}`;

function deploymentOf(pool: HeadroomConfig) {
  return pauseDeployment({
    pool,
    namespace: NAMESPACE,
    replicas: pool.base,
    annotations: {},
    defaultTolerations: [{ key: 'dedicated', operator: 'Equal', value: 'ci', effect: 'NoSchedule' }],
    imageVolumes: true,
  });
}

describeCluster('the manifests', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await sharedCluster();
    for (const object of clusterObjects(NAMESPACE)) await cluster.admin.apply(object);
  });

  afterAll(() => cluster.admin.remove(`/api/v1/namespaces/${NAMESPACE}`));

  test.each(clusterObjects(NAMESPACE).map((object) => ({ name: object.kind, object })))(
    'a $name passes strict validation',
    async ({ object }) => {
      const path = `${await cluster.admin.pathOf(object)}?${STRICT}&fieldManager=headstart&force=true`;
      expect(await cluster.admin.request('PATCH', path, object, 'application/apply-patch+yaml')).toMatchObject({
        status: 200,
      });
    },
  );

  test.each([
    { name: 'the defaults', pool: {} },
    {
      name: 'the node unit with a smallest node',
      pool: { unit: { node: { cpu: 2 } }, minNode: { cpu: 4, memory: '8Gi' } },
    },
    { name: 'slices', pool: { unit: { slice: { cpu: '500m', memory: '1Gi', 'ephemeral-storage': '1Gi' } } } },
    { name: 'extended resources', pool: { unit: { slice: { cpu: 1, 'nvidia.com/gpu': 1 } } } },
    { name: 'a spread over zones', pool: { zones: 'spread' } },
    { name: 'warm images', pool: { warmImages: ['example.com/app:1', 'example.com/other@sha256:abc'] } },
    { name: 'tolerations of its own', pool: { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }] } },
    { name: 'affinity', pool: { nodeAffinity: [{ key: 'team', operator: 'In', values: ['a'] }] } },
    { name: 'a selector', pool: { nodeSelector: { team: 'a' } } },
  ])('headroom with $name passes strict validation and Pod Security "restricted"', async ({ pool }) => {
    const [nodePool] = configOf(NAMESPACE, { default: { base: 1, max: 3, ...pool } }).headrooms;
    if (nodePool === undefined) throw new Error('the config has no NodePool');
    const manifest = deploymentOf(nodePool);
    const answer = await cluster.admin.request('POST', DEPLOYMENTS, manifest);
    expect(answer).toMatchObject({ status: 201, body: { spec: manifest.spec } });
    // Pod Security looks at pods, not at their templates.
    const pod = { metadata: { name: 'one', ...manifest.spec.template.metadata }, spec: manifest.spec.template.spec };
    expect(await cluster.admin.request('POST', PODS, pod)).toMatchObject({
      status: 201,
      body: { spec: { priority: -10, preemptionPolicy: 'Never' } },
    });
  });

  test.each([
    { name: 'a privileged container', container: { securityContext: { privileged: true } }, spec: {} },
    { name: "the host's network", container: {}, spec: { hostNetwork: true } },
    { name: 'no security context at all', container: {}, spec: {} },
  ])('a pod with $name is refused in the namespace', async ({ container, spec }) => {
    const pod = { metadata: { name: 'bad' }, spec: { ...spec, containers: [{ name: 'a', image: 'a', ...container }] } };
    expect(await cluster.admin.request('POST', PODS, pod)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('violates PodSecurity "restricted') },
    });
  });
});

describeCluster('the NodePools and EC2NodeClasses that a config generates', () => {
  let cluster: Cluster;
  let path: string;

  beforeAll(async () => {
    cluster = await sharedCluster();
    const crd = await ec2NodeClassCrd();
    await applyCrds(cluster.admin, [crd]);
    path = await cluster.admin.pathOf(crd);
  });

  afterAll(() => cluster.admin.remove(path));

  test.each(
    [undefined, 'dev', 'staging'].flatMap((env) =>
      nodePoolManifests(configIn('examples/full.yaml', env)).map((manifest) => ({
        name: `${manifest.kind} ${manifest.metadata.name} of the full example${env === undefined ? '' : ` for ${env}`}`,
        manifest,
      })),
    ),
  )('$name is accepted', async ({ manifest }) => {
    const target = `${await cluster.admin.pathOf(manifest)}?${STRICT}&fieldManager=headstart&force=true`;
    const answer = await cluster.admin.request('PATCH', target, manifest, 'application/apply-patch+yaml');
    expect(answer).toMatchObject({ status: 201, body: { kind: manifest.kind } });
  });
});
