import { ownerOf } from '../apply/owner';
import { messageOf } from '../basics/errors';
import { headroomName } from '../basics/names';
import type { Cluster, CurrentHeadroom, DecidedHeadroom, Log, Ports, Preemption } from '../ports/ports';
import { unansweredBurst } from './unanswered-burst';

/** Below that a deleted pod would be all the room there is. */
const LEAST_RUNNING = 2;

/** Up to which preemption of a headroom a wake-up has answered. */
export interface HeadroomTime {
  readonly headroom: string;
  readonly at: number;
}

export interface PausePod {
  readonly name: string;
  readonly uid: string;
}

/** What a wake-up reads and changes in the cluster. */
export interface PausePods {
  readPreemptions(): Promise<readonly Preemption[]>;
  readWakeUps(): Promise<readonly HeadroomTime[]>;
  /** Of the ReplicaSet that the Deployment owns; none while it rolls to another template. */
  running(headroom: CurrentHeadroom): Promise<readonly PausePod[]>;
  /** Writes that the burst is answered; `false` if that was written before. */
  claim(headroom: CurrentHeadroom, burst: HeadroomTime, now: number): Promise<boolean>;
  delete(pod: PausePod): Promise<void>;
}

interface WakeUpProps {
  readonly pods: PausePods;
  readonly cluster: Pick<Cluster, 'readHeadroom'>;
  readonly owner: string;
  readonly log: Log;
}

/**
 * After a burst, kube-scheduler's asynchronous preemption may leave pods Pending for five minutes
 * (kubernetes/kubernetes#141694). Deleting one running pause pod makes it look at them again.
 */
export function wakeUps({ pods, cluster, owner, log }: WakeUpProps): Required<Pick<Ports, 'preemptions' | 'wakeUp'>> {
  const wake = async (burst: HeadroomTime, tickAt: number) => {
    const headroom = await cluster.readHeadroom(burst.headroom);
    if (!headroom || headroom.deleting || ownerOf(headroom) !== owner) return;
    const running = await pods.running(headroom);
    const [pod] = running;
    if (!pod || running.length < LEAST_RUNNING) return;
    // Written first: a heartbeat that is delivered twice deletes once.
    if (!(await pods.claim(headroom, burst, tickAt))) return;
    await pods.delete(pod);
    log.info('pause pod deleted to wake up pods that kube-scheduler may have left behind', {
      headroom: burst.headroom,
      pod: pod.name,
      preemptedAt: new Date(burst.at).toISOString(),
    });
  };
  const failed = (what: string) => (error: unknown) => {
    // Without the rights, pods wait for kube-scheduler as they would without Headstart.
    if (!isForbidden(error)) log.warn(`${what} failed`, { reason: messageOf(error) });
    return undefined;
  };
  return {
    preemptions: () =>
      pods.readPreemptions().catch((error: unknown) => {
        // Also without the rights: what work took is then not known, and the report must not call it nothing.
        log.warn('reading preemptions failed', { reason: messageOf(error) });
        return undefined;
      }),
    wakeUp: async (headrooms, preemptions, tickAt) => {
      const bursts = await burstsIn(headrooms, preemptions, pods, tickAt).catch(failed('wake-up'));
      for (const burst of bursts ?? []) await wake(burst, tickAt).catch(failed('wake-up'));
    },
  };
}

async function burstsIn(
  headrooms: readonly DecidedHeadroom[],
  preemptions: readonly Preemption[],
  pods: PausePods,
  tickAt: number,
): Promise<readonly HeadroomTime[]> {
  const room = headrooms.filter(({ pool, replicas }) => pool.unit.kind !== 'floor' && replicas >= LEAST_RUNNING);
  if (room.length === 0) return [];
  const unanswered = (wakeUps: readonly HeadroomTime[]) =>
    room.flatMap(({ pool }) => {
      const headroom = headroomName(pool.name);
      const of = (times: readonly Pick<HeadroomTime, 'headroom' | 'at'>[]) =>
        times.filter((one) => one.headroom === headroom).map(({ at }) => at);
      const at = unansweredBurst(of(preemptions), Math.max(0, ...of(wakeUps)), tickAt);
      return at === undefined ? [] : [{ headroom, at }];
    });
  return unanswered([]).length === 0 ? [] : unanswered(await pods.readWakeUps());
}

function isForbidden(error: unknown): boolean {
  return (error as { readonly status?: unknown } | undefined)?.status === 403;
}
