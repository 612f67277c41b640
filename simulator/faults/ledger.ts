import type { NodePoolConfig } from '../../shared/core/config/config';
import { isNewer, type OverrideOrRelease } from '../../shared/core/record/latest-override';
import type { Override, Release } from '../../shared/core/record/record';

/** What was said about one NodePool's headroom, by whoever may say something, and was taken. */
export interface Account {
  /** The newest word of a person. */
  word?: OverrideOrRelease;
  /** When each surge ends, by instance. */
  readonly surges: Map<string, number>;
  /** The last time at which an alarm is known to have left ALARM. */
  readonly alarmEnds: Map<string, number>;
  /** The counts that stood in its record, by the opening or the order that they were made for. */
  readonly counts: Map<string, Count>;
  /** Counts that were destroyed with the object; a function that read them before brings them, and the object, back. */
  readonly lostCounts: ReadonlyMap<string, Count>;
  /** The size that is held because somebody broke the record. */
  held?: number;
  /** A field that a newer version has put into the record. */
  newer?: string;
  /** When somebody last destroyed the object or its record. */
  destroyedAt: number;
}

/** How many nodes an opening or an order adds to. */
export interface Count {
  readonly nodes: number;
  readonly at: string;
  /** The end of an opening. */
  readonly until?: string;
  readonly assumed?: boolean;
}

/** An order, from the person's side. */
export interface Order {
  readonly id: string;
  readonly nodePool: string;
  readonly mode: 'atLeast' | 'exactly' | 'addNodes' | 'release';
  readonly replicas: number;
  readonly forMs: number;
  /** Its own time, where it carries one. */
  readonly at?: number;
}

/**
 * An independent book of what was accepted. It never looks at what Headstart decides: an order counts once its
 * caller got an answer, a notice once its message is off the queue, and either once it stood in a record.
 */
export class Ledger {
  private readonly accounts = new Map<string, Account>();
  private readonly orders = new Map<string, Order>();
  private readonly notices = new Map<string, number[]>();
  /** Orders that stood in a record. */
  private readonly stood = new Set<string>();

  of(stack: string, nodePool: string): Account {
    const key = `${stack}/${nodePool}`;
    const known = this.accounts.get(key) ?? newAccount(0, new Map());
    this.accounts.set(key, known);
    return known;
  }

  /** A person is about to order something. */
  announce(order: Order): void {
    this.orders.set(order.id, order);
  }

  /** AWS is about to send a notice, dated so. */
  announceNotice(instanceId: string, at: number): void {
    this.notices.set(instanceId, [...(this.notices.get(instanceId) ?? []), at]);
  }

  /** The object or its record was destroyed: what stood in it is lost, and nobody can do anything about that. */
  destroy(stack: string, nodePool: string, now: number): void {
    const { counts, lostCounts } = this.of(stack, nodePool);
    this.accounts.set(`${stack}/${nodePool}`, newAccount(now, new Map([...lostCounts, ...counts])));
  }

  /** A word was accepted; `receivedAt` is the time by the clock of the function that took it. */
  accept(stack: string, nodePool: string, order: Order, receivedAt: number): void {
    this.hear(this.of(stack, nodePool), wordOf(order, order.at ?? receivedAt));
  }

  acceptSurge(stack: string, pool: NodePoolConfig, instanceId: string, at: number): void {
    const until = at + (pool.interruptions?.holdSeconds ?? 0) * 1_000;
    this.surgeUntil(this.of(stack, pool.name), instanceId, until);
  }

  /** Whether an order ever stood in the record of a NodePool. */
  hasStood(stack: string, nodePool: string, { id }: Order): boolean {
    return this.stood.has(`${stack}/${nodePool}/${id}`);
  }

  /** What stands in a record counts; what nobody ever said must not stand there. */
  observe(stack: string, nodePool: string, text: string | undefined): string | undefined {
    const record = parsed(text);
    if (!record) return undefined;
    const id = record.override?.reason ?? record.released?.reason;
    if (id !== undefined) this.stood.add(`${stack}/${nodePool}/${id}`);
    const account = this.of(stack, nodePool);
    const override = record.override && overrideOf(record.override);
    if (override) {
      const wrong = this.doubt(override, nodePool);
      if (wrong !== undefined) return wrong;
      this.hear(account, { override });
    }
    if (record.released) {
      const released = { ...record.released, at: Date.parse(record.released.at) };
      const wrong = this.doubtRelease(released);
      if (wrong !== undefined) return wrong;
      this.hear(account, { released });
    }
    for (const [instanceId, { until }] of Object.entries(record.surges ?? {})) {
      if (!this.notices.has(instanceId)) return `surge of ${instanceId}, of which there was no notice`;
      this.surgeUntil(account, instanceId, Date.parse(until));
    }
    return undefined;
  }

  private hear(account: Account, word: OverrideOrRelease): void {
    if (!account.word || isNewer(word, account.word)) account.word = word;
  }

  private surgeUntil(account: Account, instanceId: string, until: number): void {
    account.surges.set(instanceId, Math.max(account.surges.get(instanceId) ?? 0, until));
  }

  /** A release without a name is what is left of an override that has ended. */
  private doubtRelease({ by, reason = '', at }: Release): string | undefined {
    const order = this.orders.get(reason);
    if (by === undefined || (order?.mode === 'release' && (order.at ?? at) === at)) return undefined;
    return `release ${reason} as of ${new Date(at).toISOString()}, which nobody ordered so`;
  }

  private doubt(override: Override, nodePool: string): string | undefined {
    const order = this.orders.get(override.reason);
    const shown = JSON.stringify(override);
    if (!order) return `override that nobody ordered: ${shown}`;
    const same =
      (order.nodePool === nodePool || order.nodePool === '*') &&
      order.mode === override.mode &&
      order.replicas === override.replicas &&
      (order.at ?? override.at) === override.at &&
      override.until - override.at === order.forMs;
    return same ? undefined : `override ${shown} differs from the order ${JSON.stringify(order)}`;
  }
}

function newAccount(destroyedAt: number, lostCounts: ReadonlyMap<string, Count>): Account {
  return { surges: new Map(), alarmEnds: new Map(), counts: new Map(), lostCounts, destroyedAt };
}

/** What the count of an order goes by: an order that is given again has a time of its own. */
export function orderKey({ reason, at }: Pick<Override, 'reason' | 'at'>): string {
  return `${reason}@${new Date(at).toISOString()}`;
}

function wordOf({ id, mode, replicas, forMs }: Order, at: number): OverrideOrRelease {
  if (mode === 'release') return { released: { at, by: 'ana', reason: id } };
  return { override: { mode, replicas, at, until: at + forMs, by: 'ana', reason: id } };
}

interface WrittenRecord {
  readonly override?: Readonly<Record<string, unknown>>;
  readonly released?: Omit<Release, 'at'> & { readonly at: string };
  readonly surges?: Readonly<Record<string, { readonly until: string }>>;
}

function parsed(text: string | undefined): WrittenRecord | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as WrittenRecord;
  } catch {
    return undefined;
  }
}

function overrideOf(raw: Readonly<Record<string, unknown>>): Override {
  return {
    mode: raw.mode === 'exactly' || raw.mode === 'addNodes' ? raw.mode : 'atLeast',
    replicas: Number(raw.replicas),
    until: Date.parse(String(raw.until)),
    at: Date.parse(String(raw.at)),
    by: String(raw.by),
    reason: String(raw.reason),
  };
}
