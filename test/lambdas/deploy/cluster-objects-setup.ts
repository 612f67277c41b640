import { type ClusterObjectsPorts, handleClusterObjects } from '../../../lambdas/deploy/handle-cluster-objects';
import { clusterObjects, type Manifest } from '../../../shared/core/manifests/cluster-objects';
import { OPEN } from './facts';
import { kubeWorld } from './kube-world';
import { fakeClock, memoryLog, request } from './requests';

export const LABELS = { 'app.kubernetes.io/managed-by': 'headstart' };
export const OWN = clusterObjects('headroom');
export const OWN_NAMES = [
  'ClusterRole headstart-runtime-headroom',
  'ClusterRoleBinding headstart-runtime-headroom',
  'Namespace headroom',
  'PriorityClass headstart-headroom',
  'Role headroom/headstart-runtime',
  'RoleBinding headroom/headstart-runtime',
];

/** A cluster, a clock that the handler's sleeps move, and the handler that applies objects to that cluster. */
type ClusterObjectsSetup = Awaited<ReturnType<typeof setUpClusterObjects>>;

/** Sets one up before each test of the file, and ends it afterwards. */
export function useClusterObjects(): ClusterObjectsSetup {
  const setup = {} as ClusterObjectsSetup;
  beforeEach(async () => Object.assign(setup, await setUpClusterObjects()));
  afterEach(() => setup.world.close());
  return setup;
}

async function setUpClusterObjects() {
  const world = await kubeWorld();
  const clock = fakeClock();
  const log = memoryLog();
  const handle = (event: ReturnType<typeof request>, ports: Partial<ClusterObjectsPorts> = {}) =>
    handleClusterObjects(event, {
      connect: async () => world.transport,
      objects: OWN,
      stackStatus: async () => 'UPDATE_COMPLETE',
      describe: async () => OPEN,
      now: clock.now,
      sleep: clock.sleep,
      log,
      deadline: Number.POSITIVE_INFINITY,
      ...ports,
    });
  return {
    world,
    clock,
    log,
    handle,
    created: (objects: readonly Manifest[] = OWN) => handle(request('Create'), { objects }),
  };
}

export function nodePool(name: string, labels: Readonly<Record<string, string>> = LABELS): Manifest {
  const requirements = [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }];
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name };
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name, labels },
    spec: { template: { spec: { nodeClassRef, requirements } } },
  };
}

export function nodeClass(name: string, labels: Readonly<Record<string, string>> = LABELS): Manifest {
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name, labels },
    spec: { role: 'nodes' },
  };
}

/** The namespace, with something that keeps it from ending, or no longer. */
export function namespace(finalizers: readonly string[]): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'headroom', labels: LABELS, ...{ finalizers } } };
}
