import { DEPLOYMENTS, NODE_CLAIMS, NODE_POOLS, PODS, REPLICA_SETS } from '../../../lab/simulator/kube/kinds';
import { headroomName } from '../../../shared/core/basics/names';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { QueueMessage } from '../../../shared/core/events/deliveries';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { LOGGED_EVENTS } from '../environment/event-log';
import type { FaultCounts } from '../environment/fault-kinds';
import { isClockWrong } from '../environment/function-host';
import type { Ending, Invocation } from '../environment/invocation';
import type { KubeWire } from '../environment/kube-wire';
import { type Notice, readNotice } from '../environment/notices';
import type { RefusedMessages } from '../environment/refused-messages';
import { NAMESPACE, type World } from '../environment/world';
import { workloadPath } from '../model/expected-like';
import { decisionTime, requestedBy } from '../model/requested-by';
import { writtenRecord } from '../model/written-record';
import type { AcceptedInputs } from './accepted-inputs';
import type { LikeInvariants } from './like-invariants';
import type { LiveInvariants } from './live-invariants';
import { type LiveFigures, wrongReport } from './reports';

/** An invocation that took less than this had enough time left to absorb a few faults. */
const ENOUGH_TIME_MS = 12_000;
/** How far ahead of its own clock a function accepts an event's time. */
const BELIEVED_AHEAD_MS = 60_000;
/** A function whose clock is ahead may have dropped what has not quite ended. */
const MINUTE = 60_000;
const CLOCKS_DIFFER_MS = MINUTE;

export interface InvocationInvariantsOptions {
  readonly world: World;
  readonly accepted: AcceptedInputs;
  readonly wire: Pick<KubeWire, 'pagesOf'>;
  /** Whether there are wake-ups. */
  readonly wakes: boolean;
  readonly counts: FaultCounts;
  readonly figures: LiveFigures;
  readonly live: LiveInvariants;
  readonly like: LikeInvariants;
  readonly refused: RefusedMessages;
  readonly violated: (what: string) => void;
}

/** What must hold for every invocation. Also notes the notices and alarms that it accepted. */
export class InvocationInvariants {
  constructor(private readonly options: InvocationInvariantsOptions) {}

  started(invocation: Invocation): void {
    // By the time it looks the workload may have been unusable for longer, and be usable when it ends.
    if (this.options.like.excuses(invocation, invocation.startedAt + MINUTE)) invocation.excused = true;
    if (!this.meetsForeign(invocation)) return;
    invocation.excused = true;
    this.options.counts.add('NodePool of another owner');
  }

  /** A few faults are absorbed: they neither fail an invocation nor multiply its calls. */
  ended(invocation: Invocation, ending: Ending): void {
    const { absorbable, refusals, restarts, timeouts, calls, label, config } = invocation;
    this.options.live.ended(invocation, ending, decisionTime(invocation));
    this.options.like.ended(invocation, ending);
    if (this.options.like.excuses(invocation, decisionTime(invocation))) invocation.excused = true;
    const excused =
      invocation.excused ||
      this.options.live.excuses(invocation, decisionTime(invocation)) ||
      this.meetsForeign(invocation);
    const inTime = timeouts <= 1 && this.options.world.now - invocation.startedAt < ENOUGH_TIME_MS;
    const few = absorbable <= 3 && refusals <= 1 && restarts <= 2 && inTime;
    if (few && !excused && hasFailed(ending))
      this.options.violated(`${label} failed after ${absorbable} faults: ${endingText(ending)}`);
    const wrong =
      wrongReport(invocation, ending, this.options.figures) ??
      this.options.refused.wrongLog(invocation) ??
      this.wrongClock(invocation, ending);
    if (wrong !== undefined) this.options.violated(`${label} ${wrong}`);
    const pages = this.pagesToRead();
    // The ConfigMap with the live schedules, and an Event about it.
    const live = config.cluster.liveSchedules ? 2 : 0;
    const waking = this.callsToWake(invocation);
    const version = config.headrooms.some(({ warmImages }) => warmImages.length > 0) ? 1 : 0;
    const workloads = new Set(config.headrooms.map(workloadPath)).size;
    const most =
      pages + live + workloads + version + waking + 4 * config.headrooms.length + (absorbable + timeouts) * (pages + 3);
    if (calls > most) this.options.violated(`${label} made ${calls} calls, and ${most} are enough`);
  }

  /** A tick that is far from the clock is rejected, whichever of the two is wrong. */
  private wrongClock(invocation: Invocation, ending: Ending): string | undefined {
    if (!isClockWrong(invocation)) return undefined;
    const isRejected = ending.kind === 'answered' && 'rejected' in (ending.answer as object);
    return isRejected ? undefined : `did not reject its tick, and its clock is wrong by ${invocation.skewMs} ms`;
  }

