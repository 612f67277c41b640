import {
  type ClusterObjectsPorts,
  handleClusterObjects,
} from '../../../lambdas/deploy/handlers/handle-cluster-objects';
import type { DeployedObjects } from '../../../lambdas/deploy/objects/deployed-objects';
import { changeObjects, type ObjectPorts } from '../../../lambdas/deploy/objects/object-changes';
import { functionError } from '../../../shared/adapters/aws/invoke-function';
import { withClusterErrorType } from '../../../shared/adapters/kube/cluster-error';
import { clusterObjects, type Manifest } from '../../../shared/core/manifests/cluster-object-manifests';
import { deployRights } from '../../../shared/core/manifests/deploy-rights';
import { OPEN } from './facts';
import { kubeWorld } from './kube-world';
import { fakeClock, memoryLog, request } from './requests';

export const LABELS = { 'app.kubernetes.io/managed-by': 'headstart' };
export const OWN = clusterObjects('headroom');
/** `Role headroom/headstart-runtime` and the like: what a deploy leaves on the cluster. */
export const OWN_NAMES = namesIn('headroom');
export const DEPLOYER = 'arn:aws:iam::123456789012:role/headstart/ABCDEF/one/objects';
export const HEADROOM_OWNER = '123456789012/ap-northeast-2/demo/headroom/Headstart-demo';
/** What the template gives the custom resource. */
export const PROPERTIES = {
  clusterId: OPEN.id,
  functionName: 'change-objects',
  deployer: DEPLOYER,
  adminPolicy: 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy',
};
export const PHYSICAL_ID = 'cluster-objects-demo-ABCDEF';

export function namesIn(namespace: string): readonly string[] {
  return [
    `ClusterRole headstart-deploy-${namespace}`,
    `ClusterRole headstart-runtime-${namespace}`,
    `ClusterRoleBinding headstart-deploy-${namespace}`,
    `ClusterRoleBinding headstart-runtime-${namespace}`,
    `Namespace ${namespace}`,
    `NetworkPolicy ${namespace}/headstart-no-network`,
    `PriorityClass headstart-${namespace}`,
    `ResourceQuota ${namespace}/headstart-pause-pods-only`,
    `Role ${namespace}/headstart-deploy`,
    `Role ${namespace}/headstart-runtime`,
    `RoleBinding ${namespace}/headstart-deploy`,
    `RoleBinding ${namespace}/headstart-runtime`,
  ];
}

/** These objects with the rights that their deploying role keeps. */
export function deployedObjects(objects: readonly Manifest[]): DeployedObjects {
  const namespace = objects.find(({ kind }) => kind === 'Namespace')?.metadata.name ?? 'headroom';
  return { objects, rights: deployRights({ what: 'deploy', namespace, objects }) };
}

/** A cluster, a clock that the handler's sleeps move, and the handler that applies objects to that cluster. */
type ClusterObjectsSetup = Awaited<ReturnType<typeof setUpClusterObjects>>;

/** Sets one up before each test of the file, and ends it afterwards. */
export function useClusterObjects(): ClusterObjectsSetup {
  const setup = {} as ClusterObjectsSetup;
  beforeEach(async () => Object.assign(setup, await setUpClusterObjects()));
  afterEach(() => setup.world.close());
  return setup;
}

export type Ports = Partial<ClusterObjectsPorts & Pick<ObjectPorts, 'connect' | 'headroomOwner'>> & {
  /** What lies beside the code. */
  readonly objects?: readonly Manifest[];
};

async function setUpClusterObjects() {
  const world = await kubeWorld();
  const clock = fakeClock();
  const log = memoryLog();
  const dropped: string[] = [];
  const requested: string[] = [];
  const handle = (event: ReturnType<typeof request>, { objects = OWN, connect, ...ports }: Ports = {}) => {
    const common = { now: clock.now, sleep: clock.sleep, log, deadline: Number.POSITIVE_INFINITY, ...ports };
    return handleClusterObjects(event, {
      stackStatus: async () => 'UPDATE_IN_PROGRESS',
      describe: async () => OPEN,
      // As Lambda does it: what the other function throws arrives as its name and message.
      send: async (_function, _region, sent) => {
        requested.push(sent.action);
        const deployed = deployedObjects(objects);
        return changeObjects(sent, {
          ...common,
          deployed,
          connect: connect ?? (async () => world.transport),
          headroomOwner: HEADROOM_OWNER,
        }).catch((error: unknown) => {
          const { name: errorType, message: errorMessage } = withClusterErrorType(error) as Error;
          throw functionError(JSON.stringify({ errorType, errorMessage }));
        });
      },
      dropAdmin: async ({ principalArn }) => {
        dropped.push(principalArn);
      },
      ring: () => {},
      ...common,
    });
  };
  return {
    world,
    clock,
    log,
    handle,
    /** What the function that talks to the cluster was asked for. */
    requested: requested as readonly string[],
    /** The roles that lost the admin policy. */
    dropped: dropped as readonly string[],
    created: (objects: readonly Manifest[] = OWN) => handle(request('Create', PROPERTIES), { objects }),
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
