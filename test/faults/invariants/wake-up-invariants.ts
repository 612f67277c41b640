import { DEPLOYMENTS, PODS, REPLICA_SETS } from '../../../lab/simulator/kube/kinds';
import type { Deployment, Pod } from '../../../lab/simulator/kube/object-types';
import type { HttpResponse } from '../../../shared/adapters/http/http-request';
import type { KubeRequest } from '../../../shared/adapters/kube/send';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import type { EventLog, LoggedEvent } from '../environment/event-log';
import { isClockWrong } from '../environment/function-host';
import { type Ending, Invocation } from '../environment/invocation';
import { deploymentIn, type PausePods } from '../environment/pause-pods';
import { NAMESPACE, type World } from '../environment/world';

const MINUTE = 60_000;
const LOOK_BACK_MS = 6 * MINUTE;
const SETTLED_MS = 10_000;
const LEAST_RUNNING = 2;
/** Of a delete. */
const TRIES = 4;
/** Enough for all of them. */
const TRIES_MS = 10_000;

export interface WakeUpInvariantsOptions {
  readonly world: World;
  readonly pods: PausePods;
  readonly events: EventLog;
  readonly violated: (what: string) => void;
}

/** What one heartbeat saw of a headroom before it woke anything up, and what it has done. */
interface Seen {
  deployment?: Deployment | undefined;
  running?: readonly Pod[];
  isClaimed?: boolean;
  /** Whether it was told so. */
  knowsClaim?: boolean;
  /** Deletes that it sent, and whether one arrived. */
  tries?: number;
  isDeleted?: boolean;
}

/** One running pause pod is deleted after a burst: by a heartbeat, once, and only where that is safe. */
export class WakeUpInvariants {
  private readonly seen = new WeakMap<Invocation, Map<string, Seen>>();
  /** The wake-ups that it knew of. */
  private readonly known = new WeakMap<Invocation, readonly LoggedEvent[]>();
  private readonly troubled = new WeakSet<Invocation | KubeRequest>();
  /** By stack, tick and headroom. */
  private readonly deleted = new Set<string>();
  private readonly changedAt = new Map<string, number>();

  constructor(private readonly options: WakeUpInvariantsOptions) {
    const { world, violated } = options;
    const { store } = world;
    store.subscribe(DEPLOYMENTS, ({ object }) => this.changed(object.metadata.name));
    store.subscribe(REPLICA_SETS, ({ object }) => {
      this.changed(object.metadata.name.replace(/-t\d+$/, ''));
      if (world.writer instanceof Invocation)
        violated(`${world.writer.label} wrote ReplicaSet ${object.metadata.name}`);
    });
    store.subscribe(PODS, ({ type, object }) => {
      this.changed(deploymentIn(object.metadata.name));
      if (!(world.writer instanceof Invocation)) return;
      const wrong = type === 'DELETED' ? this.wrongDelete(world.writer, object) : 'which is not a deletion';
      if (wrong !== undefined) violated(`${world.writer.label} changed pod ${object.metadata.name}: ${wrong}`);
    });
  }

  called(invocation: Invocation, request: KubeRequest, fault: unknown): void {
    if (fault !== undefined) this.troubled.add(invocation).add(request);
    const seen = this.deletes(invocation, request);
    if (seen) seen.tries = (seen.tries ?? 0) + 1;
  }

  /** The API has handled a request. */
  performed(invocation: Invocation, request: KubeRequest, { status }: HttpResponse): void {
    const { world, pods, events, violated } = this.options;
    const { method, path, body = '' } = request;
    const deleted = this.deletes(invocation, request);
    if (deleted) deleted.isDeleted = true;
    const [, single] = /\/deployments\/([a-z-]+)$/.exec(path) ?? [];
    const [, headroom] = /\/pods\?.*labelSelector=[^&]*headroom%3D([a-z]+)/.exec(path) ?? [];
    if (method === 'GET' && single)
      this.of(invocation, single).deployment = world.store.get(DEPLOYMENTS, NAMESPACE, single);
    if (method === 'GET' && headroom && !path.includes('continue='))
      this.of(invocation, `headroom-${headroom}`).running = pods.running(`headroom-${headroom}`);
    if (method === 'GET' && path.includes('reason%3DWoken') && !path.includes('continue='))
      this.known.set(invocation, events.of('Woken'));
    if (method !== 'POST' || status !== 201 || !path.endsWith('/events')) return;
    const event = JSON.parse(body) as LoggedEvent;
    if (event.reason !== 'Woken') return;
    const seen = this.of(invocation, event.regarding.name);
    seen.isClaimed = true;
    seen.knowsClaim = !this.troubled.has(request);
    const wrong = this.wrongClaim(invocation, event);
    if (wrong !== undefined) violated(`${invocation.label} claimed ${event.metadata.name}: ${wrong}`);
  }

  /** Where nothing went wrong and nothing changed, a burst does not stay unanswered. */
  ended(invocation: Invocation, ending: Ending): void {
    const { world, pods, violated } = this.options;
    if (ending.kind !== 'killed') this.checkClaims(invocation);
    const isCalm = !this.troubled.has(invocation) && invocation.timeouts === 0 && !isClockWrong(invocation);
    if (ending.kind !== 'answered' || !isHeartbeat(invocation) || !isCalm) return;
    for (const { name, unit } of invocation.config.headrooms) {
      const headroom = `headroom-${name}`;
      const deployment = world.store.get(DEPLOYMENTS, NAMESPACE, headroom);
      const isSame = (this.changedAt.get(headroom) ?? 0) < invocation.startedAt;
      if (unit.kind === 'floor' || !deployment || !isSame || deployment.spec.replicas < LEAST_RUNNING) continue;
      if (wrongDeployment(deployment, invocation) || pods.running(headroom).length < LEAST_RUNNING) continue;
      if (this.burst(headroom, tickTime(invocation)) !== undefined)
        violated(`${invocation.label} left a burst on ${headroom} unanswered`);
    }
  }

