import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { OverrideOrRelease } from '../../../shared/core/intents/newest-wins';
import type { Override, Release } from '../../../shared/core/record/record';
import { isNewerOverride, type OverrideOrEnd } from '../model/expected-record';

/** The accepted inputs of one NodePool's headroom. */
export interface PoolInputs {
  /** The latest override or release. */
  latest?: OverrideOrRelease;
  /** When each surge ends, by instance. */
  readonly surges: Map<string, number>;
  /** When each alarm is last known to have left ALARM. */
  readonly alarmEnds: Map<string, number>;
  /** The node counts found in its record, by occurrence or override. */
  readonly counts: Map<string, Count>;
  /** Counts destroyed together with the object; a function that had read them may restore both. */
  readonly lostCounts: Map<string, Count>;
  /** The size that is held because the record is broken. */
  held?: number;
  /** The value of a field that a newer version wrote into the record. */
  newer?: string;
  /** When the object or its record was last destroyed. */
  destroyedAt: number;
  /** When it was, or moved to another NodePool. */
  surgesLostAt: number;
}

/** How many nodes an occurrence or an override adds to. */
export interface Count {
  readonly nodes: number;
  readonly at: string;
  /** The end of the occurrence. */
  readonly until?: string;
  readonly assumed?: number;
}

/** An override or a release, as the operator sent it. */
export interface OverrideRequest {
  readonly id: string;
  readonly headroom: string;
  readonly mode: 'atLeast' | 'exactly' | 'addNodes' | 'release';
  readonly replicas: number;
  readonly forMs: number;
  /** Instead of `replicas`, in per cent. */
  readonly share?: number;
  /** The time at which it was made, if it carries one. */
  readonly at?: number;
}

/**
 * What Headstart has accepted, tracked independently of what it decides: an override counts once its caller got
 * an answer, a notice once its message is deleted from the queue, and either once it has been in a record.
 */
export class AcceptedInputs {
  private readonly byPool = new Map<string, PoolInputs>();
  private readonly requests = new Map<string, OverrideRequest>();
  private readonly notices = new Map<string, number[]>();
  /** Requests that have been in a record. */
  private readonly recorded = new Set<string>();

  of(stack: string, headroom: string): PoolInputs {
    const key = `${stack}/${headroom}`;
    const known = this.byPool.get(key) ?? newInputs(0, new Map());
    this.byPool.set(key, known);
    return known;
  }

  /** An operator is about to send a request. */
  announce(request: OverrideRequest): void {
    this.requests.set(request.id, request);
  }

  /** AWS is about to send a notice with this date. */
  announceNotice(instanceId: string, at: number): void {
    this.notices.set(instanceId, [...(this.notices.get(instanceId) ?? []), at]);
  }

  /** The object or its record was destroyed: whatever it held is lost for good. */
  destroy(stack: string, headroom: string, now: number): void {
    const { counts, lostCounts } = this.of(stack, headroom);
    this.byPool.set(`${stack}/${headroom}`, newInputs(now, new Map([...lostCounts, ...seenCounts(counts)])));
  }

  /** The headroom was moved to another NodePool: what was counted for the old one is over. */
  move(stack: string, headroom: string, now: number): void {
    const inputs = this.of(stack, headroom);
    for (const map of [inputs.surges, inputs.counts, inputs.lostCounts]) map.clear();
    inputs.surgesLostAt = now;
  }

  /** A request was accepted; `receivedAt` is by the clock of the function that handled it. */
  accept(stack: string, headroom: string, request: OverrideRequest, receivedAt: number): void {
    this.keepLatest(this.of(stack, headroom), overrideOrRelease(request, request.at ?? receivedAt));
  }

  acceptSurge(stack: string, pool: HeadroomConfig, instanceId: string, at: number): void {
    const until = at + (pool.interruptions?.holdSeconds ?? 0) * 1_000;
    this.surgeUntil(this.of(stack, pool.name), instanceId, until);
  }

  /** Whether a request has ever been in the record of a NodePool. */
  wasRecorded(stack: string, headroom: string, { id }: OverrideRequest): boolean {
    return this.recorded.has(`${stack}/${headroom}/${id}`);
  }

