import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import type { FreshAfterIdle } from '../../../shared/adapters/http/fresh-after-idle';
import { type HttpResponse, NoResponseError } from '../../../shared/adapters/http/http-request';
import type { TransportOptions } from '../../../shared/adapters/kube/kube-transport';
import type { KubeRequest, SendOptions } from '../../../shared/adapters/kube/send';
import type { FaultKind } from './fault-kinds';
import type { CallFault, FaultPlan } from './fault-plan';
import type { Invocation } from './invocation';
import { EXPIRED, type KubeWire, refusal } from './kube-wire';
import type { Agent } from './strategy';
import { isWorkload } from './workloads';
import type { World } from './world';

type Send = Required<TransportOptions>['send'];

export interface FaultyWireOptions {
  readonly world: World;
  readonly wire: KubeWire;
  readonly plan: FaultPlan;
  readonly random: Random;
  readonly calls: CallObserver;
  readonly kill: (invocation: Invocation) => void;
  /** Updates the object at a path as another writer, so that the next write to it conflicts. */
  readonly touch: (path: string) => void;
  /** Whether somebody has taken the rights for wake-ups away for the time of this invocation. */
  readonly isWakeForbidden: (invocation: Invocation) => boolean;
  /** The same for workloads. */
  readonly isWorkloadForbidden: (invocation: Invocation) => boolean;
  /** The API has handled a request, whether its answer arrives or not. */
  readonly onPerformed: (invocation: Invocation, request: KubeRequest, response: HttpResponse) => void;
  readonly onCall: (invocation: Invocation, request: KubeRequest, fault: FaultKind | undefined) => void;
}

/** Sees every try of every call. */
export interface CallObserver {
  sent(invocation: Invocation, request: KubeRequest, options: SendOptions): void;
  /** Without a response, if none came. */
  ended(request: KubeRequest, now: number, response?: HttpResponse): void;
}

/** One request in flight. */
interface Call {
  readonly invocation: Invocation;
  readonly request: KubeRequest;
  readonly timeoutMs: number;
  /** One way, in milliseconds. */
  readonly latency: number;
}

const WRITES_ONLY = new Set<CallFault>([
  'response lost after the write',
  'write that took effect after its time-out',
  '5xx after the write',
]);
/** Counted where they occur, because they also have other causes. */
const COUNTED_ELSEWHERE = new Set<CallFault>(['409', 'process killed while it counts nodes']);
const SERVER_ERRORS = [500, 502, 503, 504];

/** The connection between the functions and the Kubernetes API, with its faults. */
export class FaultyWire {
  constructor(private readonly options: FaultyWireOptions) {}

  /** The `send` function of one invocation. */
  sendOf(invocation: Invocation, connections: FreshAfterIdle<Agent>): Send {
    const { calls, world } = this.options;
    const time = () => world.now + invocation.skewMs;
    return (_connection, request, options) => {
      const agent = connections.get(options.now);
      calls.sent(invocation, request, options);
      return this.exchange(invocation, request, options.timeoutMs, agent).then(
        (response) => {
          calls.ended(request, time(), response);
          return response;
        },
        (error: unknown) => {
          calls.ended(request, time());
          connections.drop(agent);
          throw error;
        },
      );
    };
  }

  private exchange(
    invocation: Invocation,
    request: KubeRequest,
    timeoutMs: number,
    agent: Agent,
  ): Promise<HttpResponse> {
    const { plan } = this.options;
    const call: Call = { invocation, request, timeoutMs, latency: this.latency() };
    invocation.calls += 1;
    if (agent.dead > 0) {
      agent.dead -= 1;
      this.options.onCall(invocation, request, 'connection dead after sleep');
      // Counts as one fault however many connections are dead: the client must not have to discover each of them.
      if (!invocation.woke) invocation.absorbable += 1;
      invocation.woke = true;
      return this.noResponse(call, 1, 'socket hang up', true);
    }
    agent.open = Math.min(agent.open + 1, 5);
    if (this.isBlind(call)) {
      this.options.onCall(invocation, request, 'NodeClaims not readable');
      return this.response(call, refusal(403, 'Forbidden', 'nodeclaims is forbidden'));
    }
    if (this.isForbidden(call)) {
      this.options.onCall(invocation, request, 'live schedules not readable');
      return this.response(call, refusal(403, 'Forbidden', 'configmaps is forbidden'));
    }
    if (isWorkload(request.path) && this.options.isWorkloadForbidden(invocation)) {
      this.options.onCall(invocation, request, 'workload not readable');
      return this.response(call, refusal(403, 'Forbidden', 'deployments.apps is forbidden'));
    }
    if (isForWakeUp(request) && this.options.isWakeForbidden(invocation)) {
      this.options.onCall(invocation, request, 'pause pods not readable');
      return this.response(call, refusal(403, 'Forbidden', 'pods is forbidden'));
    }
    const fault = plan.callFault((kind) => isPossible(kind, request, invocation));
    this.options.onCall(invocation, request, fault);
    if (fault === undefined) return this.roundTrip(call);
    if (!COUNTED_ELSEWHERE.has(fault)) plan.counts.add(fault);
    invocation.absorbable += 1;
    return this.inject(fault, call);
  }

  /** Whether somebody has taken the right to read NodeClaims away for the time of this invocation. */
  private isBlind({ invocation, request }: Call): boolean {
    if (!request.path.includes('/nodeclaims')) return false;
    invocation.blind ??= this.options.plan.happens('NodeClaims not readable');
    if (invocation.blind) {
      invocation.absorbable += 1;
      invocation.excused = true;
    }
    return invocation.blind;
  }

