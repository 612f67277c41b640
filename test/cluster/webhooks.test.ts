import type { DecisionResponse, Response } from '../../shared/core/respond';
import { heartbeat } from './functions/events';
import { type HeadroomObject, type Installation, install } from './functions/installation';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { eventually } from './harness/eventually';
import { describeCluster, sharedCluster } from './harness/shared-cluster';
import { type PatchStep, startWebhook, type Webhook, type WebhookOptions } from './harness/webhook';
import { type Pod, podsOf } from './workload/pods';

interface PodSpec {
  readonly containers: readonly { readonly name: string; readonly image: string }[];
}

const MIRROR = 'mirror.example.com/';
const CAP = 2;

/** As registries that are mirrored are rewritten. */
function mirrored({ containers }: PodSpec, path: string): readonly PatchStep[] {
  return containers.map(({ image }, index) => ({
    op: 'replace',
    path: `${path}/containers/${index}/image`,
    value: image.startsWith(MIRROR) ? image : `${MIRROR}${image}`,
  }));
}

/** As service meshes and log shippers add themselves. */
function withSidecar({ containers }: PodSpec, path: string): readonly PatchStep[] {
  const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  const value = { name: 'sidecar', image: 'sidecar', securityContext };
  return containers.some(({ name }) => name === 'sidecar') ? [] : [{ op: 'add', path: `${path}/containers/-`, value }];
}

function capped({ spec }: HeadroomObject): readonly PatchStep[] {
  return spec.replicas > CAP ? [{ op: 'replace', path: '/spec/replicas', value: CAP }] : [];
}

const TEMPLATE = '/spec/template/spec';

describeCluster("somebody else's mutating webhook", () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let headstart: Installation;
  let webhook: Webhook | undefined;

  const tick = async (at: number): Promise<DecisionResponse | undefined> => {
    const { decisions } = await headstart.invoke<Response>('reconcile', heartbeat(minute(at)), minute(at));
    return decisions[0];
  };
  const pin = (exactly: number, at: number) =>
    headstart.invoke('inflate', { nodePool: 'hooked', exactly, for: '10m' }, minute(at));
  const size = async () => (await headstart.headroom('hooked')).spec.replicas;
  async function mutateBy<T>(resource: 'deployments' | 'pods', mutate: WebhookOptions<T>['mutate']): Promise<Webhook> {
    webhook = await startWebhook(cluster, { resource, namespace: headstart.namespace, mutate });
    return webhook;
  }

  beforeEach(async () => {
    cluster = await sharedCluster();
    headstart = await install(cluster, { nodePools: { hooked: { base: 3, max: 5 } } });
  });

  afterEach(async () => {
    await webhook?.remove();
    webhook = undefined;
    await headstart?.remove();
  });

  test.each([
    { name: 'mirrors their images', mutate: mirrored, containers: [`${MIRROR}registry.k8s.io/pause:3.10`] },
    { name: 'adds a sidecar', mutate: withSidecar, containers: ['registry.k8s.io/pause:3.10', 'sidecar'] },
  ])('one that changes pods ($name) is none of our business', async ({ mutate, containers }) => {
    await mutateBy<Pod & { readonly spec: PodSpec }>('pods', ({ spec }) => mutate(spec, '/spec'));
    await tick(0);
    const pods = await eventually(async () => {
      const found = await podsOf(cluster, headstart.namespace);
      return found.length === 3 && found;
    });
    expect(pods.flatMap(({ spec }) => (spec as PodSpec).containers.map(({ image }) => image))).toEqual([
      ...containers,
      ...containers,
      ...containers,
    ]);
    expect(await tick(1)).toMatchObject({ change: 'none' });
  });

  test.each([
    { name: 'mirrors the image', mutate: ({ spec }: HeadroomObject) => mirrored(spec.template.spec, TEMPLATE) },
    { name: 'adds a sidecar', mutate: ({ spec }: HeadroomObject) => withSidecar(spec.template.spec, TEMPLATE) },
  ])('one that $name of the Deployment delays no size', async ({ mutate }) => {
    await mutateBy('deployments', mutate);
    const sizes: number[] = [];
    for (const [at, exactly] of [3, 4, 2, 5].entries()) {
      await pin(exactly, at);
      sizes.push(await size());
    }
    expect(sizes).toEqual([3, 4, 2, 5]);
  });

  test('one that caps replicas gets its way, and sizes below the cap take effect at once', async () => {
    await mutateBy('deployments', capped);
    await pin(5, 0);
    expect(await size()).toBe(CAP);
    await pin(1, 1);
    expect(await size()).toBe(1);
  });

  test.each([
    {
      name: 'mirrors the image',
      mutate: ({ spec }: HeadroomObject) => mirrored(spec.template.spec, TEMPLATE),
      field: 'spec.template.spec.containers[0].image',
    },
    {
      name: 'adds a sidecar',
      mutate: ({ spec }: HeadroomObject) => withSidecar(spec.template.spec, TEMPLATE),
      field: 'spec.template.spec.containers',
    },
    { name: 'caps replicas', mutate: capped, field: 'spec.replicas' },
  ])('one that $name is fought a few times and reported once', async ({ mutate, field }) => {
    await mutateBy('deployments', mutate);
    const written: number[] = [];
    for (let at = 0; at <= 16; at += 1) if ((await tick(at))?.change !== 'none') written.push(at);
    // The first writes the headroom itself; what is stored carries the webhook's change already.
    expect(written.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(written.slice(6)).toHaveLength(1);
    const reported = headstart.linesOf('reconcile').filter(({ message }) => message === 'field contested');
    expect(reported).toEqual([expect.objectContaining({ level: 'error', nodePool: 'hooked', field })]);
  });

  test('one that is down makes the functions fail, and the next tick after it is right', async () => {
    const down = await mutateBy('deployments', () => []);
    await tick(0);
    await down.goAway();
    await expect(pin(4, 1)).rejects.toThrow(/NodePool hooked: .*failed calling webhook/);
    await down.remove();
    await eventually(() => pin(4, 2), { what: 'the apiserver to forget the webhook' });
    expect(await size()).toBe(4);
  });
});
