import { orMissing } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { workloadPath } from '../../../shared/adapters/kube/like-ports';
import { listInPages } from '../../../shared/adapters/kube/list-in-pages';
import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import type { LikeHeadroom } from '../../../shared/core/like/keep-like';
import type { LabelSelector, PodSpec, WorkloadObject } from '../../../shared/core/like/workload';
import { type Read, read } from '../../kube/read';

interface RunningPod {
  readonly metadata?: { readonly name?: string };
  readonly spec?: PodSpec;
  readonly status?: { readonly phase?: string };
}

/** A workload that a headroom is like, and one of its pods as admission has left it. */
export interface LikeFacts {
  readonly pool: LikeHeadroom;
  readonly workload: Read<{ readonly object: WorkloadObject; readonly pod: RunningPod | undefined } | undefined>;
}

export function readLike(transport: KubeTransport, { headrooms }: Config): Promise<readonly LikeFacts[]> {
  const alike = headrooms.filter((pool: HeadroomConfig): pool is LikeHeadroom => pool.like !== undefined);
  return Promise.all(alike.map(async (pool) => ({ pool, workload: await read(readWorkload(transport, pool)) })));
}

async function readWorkload(transport: KubeTransport, { like }: LikeHeadroom) {
  const object = await orMissing(transport.get<WorkloadObject>(workloadPath(like)));
  if (!object) return undefined;
  const { matchLabels } = (object.spec as { readonly selector?: LabelSelector } | undefined)?.selector ?? {};
  const labelSelector = Object.entries(matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  if (labelSelector === '') return { object, pod: undefined };
  const pods = await listInPages(transport, `/api/v1/namespaces/${like.namespace}/pods`, {
    labelSelector,
    facts: (pod: RunningPod) => (pod.status?.phase === 'Running' ? [pod] : []),
  });
  return { object, pod: pods[0] };
}
