import type { CoreV1Event, KubernetesObject, V1Deployment, V1Node, V1Pod } from '@kubernetes/client-node';
import { orMissing } from '../../shared/adapters/kube-error';
import type { KubeTransport } from '../../shared/adapters/kube-transport';
import { headroomName, KARPENTER_NODEPOOL_LABEL, NODEPOOL_LABEL } from '../../shared/core/basics/names';
import type { NodeClaimFields, NodePoolFields } from '../../shared/core/karpenter/objects';
import { mapRead, type Read, read, readOr } from './read';

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface PodFacts {
  readonly name: string;
  /** Absent while it waits for a place. */
  readonly node?: string;
  readonly ready: boolean;
  readonly unschedulable?: string;
  /** Why its container does not run, such as an image that cannot be pulled. */
  readonly waiting?: string;
}

export interface NodeFacts {
  readonly name: string;
  readonly createdAt: number;
}

export interface ClaimFacts {
  readonly name: string;
  readonly createdAt: number;
  readonly nodeName?: string;
  readonly conditions: readonly Condition[];
}

export interface PoolFacts {
  readonly limits: Readonly<Record<string, string>>;
  readonly used: Readonly<Record<string, string>>;
  readonly conditions: readonly Condition[];
}

/** What the cluster shows of one NodePool's headroom and of the nodes that come for it. */
export interface CapacityFacts {
  readonly nodePool: string;
  readonly pods: readonly PodFacts[];
  readonly nodes: readonly NodeFacts[];
  readonly claims: readonly ClaimFacts[];
  /** `undefined`: there is no such NodePool. */
  readonly pool: Read<PoolFacts | undefined>;
  /** Conditions of the Deployment itself. */
  readonly conditions: readonly Condition[];
  /** Why pods got no place, by the scheduler or by Karpenter; the newest last. */
  readonly events: readonly { readonly pod: string; readonly from: string; readonly message: string }[];
}

type NodeClaim = KubernetesObject & Partial<NodeClaimFields>;
type NodePool = KubernetesObject & Partial<NodePoolFields>;

/** Looks with the caller's own rights; what they do not allow to read counts as not there. */
export async function readCapacity(
  transport: KubeTransport,
  namespace: string,
  nodePool: string,
): Promise<CapacityFacts> {
  const list = async <T extends KubernetesObject>(path: string, selector?: string) =>
    readOr(await read(transport.list<T>(path, selector)), []);
  const ofPool = `${KARPENTER_NODEPOOL_LABEL}=${nodePool}`;
  const inNamespace = `/api/v1/namespaces/${namespace}`;
  const deploymentPath = `/apis/apps/v1/namespaces/${namespace}/deployments/${headroomName(nodePool)}`;
  const [pods, nodes, claims, events, pool, deployment] = await Promise.all([
    list<V1Pod>(`${inNamespace}/pods`, `${NODEPOOL_LABEL}=${nodePool}`),
    list<V1Node>('/api/v1/nodes', ofPool),
    list<NodeClaim>('/apis/karpenter.sh/v1/nodeclaims', ofPool),
    list<CoreV1Event & KubernetesObject>(`${inNamespace}/events`),
    read(orMissing(transport.get<NodePool>(`/apis/karpenter.sh/v1/nodepools/${nodePool}`))),
    read(transport.get<V1Deployment>(deploymentPath)),
  ]);
  return {
    nodePool,
    pods: pods.filter(({ metadata }) => !metadata?.deletionTimestamp).map(podFacts),
    nodes: nodes.map(named),
    claims: claims.map(claimFacts),
    pool: mapRead(pool, (found) => found && poolFacts(found)),
    conditions: deployment.ok ? (deployment.value.status?.conditions ?? []) : [],
    events: eventFacts(events, new Set(pods.map(({ metadata }) => metadata?.name ?? ''))),
  };
}

function claimFacts(claim: NodeClaim): ClaimFacts {
  const { nodeName, conditions = [] } = claim.status ?? {};
  return { ...named(claim), ...(nodeName && { nodeName }), conditions };
}

function poolFacts({ spec, status }: NodePool): PoolFacts {
  return { limits: texts(spec?.limits), used: texts(status?.resources), conditions: status?.conditions ?? [] };
}

function named({ metadata }: KubernetesObject): NodeFacts {
  return { name: metadata?.name ?? '', createdAt: new Date(metadata?.creationTimestamp ?? 0).getTime() };
}

function texts(map: Readonly<Record<string, string | number>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));
}

function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return (conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

function podFacts({ metadata, spec, status }: V1Pod): PodFacts {
  const scheduled = (status?.conditions ?? []).find(({ type }) => type === 'PodScheduled');
  const waiting = status?.containerStatuses?.map(({ state }) => state?.waiting).find((one) => one !== undefined);
  return {
    name: metadata?.name ?? '',
    ...(spec?.nodeName && { node: spec.nodeName }),
    ready: isTrue(status?.conditions, 'Ready'),
    ...(scheduled?.status === 'False' && { unschedulable: scheduled.message ?? scheduled.reason ?? 'not scheduled' }),
    ...(waiting && waiting.reason !== 'ContainerCreating' && { waiting: [waiting.reason, waiting.message].join(': ') }),
  };
}

function eventFacts(events: readonly CoreV1Event[], own: ReadonlySet<string>): CapacityFacts['events'] {
  const at = (event: CoreV1Event) => new Date(event.eventTime ?? event.lastTimestamp ?? 0).getTime();
  return events
    .filter(({ involvedObject, reason }) => own.has(involvedObject.name ?? '') && reason === 'FailedScheduling')
    .sort((a, b) => at(a) - at(b))
    .map(({ involvedObject, source, reportingComponent, message }) => ({
      pod: involvedObject.name ?? '',
      from: source?.component ?? reportingComponent ?? '',
      message: message ?? '',
    }));
}
