import type { KubernetesObject, V1Deployment } from '@kubernetes/client-node';
import { ConflictError } from '../../core/basics/errors';
import { FIELD_MANAGER, KARPENTER_NODEPOOL_LABEL, MANAGED_BY, MANAGED_BY_LABEL } from '../../core/basics/names';
import { texts } from '../../core/config/schema/quantity';
import type { NodeClaimShape } from '../../core/karpenter/can-land';
import { conditionText, type NodeClaimFields, type NodePoolFields } from '../../core/karpenter/objects';
import { ANNOTATIONS } from '../../core/manifests/annotations';
import { type DeploymentManifest, ZONE_LABEL } from '../../core/manifests/pause-deployment';
import { readyPods } from '../../core/manifests/ready-pods';
import type { Cluster, CurrentHeadroom, NodeClaimFacts, NodePoolFacts, NodeStart } from '../../core/ports/ports';
import { KubeError, orMissing } from './kube-error';
import type { KubeTransport } from './kube-transport';
import { listInPages, readInPages, type Table } from './list-in-pages';

type NodePool = KubernetesObject & Partial<NodePoolFields>;
type NodeClaim = KubernetesObject & Partial<NodeClaimFields>;

/**
 * No Deployment has this version: an apply that carries it creates what is missing, and conflicts with what is there.
 * A create would own its fields as an update, and a later apply could not remove them.
 */
const NO_VERSION = '1';

/** Stores headroom in Deployments: the size as replicas, the record as an annotation. */
export function kubeCluster(transport: KubeTransport, namespace: string): Cluster {
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const at = (name: string) => `${deployments}/${encodeURIComponent(name)}`;
  const apply = async (manifest: DeploymentManifest, resourceVersion: string) => {
    const guarded = { ...manifest, metadata: { ...manifest.metadata, resourceVersion } };
    return currentHeadroom(
      await orConflict(transport.apply<V1Deployment>(at(manifest.metadata.name), guarded, FIELD_MANAGER)),
    );
  };
  return {
    listHeadrooms: () =>
      listInPages(transport, deployments, {
        labelSelector: `${MANAGED_BY_LABEL}=${MANAGED_BY}`,
        facts: (deployment: V1Deployment) => [currentHeadroom(deployment)],
      }),
    readHeadroom: async (name) => {
      const found = await orMissing(transport.get<V1Deployment>(at(name)));
      if (found && !isOurs(found))
        throw new Error(
          `Deployment ${name} in ${namespace} is not Headstart's (no label ${MANAGED_BY_LABEL}: ${MANAGED_BY}); rename it, or write another cluster.namespace`,
        );
      return found && currentHeadroom(found);
    },
    createHeadroom: (manifest) => apply(manifest, NO_VERSION),
    applyHeadroom: apply,
    deleteHeadroom: async ({ name, uid, resourceVersion }) => {
      await orMissing(orConflict(transport.delete(at(name), { uid, resourceVersion })));
    },
    listNodePools: () => listInPages(transport, '/apis/karpenter.sh/v1/nodepools', { facts: nodePoolFacts }),
    readNodeClaims: (begin, { nodePools, instancesOnly } = {}) => {
      const visitClaims = () => {
        const visit = begin();
        return (claim: NodeClaim) =>
          visit(
            instancesOnly
              ? { facts: instanceOf(claim) }
              : { facts: nodeClaimFacts(claim), shape: nodeClaimShape(claim), start: nodeStart(claim) },
          );
      };
      return readInPages(transport, '/apis/karpenter.sh/v1/nodeclaims', visitClaims, {
        labelSelector: nodePools && `${KARPENTER_NODEPOOL_LABEL} in (${nodePools.join(', ')})`,
        ...(instancesOnly && { fromTable: claimsInTable }),
      });
    },
    kubernetesMinor: async () => {
      const { minor } = await transport.get<KubernetesObject & { minor: string }>('/version');
      return Number.parseInt(minor, 10);
    },
  };
}

/** Ours by label, or by an annotation if somebody removed the label. */
function isOurs({ metadata }: V1Deployment): boolean {
  const { labels = {}, annotations = {} } = metadata ?? {};
  return (
    labels[MANAGED_BY_LABEL] === MANAGED_BY ||
    annotations[ANNOTATIONS.owner] !== undefined ||
    annotations[ANNOTATIONS.decided] !== undefined
  );
}

function nodePoolFacts({ metadata, spec, status }: NodePool): NodePoolFacts[] {
  const { taints = [], requirements = [], nodeClassRef } = spec?.template?.spec ?? {};
  const zones = requirements.find(({ key, operator }) => key === ZONE_LABEL && operator === 'In')?.values;
  const group = nodeClassRef && { nodeClassGroup: nodeClassRef.group };
  const ready = (status?.conditions ?? []).find(({ type }) => type === 'Ready');
  return [
    {
      name: metadata?.name ?? '',
      taints,
      ...(zones && { zones }),
      ...group,
      ...(spec?.limits && { limits: texts(spec.limits) }),
      ...(status?.resources && { used: texts(status.resources) }),
      ...(ready?.status === 'False' && { notReady: conditionText(ready) }),
    },
  ];
}

