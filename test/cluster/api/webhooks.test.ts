import type { HeadroomObject } from '../functions/installation';
import { installOnePool, type OnePool } from '../functions/one-pool';
import { eventually } from '../harness/process/eventually';
import { describeCluster } from '../harness/shared-cluster';
import { type PatchStep, startWebhook, type Webhook, type WebhookOptions } from '../harness/webhook';
import { type Pod, podsOf } from '../workload/pods';

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
  let one: OnePool;
  let webhook: Webhook | undefined;

  async function mutateBy<T>(
    resource: 'deployments' | 'pods',
    mutate: NonNullable<WebhookOptions<T>['mutate']>,
  ): Promise<Webhook> {
    webhook = await startWebhook(one.cluster, { resource, namespace: one.headstart.namespace, mutate });
    return webhook;
  }

  beforeEach(async () => {
    one = await installOnePool('hooked', { base: 3, max: 5 });
  });

  afterEach(async () => {
    await webhook?.remove();
    webhook = undefined;
    await one?.headstart.remove();
  });

  test.each([
    { name: 'mirrors their images', mutate: mirrored, containers: [`${MIRROR}registry.k8s.io/pause:3.10`] },
    { name: 'adds a sidecar', mutate: withSidecar, containers: ['registry.k8s.io/pause:3.10', 'sidecar'] },
  ])('one that changes pods ($name) is none of our business', async ({ mutate, containers }) => {
    await mutateBy<Pod & { readonly spec: PodSpec }>('pods', ({ spec }) => mutate(spec, '/spec'));
    await one.tick(0);
    const pods = await eventually(async () => {
      const found = await podsOf(one.cluster, one.headstart.namespace);
      return found.length === 3 && found;
    });
    expect(pods.flatMap(({ spec }) => (spec as PodSpec).containers.map(({ image }) => image))).toEqual([
      ...containers,
      ...containers,
      ...containers,
    ]);
    expect(await one.tick(1)).toMatchObject({ change: 'none' });
  });

  test.each([
    { name: 'mirrors the image', mutate: ({ spec }: HeadroomObject) => mirrored(spec.template.spec, TEMPLATE) },
    { name: 'adds a sidecar', mutate: ({ spec }: HeadroomObject) => withSidecar(spec.template.spec, TEMPLATE) },
  ])('one that $name of the Deployment delays no size', async ({ mutate }) => {
    await mutateBy('deployments', mutate);
    const sizes: number[] = [];
    for (const [at, exactly] of [3, 4, 2, 5].entries()) {
      await one.pin(exactly, at);
      sizes.push(await one.size());
    }
    expect(sizes).toEqual([3, 4, 2, 5]);
  });

  test('one that caps replicas gets its way, and sizes below the cap take effect at once', async () => {
    await mutateBy('deployments', capped);
    await one.pin(5, 0);
    expect(await one.size()).toBe(CAP);
    await one.pin(1, 1);
    expect(await one.size()).toBe(1);
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
    for (let at = 0; at <= 16; at += 1) if ((await one.tick(at))?.change !== 'none') written.push(at);
    // The first writes the headroom itself; what is stored carries the webhook's change already.
    expect(written.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(written.slice(6)).toHaveLength(1);
    const reported = one.headstart.linesOf('reconcile').filter(({ message }) => message === 'field contested');
    expect(reported).toEqual([expect.objectContaining({ level: 'error', headroom: 'hooked', field })]);
  });

  test('one that is down makes the functions fail, and the next tick after it is right', async () => {
    const down = await mutateBy('deployments', () => []);
    await one.tick(0);
    await down.goAway();
    await expect(one.pin(4, 1)).rejects.toThrow(/headroom hooked: .*failed calling webhook/);
    await down.remove();
    await eventually(() => one.pin(4, 2), { what: 'the apiserver to forget the webhook' });
    expect(await one.size()).toBe(4);
  });
});