  /** Two lists of Events; of each headroom the Deployment, its ReplicaSets and pods, an Event and a delete. */
  private callsToWake({ functionName, config }: Invocation): number {
    const { wire, wakes } = this.options;
    if (!wakes || functionName !== 'reconcile') return 0;
    const each = 3 + wire.pagesOf(REPLICA_SETS) + wire.pagesOf(PODS);
    return 2 * wire.pagesOf(LOGGED_EVENTS) + config.headrooms.length * each;
  }

  /** The pages of all lists, each read once. */
  private pagesToRead(): number {
    const { wire } = this.options;
    return wire.pagesOf(DEPLOYMENTS) + wire.pagesOf(NODE_POOLS) + wire.pagesOf(NODE_CLAIMS);
  }

  /** Messages were deleted from the queue: their notices are accepted, unless the node is already gone. */
  handled(invocation: Invocation, messages: readonly QueueMessage[]): void {
    const { world, accepted } = this.options;
    const receivedAt = invocation.receivedAt ?? invocation.startedAt;
    for (const { body } of messages) {
      const notice = readNotice(body);
      const claim = notice && world.nodeClaims.find(({ instanceId }) => instanceId === notice.instanceId);
      const pools = claim ? invocation.config.headrooms.filter(({ nodePool }) => nodePool === claim.nodePool) : [];
      for (const pool of pools) {
        if (!notice || !pool.interruptions?.on.includes(notice.cause)) continue;
        const lost = this.lostSurge(invocation, pool, notice);
        if (lost !== undefined) this.options.violated(`${invocation.label} ${lost}`);
        if (accepted.of(invocation.stack, pool.name).surgesLostAt >= invocation.startedAt) continue;
        const at = notice.at > receivedAt + BELIEVED_AHEAD_MS ? receivedAt : notice.at;
        accepted.acceptSurge(invocation.stack, pool, notice.instanceId, at);
      }
    }
  }

  /** A message that is reported as handled has left its surge in the record, unless it is over or others last longer. */
  private lostSurge(invocation: Invocation, pool: HeadroomConfig, { instanceId }: Notice): string | undefined {
    const { world, accepted } = this.options;
    const requested = requestedBy(invocation, pool, world)?.surges.filter((one) => one.instanceId === instanceId) ?? [];
    const current = world.store.get(DEPLOYMENTS, NAMESPACE, headroomName(pool.name));
    if (accepted.of(invocation.stack, pool.name).surgesLostAt >= invocation.startedAt) return undefined;
    const { surges } = writtenRecord(current?.metadata.annotations?.[ANNOTATIONS.record]);
    const { surge, max } = pool.interruptions ?? { surge: 0, max: 0 };
    const lost = requested.find(({ until }) => {
      if (Date.parse(until) <= world.now + CLOCKS_DIFFER_MS) return false;
      const asLong = Object.entries(surges).filter(([id, one]) => one.until >= until || id === instanceId);
      return !Object.hasOwn(surges, instanceId) && asLong.length * surge < max;
    });
    return lost && `reported the notice of ${instanceId} as handled, and it is not in the record of ${pool.name}`;
  }

  /** An alarm's state change was handled. */
  alarmHandled(invocation: Invocation, raw: unknown): void {
    const { detail } = raw as { readonly detail?: AlarmDetail };
    if (detail?.previousState?.value !== 'ALARM' || detail.state === undefined) return;
    const { alarmName, state } = detail;
    for (const { name, alarms } of invocation.config.headrooms) {
      const inputs = this.options.accepted.of(invocation.stack, name);
      if (!alarms.some((alarm) => alarm.alarmName === alarmName) || inputs.destroyedAt >= invocation.startedAt)
        continue;
      const ended = Date.parse(state.timestamp);
      inputs.alarmEnds.set(alarmName, Math.max(ended, inputs.alarmEnds.get(alarmName) ?? 0));
    }
  }

  /** Whether its config names a NodePool whose headroom belongs to another stack. */
  private meetsForeign({ config, owner }: Invocation): boolean {
    return config.headrooms.some(({ name }) => {
      const current = this.options.world.store.get(DEPLOYMENTS, NAMESPACE, headroomName(name));
      const theirs = current?.metadata.annotations?.[ANNOTATIONS.owner];
      return theirs !== undefined && theirs !== owner;
    });
  }
}

interface AlarmDetail {
  readonly alarmName: string;
  readonly state?: { readonly timestamp: string };
  readonly previousState?: { readonly value: string };
}

function hasFailed(ending: Ending): boolean {
  if (ending.kind !== 'answered') return ending.kind === 'failed';
  const { batchItemFailures = [] } = ending.answer as { readonly batchItemFailures?: readonly unknown[] };
  return batchItemFailures.length > 0;
}

export function endingText(ending: Ending): string {
  if (ending.kind === 'answered') return `answers ${JSON.stringify(ending.answer).slice(0, 300)}`;
  return ending.kind === 'failed' ? `fails: ${ending.error}` : 'is killed';
}