  /** The same for the ConfigMap with the live schedules. */
  private isForbidden({ invocation, request }: Call): boolean {
    if (!request.path.includes('/configmaps/')) return false;
    invocation.liveForbidden ??= this.options.plan.happens('live schedules not readable');
    return invocation.liveForbidden;
  }

  private inject(fault: CallFault, call: Call): Promise<HttpResponse> {
    const { random, kill, touch } = this.options;
    const { invocation, request, timeoutMs, latency } = call;
    switch (fault) {
      case 'process killed before a call':
      case 'process killed while it counts nodes':
        kill(invocation);
        return never();
      case 'process killed during a call':
        this.effect(call, latency);
        kill(invocation);
        return never();
      case 'request lost':
        return this.lost(call);
      case 'response lost after the write':
        this.effect(call, latency);
        return this.lost(call);
      case 'write that took effect after its time-out':
        this.effect(call, timeoutMs + latency);
        return this.timeout(call);
      case '401':
        invocation.refusals += 1;
        return this.response(call, refusal(401, 'Unauthorized', 'Unauthorized'));
      case '409':
        touch(request.path);
        return this.roundTrip(call);
      case '410 in the middle of a list':
        invocation.restarts += 1;
        return this.response(call, EXPIRED);
      case '429':
        return this.response(call, refusal(429, 'TooManyRequests', 'slow down', random() < 0.5 ? 1 : undefined));
      case '5xx':
        return this.response(call, this.serverError());
      case '5xx after the write':
        this.effect(call, latency);
        return this.response(call, this.serverError());
      case 'response unreadable':
        return this.roundTrip(call, unreadable(random()));
      case 'slow page':
        return this.roundTrip({ ...call, latency: 500 + Math.floor(random() * 2_500) });
      default:
        throw new Error(`${fault} does not happen to a call`);
    }
  }

  /** A full round trip; `change` may alter the response. */
  private roundTrip(
    call: Call,
    change: (response: HttpResponse) => HttpResponse = (response) => response,
  ): Promise<HttpResponse> {
    const { invocation, latency } = call;
    const { clock } = this.options.world;
    if (2 * latency > call.timeoutMs) {
      this.effect(call, latency);
      return this.timeout(call);
    }
    return new Promise((resolve) => {
      clock.after(latency, () => {
        const response = this.perform(call);
        if (response.status === 409) invocation.absorbable += 1;
        clock.after(latency, () => {
          if (!invocation.dead) resolve(change(response));
        });
      });
    });
  }

  private effect(call: Call, delay: number): void {
    this.options.world.clock.after(delay, () => this.perform(call));
  }

  private perform({ invocation, request }: Call): HttpResponse {
    const { world, wire, plan } = this.options;
    if (request.method === 'PATCH') invocation.guard = /"resourceVersion":"(\d*)"/.exec(request.body ?? '')?.[1] ?? '';
    const response = world.as(invocation, () => wire.respond(request));
    if (response.status === 409) plan.counts.add('409');
    this.options.onPerformed(invocation, request, response);
    return response;
  }

  private response(call: Call, response: HttpResponse): Promise<HttpResponse> {
    const { invocation, latency, timeoutMs } = call;
    if (2 * latency > timeoutMs) return this.timeout(call);
    return new Promise((resolve) => {
      this.options.world.clock.after(2 * latency, () => {
        if (!invocation.dead) resolve(response);
      });
    });
  }

  private lost(call: Call): Promise<HttpResponse> {
    if (this.options.random() < 0.5) return this.timeout(call);
    return this.noResponse(call, Math.min(2 * call.latency, call.timeoutMs), 'socket hang up');
  }

  private timeout(call: Call): Promise<HttpResponse> {
    call.invocation.timeouts += 1;
    return this.noResponse(call, call.timeoutMs, `no response within ${call.timeoutMs} ms`);
  }

  private noResponse({ invocation }: Call, delay: number, why: string, reused = false): Promise<HttpResponse> {
    return new Promise((_resolve, reject) => {
      this.options.world.clock.after(delay, () => {
        if (!invocation.dead) reject(new NoResponseError(new Error(why), reused));
      });
    });
  }

  private serverError(): HttpResponse {
    const status = SERVER_ERRORS[Math.floor(this.options.random() * SERVER_ERRORS.length)] ?? 503;
    return refusal(status, 'InternalError', 'internal error');
  }

  /** Mostly short, sometimes long enough for another function to write in between. */
  private latency(): number {
    const draw = this.options.random();
    return 1 + Math.floor(draw ** 4 * 400);
  }
}

/** Events are read for wake-ups alone. */
function isForWakeUp({ method, path }: KubeRequest): boolean {
  return method === 'GET' && /\/(pods|replicasets|events)\b/.test(path);
}

/** A new promise each time: a shared one would keep everything that awaits it in memory. */
function never(): Promise<never> {
  return new Promise(() => {});
}

function isPossible(fault: CallFault, { method, path }: KubeRequest, { counting }: Invocation): boolean {
  if (WRITES_ONLY.has(fault)) return method !== 'GET';
  if (fault === '409') return method === 'PATCH';
  if (fault === '410 in the middle of a list') return path.includes('continue=');
  if (fault === 'slow page') return path.includes('limit=');
  if (fault === 'process killed while it counts nodes') return counting;
  return true;
}

/** A proxy answers in place of the API, or the connection breaks mid-response. */
function unreadable(draw: number): (response: HttpResponse) => HttpResponse {
  return ({ body }) => ({
    status: 200,
    headers: {},
    body: draw < 0.5 ? '<html>please sign in</html>' : body.slice(0, Math.max(1, Math.floor(body.length * draw) - 1)),
  });
}