  /** A burst that is claimed is not looked at again, so that its delete is tried until it arrives. */
  private checkClaims(invocation: Invocation): void {
    const { world, violated } = this.options;
    const isLate = world.now + invocation.skewMs > invocation.deadline - TRIES_MS;
    if (isLate || invocation.refusals > 1) return;
    for (const [headroom, seen] of this.seen.get(invocation) ?? [])
      if (isSpent(seen)) violated(`${invocation.label} claimed ${headroom} and deleted nothing`);
  }

  private wrongDelete(invocation: Invocation, pod: Pod): string | undefined {
    const headroom = deploymentIn(pod.metadata.name);
    const pool = invocation.config.headrooms.find(({ name }) => `headroom-${name}` === headroom);
    const { deployment, running = [], isClaimed } = this.of(invocation, headroom);
    const key = `${invocation.stack} ${tickTime(invocation)} ${headroom}`;
    if (!isHeartbeat(invocation)) return 'not by a heartbeat';
    if (!pool || pool.unit.kind === 'floor') return 'which is no room of its config';
    if (!deployment) return 'of a headroom that it did not read';
    if (!this.isOf(pod, deployment)) return 'which is not its own';
    if (running.length < LEAST_RUNNING) return `of ${running.length} running`;
    if (!running.some(({ metadata }) => metadata.uid === pod.metadata.uid)) return 'which was not running';
    if (!isClaimed) return 'without a claim';
    if (this.deleted.has(key)) return 'the second one at this heartbeat';
    this.deleted.add(key);
    return wrongDeployment(deployment, invocation);
  }

  private wrongClaim(invocation: Invocation, { metadata, regarding }: LoggedEvent): string | undefined {
    const at = Number(metadata.name.replace(/^.*\.woken-/, ''));
    const newest = this.burst(regarding.name, tickTime(invocation), this.known.get(invocation));
    if (newest === undefined) return 'there was no burst';
    return at === newest ? undefined : `the newest preemption is of ${newest}`;
  }

  /** The newest preemption before a tick, if two that no wake-up has answered are within a minute. */
  private burst(headroom: string, tickAt: number, wakeUps?: readonly LoggedEvent[]): number | undefined {
    const { events } = this.options;
    const answered = (wakeUps ?? events.of('Woken'))
      .filter(({ regarding }) => regarding.name === headroom)
      .map(({ metadata }) => Number(metadata.name.replace(/^.*\.woken-/, '')));
    const times = events
      .of('Preempted')
      .filter(({ regarding }) => deploymentIn(regarding.name) === headroom)
      .map(({ eventTime }) => Date.parse(eventTime))
      .filter((at) => at > tickAt - LOOK_BACK_MS && at <= tickAt - SETTLED_MS && answered.every((one) => one < at));
    const isBurst = times.some((one, index) => times.slice(index + 1).some((at) => Math.abs(at - one) <= MINUTE));
    return isBurst ? Math.max(...times) : undefined;
  }

  private isOf(pod: Pod, deployment: Deployment): boolean {
    const [owner] = pod.metadata.ownerReferences ?? [];
    const set = this.options.world.store
      .list(REPLICA_SETS, NAMESPACE)
      .find(({ metadata }) => metadata.uid === owner?.uid);
    return set?.metadata.ownerReferences?.[0]?.uid === deployment.metadata.uid;
  }

  /** What it saw of the headroom that a pod is deleted of. */
  private deletes(invocation: Invocation, { method, path }: KubeRequest): Seen | undefined {
    const [, pod] = /\/pods\/([^/?]+)$/.exec(path) ?? [];
    return method === 'DELETE' && pod !== undefined ? this.of(invocation, deploymentIn(pod)) : undefined;
  }

  private of(invocation: Invocation, headroom: string): Seen {
    const all = this.seen.get(invocation) ?? new Map<string, Seen>();
    this.seen.set(invocation, all);
    const seen = all.get(headroom) ?? {};
    all.set(headroom, seen);
    return seen;
  }

  private changed(headroom: string): void {
    this.changedAt.set(headroom, this.options.world.now);
  }
}

function isSpent({ knowsClaim = false, isDeleted = false, tries = 0 }: Seen): boolean {
  return knowsClaim && !isDeleted && tries < TRIES;
}

function wrongDeployment({ metadata, status }: Deployment, { owner }: Invocation): string | undefined {
  const { annotations = {}, generation, deletionTimestamp } = metadata;
  if (annotations[ANNOTATIONS.owner] !== owner) return `of ${annotations[ANNOTATIONS.owner] ?? 'nobody'}`;
  const isRolling = status?.observedGeneration !== generation || status?.updatedReplicas !== status?.replicas;
  return isRolling || deletionTimestamp !== undefined ? 'in the middle of a roll' : undefined;
}

function isHeartbeat({ raw, functionName }: Invocation): boolean {
  return functionName === 'reconcile' && (raw as Raw | null)?.['detail-type'] === 'Headstart Heartbeat';
}

function tickTime({ raw }: Invocation): number {
  return Date.parse((raw as Raw).time);
}

interface Raw {
  readonly 'detail-type'?: unknown;
  readonly time: string;
}