  /** Accepts what a written record holds; returns a violation if it holds anything that was never sent. */
  observe(stack: string, headroom: string, text: string | undefined): string | undefined {
    const record = parsed(text);
    if (!record) return undefined;
    const id = record.override?.reason ?? record.released?.reason;
    if (id !== undefined) this.recorded.add(`${stack}/${headroom}/${id}`);
    const inputs = this.of(stack, headroom);
    const override = record.override && overrideOf(record.override);
    if (override) {
      const wrong = this.wrongOverride(override, headroom);
      if (wrong !== undefined) return wrong;
      this.keepLatest(inputs, { override });
    }
    if (record.released) {
      const released = { ...record.released, at: Date.parse(record.released.at) };
      const wrong = this.wrongRelease(released);
      if (wrong !== undefined) return wrong;
      this.keepLatest(inputs, { released });
    }
    for (const [instanceId, { until }] of Object.entries(record.surges ?? {})) {
      if (!this.notices.has(instanceId)) return `recorded a surge of ${instanceId}, for which there was no notice`;
      this.surgeUntil(inputs, instanceId, Date.parse(until));
    }
    return undefined;
  }

  private keepLatest(inputs: PoolInputs, given: OverrideOrRelease): void {
    if (!inputs.latest || isNewerOverride(writtenOverride(given), writtenOverride(inputs.latest)))
      inputs.latest = given;
  }

  private surgeUntil(inputs: PoolInputs, instanceId: string, until: number): void {
    inputs.surges.set(instanceId, Math.max(inputs.surges.get(instanceId) ?? 0, until));
  }

  /** A release without an author is the remainder of an override that has ended. */
  private wrongRelease({ by, reason = '', at }: Release): string | undefined {
    const request = this.requests.get(reason);
    if (by === undefined || (request?.mode === 'release' && (request.at ?? at) === at)) return undefined;
    return `recorded release ${reason} as of ${new Date(at).toISOString()}, which was never requested`;
  }

  private wrongOverride(override: Override, headroom: string): string | undefined {
    const request = this.requests.get(override.reason);
    const text = JSON.stringify(override);
    if (!request) return `recorded override ${text}, which was never requested`;
    const same =
      (request.headroom === headroom || request.headroom === '*') &&
      request.mode === override.mode &&
      (request.share === undefined ? request.replicas : 0) === override.replicas &&
      request.share === override.share &&
      (request.at ?? override.at) === override.at &&
      override.until - override.at === request.forMs;
    return same ? undefined : `recorded override ${text}, which differs from the request ${JSON.stringify(request)}`;
  }
}

/** The counts that are true: those of nodes that somebody saw. */
function seenCounts(counts: ReadonlyMap<string, Count>): [string, Count][] {
  return [...counts].filter(([, { assumed }]) => assumed === undefined);
}

/** Counts were destroyed; what they were is remembered. */
export function loseCounts({ counts, lostCounts }: PoolInputs, keys: readonly string[]): void {
  for (const [key, count] of seenCounts(counts)) if (keys.includes(key)) lostCounts.set(key, count);
  for (const key of keys) counts.delete(key);
}

function newInputs(destroyedAt: number, lostCounts: Map<string, Count>): PoolInputs {
  return {
    surges: new Map(),
    alarmEnds: new Map(),
    counts: new Map(),
    lostCounts,
    destroyedAt,
    surgesLostAt: destroyedAt,
  };
}

/** As the record shows it. */
export function writtenOverride({ override, released }: OverrideOrRelease): OverrideOrEnd {
  if (!override) return { released: { ...released, at: iso(released.at) } };
  const { mode, replicas, share, by, reason } = override;
  const size = { replicas, ...(share !== undefined && { share }) };
  return { override: { mode, ...size, by, reason, at: iso(override.at), until: iso(override.until) } };
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

/** The key of an override's count; the time distinguishes a repeated override. */
export function overrideKey({ reason, at }: Pick<Override, 'reason' | 'at'>): string {
  return `${reason}@${new Date(at).toISOString()}`;
}

function overrideOrRelease(
  { id, mode, replicas: written, share, forMs }: OverrideRequest,
  at: number,
): OverrideOrRelease {
  if (mode === 'release') return { released: { at, by: 'ana', reason: id } };
  const size = share === undefined ? { replicas: written } : { replicas: 0, share };
  return { override: { mode, ...size, at, until: at + forMs, by: 'ana', reason: id } };
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
    ...(raw.share !== undefined && { share: Number(raw.share) }),
    until: Date.parse(String(raw.until)),
    at: Date.parse(String(raw.at)),
    by: String(raw.by),
    reason: String(raw.reason),
  };
}
