import type { Taint } from '../../../../shared/core/karpenter/objects';
import { INSTANCE_LABELS } from '../../../../shared/pricing/instance-types';
import type { Draft } from '../../kube/object-store';
import type { Condition, NodeClaim, StringMap } from '../../kube/object-types';
import type { LeavingReason, NodeRef } from '../state/facts';
import { writeAmounts } from '../state/resource-amounts';
import type { Offer } from './offers';
import type { Pool } from './pools';

const TERMINATION = 'karpenter.sh/termination';
export const DISRUPTED: Taint = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' };
const NOT_READY: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const IMAGE = 'ami-0simulated0000000';

export interface Machine {
  readonly ref: NodeRef;
  readonly pool: Pool;
  readonly offer: Offer;
  readonly labels: StringMap;
  readonly orderedAt: number;
  phase: 'Ordered' | Phase;
  readyAt?: number;
  leaving?: LeavingReason;
  /** EC2 has sent an interruption notice. */
  noticed?: true;
}

/** The NodeClaim of an ordered node, before the instance is chosen. */
export function newNodeClaim(ref: NodeRef, pool: Pool, requests: ReadonlyMap<string, number>): Draft {
  const { template } = pool.object.spec;
  const { name, uid } = pool.object.metadata;
  const { nodeClassRef = { group: INSTANCE_LABELS, kind: 'EC2NodeClass', name: 'default' } } = template.spec;
  return {
    metadata: {
      name: ref.nodeClaim,
      generateName: `${name}-`,
      generation: 1,
      labels: pool.labels,
      finalizers: [TERMINATION],
      ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name, uid, blockOwnerDeletion: true }],
    },
    spec: {
      requirements: template.spec.requirements ?? [],
      nodeClassRef,
      ...(pool.taints.length > 0 && { taints: pool.taints }),
      resources: { requests: writeAmounts(requests) },
      ...(template.spec.expireAfter && { expireAfter: template.spec.expireAfter }),
    },
    status: {},
  };
}

export type Phase = 'Launched' | 'Registered' | 'Initialized';
const PHASES: readonly Phase[] = ['Launched', 'Registered', 'Initialized'];

export function claimStatus({ ref, offer }: Machine, reached: Phase, now: string, old: NodeClaim['status']) {
  const done = PHASES.indexOf(reached);
  const conditions = PHASES.map((type, index) => condition(type, index <= done, now, old));
  const ready = condition('Ready', reached === 'Initialized', now, old);
  return {
    providerID: `aws:///${ref.zone}/${ref.instanceId}`,
    imageID: IMAGE,
    capacity: writeAmounts(offer.capacity),
    allocatable: writeAmounts(offer.allocatable),
    ...(done >= 1 && { nodeName: ref.node }),
    conditions: [...conditions, ready],
  };
}

function condition(type: string, met: boolean, now: string, old: NodeClaim['status']): Condition {
  const status = met ? 'True' : 'Unknown';
  const before = old?.conditions?.find((one) => one.type === type);
  const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
  return { type, status, reason: met ? type : 'AwaitingReconciliation', message: '', lastTransitionTime };
}

/** The Node of an instance that has registered and is not ready yet. */
export function newNode({ ref, pool, offer, labels }: Machine, now: string): Draft {
  return {
    metadata: {
      name: ref.node,
      labels: { ...labels, 'kubernetes.io/hostname': ref.node, 'karpenter.sh/registered': 'true' },
      finalizers: [TERMINATION],
    },
    spec: { providerID: `aws:///${ref.zone}/${ref.instanceId}`, taints: [...pool.taints, NOT_READY] },
    status: {
      capacity: writeAmounts(offer.capacity),
      allocatable: writeAmounts(offer.allocatable),
      conditions: [nodeReady('False', now)],
      addresses: [
        { type: 'InternalIP', address: ref.node.replace(/^ip-([\d-]+)\..*/, '$1').replaceAll('-', '.') },
        { type: 'Hostname', address: ref.node },
      ],
      nodeInfo: {
        kubeletVersion: 'v1.35.4-eks-simulated',
        osImage: 'Simulated Linux',
        kernelVersion: '0.0.0-simulated',
        containerRuntimeVersion: 'containerd://simulated',
        operatingSystem: 'linux',
        architecture: offer.type.arch,
      },
    },
  };
}

export function nodeReady(status: 'True' | 'False', now: string): Condition {
  const reason = status === 'True' ? 'KubeletReady' : 'KubeletNotReady';
  return { type: 'Ready', status, reason, message: '', lastTransitionTime: now, lastHeartbeatTime: now };
}

/** The taints of a node that has become ready. */
export function withoutStartTaints(taints: readonly Taint[]): readonly Taint[] {
  return taints.filter(({ key }) => key !== NOT_READY.key);
}
