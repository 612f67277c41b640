import { handleKarpenterCheck } from '../../../lambdas/deploy/handlers/handle-karpenter-check';
import { messageOf } from '../../../shared/core/basics/errors';
import { golden } from '../../golden/golden';
import { type KubeWorld, kubeWorld } from './kube-world';
import { fakeClock, memoryLog, request } from './requests';

const said = golden(`${__dirname}/karpenter-check.txt`);
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

const signed = (by: string) => ({ ...HELM, 'headstart.dev/installed-by': `123456789012/eu-central-1/${by}` });
interface Row {
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly namespace?: string;
  readonly type?: 'Update';
  readonly adopt?: 'true';
  readonly before?: string;
}
const OTHER = { name: 'that finds a controller in another namespace', annotations: HELM, namespace: 'karpenter' };
const BY_HAND = { name: 'that finds a controller that Helm did not install', annotations: {} };
const RECREATED = { annotations: HELM, type: 'Update', before: 'id-0' } as const;
test.each<Row>([
  { name: 'a first deploy that finds a release', annotations: HELM },
  { name: 'a first deploy that adopts it', annotations: HELM, adopt: 'true' },
  { name: 'a first deploy after one that was rolled back', annotations: signed('Demo') },
  { name: 'a first deploy that finds the release of another stack', annotations: signed('Other') },
  { name: 'an update with its own release', annotations: HELM, type: 'Update' },
  { ...RECREATED, name: 'an update of a cluster that was created again' },
  { ...RECREATED, name: 'an update of a cluster that was created again, which adopts', adopt: 'true' },
  // Two controllers would fight over every node.
  ...[OTHER, BY_HAND].flatMap((row): Row[] => [
    { ...row, name: `a first deploy ${row.name}` },
    { ...row, name: `a first deploy that adopts and ${row.name}`, adopt: 'true' },
    { ...row, name: `an update that adopts and ${row.name}`, type: 'Update', adopt: 'true' },
  ]),
])('$name', async ({ name, annotations, namespace = 'kube-system', type = 'Create' as const, adopt, before }) => {
  controller(namespace, annotations);
  const found = handle(type, adopt, before).then(
    ({ physicalResourceId }) => `goes on: ${physicalResourceId}`,
    messageOf,
  );
  said(name, await found);
});

test('a delete asks nobody, also when the cluster is gone', async () => {
  world.refuse = () => 401;
  await expect(handle('Delete')).resolves.toEqual({ physicalResourceId: 'thing' });
});
