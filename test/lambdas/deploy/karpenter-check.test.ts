import { handleKarpenterCheck } from '../../../lambdas/deploy/handlers/handle-karpenter-check';
import { type KubeWorld, kubeWorld } from './kube-world';
import { fakeClock, memoryLog, request } from './requests';

let world: KubeWorld;
beforeEach(async () => {
  world = await kubeWorld();
});
afterEach(() => world.close());

const handle = (type: 'Create' | 'Update' | 'Delete', adopt = 'false', before = 'id-1') => {
  const properties = {
    release: 'karpenter',
    namespace: 'kube-system',
    adopt,
    clusterId: 'id-1',
    installedBy: '123456789012/eu-central-1/Demo',
  };
  return handleKarpenterCheck(
    request(type, properties, { OldResourceProperties: { ...properties, clusterId: before } }),
    {
      ...fakeClock(),
      connect: async () => world.transport,
      log: memoryLog(),
      deadline: Number.POSITIVE_INFINITY,
    },
  );
};

function controller(namespace: string, annotations: Readonly<Record<string, string>>, app = 'karpenter') {
  const labels = { 'app.kubernetes.io/name': app };
  world.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  world.put({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'karpenter', namespace, labels, annotations },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'controller', image: 'karpenter' }] } },
    },
  });
}
const HELM = { 'meta.helm.sh/release-name': 'karpenter' };

test('a cluster without Karpenter is fine, and so is any Deployment that is not its controller', async () => {
  controller('shop', HELM, 'shop');
  await expect(handle('Create')).resolves.toEqual({ physicalResourceId: 'karpenter-check-demo' });
  expect(world.writes()).toEqual([]);
});

describe('a release that exists already', () => {
  beforeEach(() => controller('kube-system', HELM));

  test('is refused, with what to write', async () => {
    await expect(handle('Create')).rejects.toThrow(
      'Karpenter is already installed as Deployment kube-system/karpenter (Helm release karpenter); write helm: {adopt: true} under karpenter to upgrade it with every deploy and never uninstall it, or helm: {install: false} to leave it alone',
    );
  });

  test('is taken where the config adopts it', async () => {
    await expect(handle('Create', 'true')).resolves.toMatchObject({ physicalResourceId: 'karpenter-check-demo' });
  });

  test('is our own at an update', async () => {
    await expect(handle('Update')).resolves.toMatchObject({ physicalResourceId: 'karpenter-check-demo' });
  });

  test('is somebody else’s at an update of a cluster that was created again', async () => {
    await expect(handle('Update', 'false', 'id-0')).rejects.toThrow('Karpenter is already installed');
    await expect(handle('Update', 'true', 'id-0')).resolves.toMatchObject({
      physicalResourceId: 'karpenter-check-demo',
    });
  });
});

describe('a release with the name of a stack on it', () => {
  const signed = (by: string) => controller('kube-system', { ...HELM, 'headstart.dev/installed-by': by });

  test('is our own at a first deploy: one before it was rolled back', async () => {
    signed('123456789012/eu-central-1/Demo');
    await expect(handle('Create')).resolves.toMatchObject({ physicalResourceId: 'karpenter-check-demo' });
  });

  test('is refused where it is the name of another stack', async () => {
    signed('123456789012/eu-central-1/Other');
    await expect(handle('Create')).rejects.toThrow('Karpenter is already installed');
  });
});

test.each([
  { name: 'in another namespace', namespace: 'karpenter', annotations: HELM, fix: ', or namespace: karpenter' },
  { name: 'that Helm did not install', namespace: 'kube-system', annotations: {}, fix: '' },
])('a controller $name is refused always: two would fight over every node', async (row) => {
  controller(row.namespace, row.annotations);
  for (const made of [handle('Create'), handle('Create', 'true'), handle('Update', 'true')])
    await expect(made).rejects.toThrow(
      new RegExp(
        `^Karpenter already runs as Deployment ${row.namespace}/karpenter .*install: false} under karpenter${row.fix}$`,
      ),
    );
});

test('a delete asks nobody, also when the cluster is gone', async () => {
  world.refuse = () => 401;
  await expect(handle('Delete')).resolves.toEqual({ physicalResourceId: 'thing' });
});
