import type { OverrideResponse, Rejected } from '../../shared/core/respond';
import type { Random } from '../deterministic/seeded-random';
import type { Deliveries } from './deliveries';
import type { FaultCounts } from './fault-kinds';
import type { Caller } from './invocation';
import type { Ledger, Order } from './ledger';
import type { Stack } from './stack';
import type { World } from './world';

const MINUTE = 60_000;

const ORDERED = {
  atLeast: 'override ordered',
  exactly: 'override ordered',
  addNodes: 'more nodes ordered',
  release: 'release ordered',
} as const;

export interface PeopleOptions {
  readonly world: World;
  readonly deliveries: Deliveries;
  readonly ledger: Ledger;
  readonly counts: FaultCounts;
  readonly random: Random;
  readonly violated: (what: string) => void;
  readonly trace: (line: () => string) => void;
}

/** People who inflate, pin and release, and try again when nobody answers them. */
export class People {
  private ordered = 0;

  constructor(private readonly options: PeopleOptions) {}

  /** Somebody orders something; at times two people do at the same moment. */
  order(stack: Stack): void {
    const { random, world } = this.options;
    const order = this.newOrder(stack);
    this.send(stack, order, 3);
    if (random() < 0.3) world.clock.after(Math.floor(random() * 50), () => this.send(stack, this.newOrder(stack), 1));
  }

  private newOrder(stack: Stack): Order {
    const { random, world, ledger } = this.options;
    const all = stack.config.nodePools;
    const floors = all.filter(({ unit }) => unit.kind === 'floor');
    const pools = floors.length > 0 && random() < 0.5 ? floors : all;
    const pool = pools[Math.floor(random() * pools.length)];
    this.ordered += 1;
    const kind = random();
    const least = pool?.unit.kind === 'floor' && random() < 0.7 ? 'addNodes' : 'atLeast';
    const mode = kind < 0.35 ? 'release' : kind < 0.7 ? least : 'exactly';
    const everywhere = (mode === 'release' || mode === 'exactly') && random() < 0.2;
    const order: Order = {
      id: `w${this.ordered}`,
      nodePool: everywhere ? '*' : (pool?.name ?? ''),
      mode,
      replicas: everywhere ? 0 : Math.floor(random() * ((pool?.max ?? 0) + 1)),
      forMs: Math.ceil(random() * 40) * MINUTE,
      // A late order carries the time at which it was given.
      ...(random() < 0.4 && { at: world.now - Math.floor(random() ** 2 * 90_000) }),
    };
    ledger.announce(order);
    return order;
  }

  private send(stack: Stack, order: Order, triesLeft: number): void {
    const { deliveries, counts, world, random, trace } = this.options;
    counts.add(ORDERED[order.mode]);
    trace(() => `${stack.name}: order ${JSON.stringify(order)}`);
    const caller: Caller = (ending, invocation) => {
      if (ending.kind === 'answered') this.answered(stack, order, ending.answer, invocation);
      else if (triesLeft > 1 && random() < 0.6)
        world.clock.after(Math.floor(random() * 20_000), () => this.send(stack, order, triesLeft - 1));
    };
    deliveries.order(stack, rawOf(order), caller);
  }

  /** What the answer shows was taken, unless somebody destroyed it meanwhile. */
  private answered(stack: Stack, order: Order, answer: unknown, invocation: Parameters<Caller>[1]): void {
    const { ledger, violated } = this.options;
    const { decisions = [] } = answer as Partial<OverrideResponse & Rejected>;
    for (const { nodePool, supersededBy } of decisions) {
      if (!supersededBy && !ledger.hasStood(stack.name, nodePool, order))
        violated(`${invocation.label} said that ${order.id} counts for ${nodePool}, and it never stood in a record`);
      if (ledger.of(stack.name, nodePool).destroyedAt >= invocation.startedAt) continue;
      ledger.accept(stack.name, nodePool, order, invocation.receivedAt ?? invocation.startedAt);
    }
  }
}

function rawOf({ id, nodePool, mode, replicas, forMs, at }: Order) {
  const common = { nodePool, by: 'ana', reason: id, ...(at !== undefined && { at: new Date(at).toISOString() }) };
  if (mode === 'release') return { ...common, release: true };
  return { ...common, [mode]: replicas, for: `${forMs / MINUTE}m` };
}