/** In the order in which they become true. */
const START_CONDITIONS = ['Launched', 'Registered', 'Initialized'];

function nodeStart({ metadata, status }: NodeClaim): NodeStart | undefined {
  const nodePool = metadata?.labels?.[KARPENTER_NODEPOOL_LABEL];
  const createdAt = Date.parse(String(metadata?.creationTimestamp));
  if (nodePool === undefined || Number.isNaN(createdAt)) return undefined;
  const conditions = START_CONDITIONS.map((type) => (status?.conditions ?? []).find((one) => one.type === type));
  const waiting = conditions.find((one) => one?.status !== 'True');
  const initialized = conditions.at(-1);
  const initializedAt = initialized?.status === 'True' ? Date.parse(initialized.lastTransitionTime ?? '') : Number.NaN;
  return {
    nodePool,
    id: metadata?.uid ?? '',
    createdAt,
    ...(!Number.isNaN(initializedAt) && { initializedAt }),
    deleting: metadata?.deletionTimestamp !== undefined,
    ...(waiting && { waitsFor: `${waiting.type}: ${conditionText(waiting)}` }),
  };
}

function nodeClaimShape({ metadata, spec, status }: NodeClaim): NodeClaimShape {
  return {
    labels: metadata?.labels ?? {},
    taints: spec?.taints ?? [],
    deleting: metadata?.deletionTimestamp !== undefined,
    launched: status?.providerID !== undefined && status.providerID !== '',
  };
}

/** The columns of `kubectl get nodeclaims -o wide` that hold the provider id and the label of the NodePool. */
const [ID_COLUMN, NODEPOOL_COLUMN] = ['ID', 'NodePool'];

/** As much of the NodeClaims as `instanceOf` reads. */
function claimsInTable({ columnDefinitions, rows }: Table): readonly NodeClaim[] | undefined {
  const at = (column: string) => columnDefinitions.findIndex(({ name }) => name === column);
  const [id, nodePool] = [at(ID_COLUMN), at(NODEPOOL_COLUMN)];
  if (id < 0 || nodePool < 0) return undefined;
  return (rows ?? []).map(({ cells }) => ({
    metadata: { labels: { [KARPENTER_NODEPOOL_LABEL]: String(cells[nodePool] ?? '') } },
    status: { providerID: String(cells[id] ?? '') },
  }));
}

function nodeClaimFacts(claim: NodeClaim): NodeClaimFacts | undefined {
  const instance = instanceOf(claim);
  return instance && { ...instance, deleting: claim.metadata?.deletionTimestamp !== undefined };
}

function instanceOf({ metadata, status }: NodeClaim): NodeClaimFacts | undefined {
  // aws:///ap-northeast-2a/i-0abc...; kwok:///name on a test cluster.
  const instanceId = status?.providerID?.split('/').at(-1);
  const nodePool = metadata?.labels?.[KARPENTER_NODEPOOL_LABEL];
  return instanceId && nodePool ? { instanceId, nodePool } : undefined;
}

export function currentHeadroom(deployment: V1Deployment): CurrentHeadroom {
  const { metadata, spec } = deployment;
  const scaledBy = replicasOwner(deployment);
  const changedBy = lastWriter(deployment);
  const writtenAt = ownWrite(deployment);
  return {
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    resourceVersion: metadata?.resourceVersion ?? '',
    replicas: spec?.replicas ?? 1,
    ready: readyPods(deployment) ?? 0,
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? {},
    ...(writtenAt !== undefined && { writtenAt }),
    ...(scaledBy !== undefined && { scaledBy }),
    ...(changedBy !== undefined && { changedBy }),
    ...(metadata?.deletionTimestamp !== undefined && { deleting: true }),
    object: deployment,
  };
}

/** The manager other than Headstart that owns `spec.replicas`, by managedFields. */
function replicasOwner({ metadata }: V1Deployment): string | undefined {
  const owners = (metadata?.managedFields ?? []).filter(({ manager, fieldsV1 }) => {
    const fields = fieldsV1 as { 'f:spec'?: { 'f:replicas'?: unknown } } | undefined;
    return manager !== FIELD_MANAGER && fields?.['f:spec']?.['f:replicas'] !== undefined;
  });
  return owners.at(-1)?.manager;
}

/** The manager other than Headstart that last wrote to the object; status updates do not count. */
function lastWriter({ metadata }: V1Deployment): string | undefined {
  const others = (metadata?.managedFields ?? []).filter(
    ({ manager, subresource }) => manager !== FIELD_MANAGER && subresource !== 'status',
  );
  const time = (entry: { time?: unknown }) => Date.parse(String(entry.time ?? ''));
  return others.sort((a, b) => time(a) - time(b)).at(-1)?.manager;
}

/** When Headstart's own write last changed something. */
function ownWrite({ metadata }: V1Deployment): number | undefined {
  const own = (metadata?.managedFields ?? []).filter(({ manager }) => manager === FIELD_MANAGER);
  const times = own.map(({ time }) => Date.parse(String(time))).filter((at) => !Number.isNaN(at));
  return times.length === 0 ? undefined : Math.max(...times);
}

async function orConflict<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof KubeError && error.status === 409) throw new ConflictError(error.message, { cause: error });
    throw error;
  }
}
