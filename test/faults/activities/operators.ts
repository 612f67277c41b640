import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import type { OverrideResponse, Rejected } from '../../../shared/core/respond';
import type { Deliveries } from '../environment/deliveries';
import type { FaultCounts } from '../environment/fault-kinds';
import type { Caller } from '../environment/invocation';
import type { Stack } from '../environment/stack';
import type { World } from '../environment/world';
import type { AcceptedInputs, OverrideRequest } from '../invariants/accepted-inputs';

const MINUTE = 60_000;

const FAULT_KIND = {
  atLeast: 'override ordered',
  exactly: 'override ordered',
  addNodes: 'more nodes ordered',
  release: 'release ordered',
} as const;

export interface OperatorsOptions {
  readonly world: World;
  readonly deliveries: Deliveries;
  readonly accepted: AcceptedInputs;
  readonly counts: FaultCounts;
  readonly random: Random;
  readonly violated: (what: string) => void;
  readonly trace: (line: () => string) => void;
}

/** Operators who inflate, pin and release, and retry when a call fails. */
export class Operators {
  private requested = 0;

  constructor(private readonly options: OperatorsOptions) {}

  /** Sends a request; sometimes two operators do so at the same moment. */
  request(stack: Stack): void {
    const { random, world, counts } = this.options;
    const request = this.newRequest(stack);
    this.send(stack, request, 3);
    if (random() >= 0.4) return;
    const isTie = random() < 0.5 && request.at !== undefined;
    if (isTie) counts.add('overrides of one instant');
    const second = () => this.newRequest(stack, isTie ? request : undefined);
    world.clock.after(Math.floor(random() * 50), () => this.send(stack, second(), 1));
  }

  /** With the NodePool and the instant of `tie`, if there is one. */
  private newRequest(stack: Stack, tie?: OverrideRequest): OverrideRequest {
    const { random, world, accepted } = this.options;
    const all = stack.config.headrooms;
    const floors = all.filter(({ unit }) => unit.kind === 'floor');
    const pools = floors.length > 0 && random() < 0.5 ? floors : all;
    const pool = all.find(({ name }) => name === tie?.headroom) ?? pools[Math.floor(random() * pools.length)];
    this.requested += 1;
    const kind = random();
    const least = pool?.unit.kind === 'floor' && random() < 0.7 ? 'addNodes' : 'atLeast';
    const mode = kind < 0.35 ? 'release' : kind < 0.7 ? least : 'exactly';
    const everywhere = (mode === 'release' || mode === 'exactly') && random() < 0.2;
    const request: OverrideRequest = {
      id: `w${this.requested}`,
      headroom: everywhere ? '*' : (pool?.name ?? ''),
      mode,
      replicas: everywhere ? 0 : Math.floor(random() * ((pool?.max ?? 0) + 1)),
      forMs: Math.ceil(random() ** 3 * 40) * MINUTE,
      ...(pool?.like && mode !== 'release' && !everywhere && random() < 0.5 && { share: this.share() }),
      // A delayed request carries the time at which it was made; whole minutes end when a heartbeat comes.
      ...(random() < 0.5 && {
        at: random() < 0.5 ? lastMinute(world.now) : world.now - Math.floor(random() ** 2 * 90_000),
      }),
      ...(tie?.at !== undefined && { at: tie.at }),
    };
    accepted.announce(request);
    return request;
  }

  private share(): number {
    this.options.counts.add('share ordered');
    return 10 * (1 + Math.floor(this.options.random() * 12));
  }

  private send(stack: Stack, request: OverrideRequest, triesLeft: number): void {
    const { deliveries, counts, world, random, trace } = this.options;
    counts.add(FAULT_KIND[request.mode]);
    trace(() => `${stack.name}: request ${JSON.stringify(request)}`);
    const caller: Caller = (ending, invocation) => {
      if (ending.kind === 'answered') this.answered(stack, request, ending.answer, invocation);
      else if (triesLeft > 1 && random() < 0.6)
        world.clock.after(Math.floor(random() * 20_000), () => this.send(stack, request, triesLeft - 1));
    };
    deliveries.override(stack, rawOf(request), caller);
  }

  /** The decisions in the answer were accepted, unless an operator destroyed the record meanwhile. */
  private answered(stack: Stack, request: OverrideRequest, answer: unknown, invocation: Parameters<Caller>[1]): void {
    const { accepted, violated } = this.options;
    const { decisions = [] } = answer as Partial<OverrideResponse & Rejected>;
    for (const { headroom, supersededBy } of decisions) {
      if (!supersededBy && !accepted.wasRecorded(stack.name, headroom, request))
        violated(
          `${invocation.label} answered that ${request.id} counts for ${headroom}, but it was never in a record`,
        );
      if (accepted.of(stack.name, headroom).destroyedAt >= invocation.startedAt) continue;
      accepted.accept(stack.name, headroom, request, invocation.receivedAt ?? invocation.startedAt);
    }
  }
}

function lastMinute(now: number): number {
  return Math.floor(now / MINUTE) * MINUTE;
}

function rawOf({ id, headroom, mode, replicas, share, forMs, at }: OverrideRequest) {
  const common = { headroom, by: 'ana', reason: id, ...(at !== undefined && { at: new Date(at).toISOString() }) };
  if (mode === 'release') return { ...common, release: true };
  return { ...common, [mode]: share === undefined ? replicas : `${share}%`, for: `${forMs / MINUTE}m` };
}
