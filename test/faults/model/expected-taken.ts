import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { Invocation } from '../environment/invocation';
import type { WrittenRecord } from './written-record';

/** An Event may be written this much later than what it is about. */
const SETTLED_MS = 10_000;

export interface ExpectedTaken {
  readonly units: number;
  readonly pods: number;
  readonly since: string;
  readonly until: string;
}

/**
 * What a write counts of the preemptions that its function read: each pause pod once, by the first of its Events, and
 * only those that no other write has counted.
 */
export function expectedTaken(
  { preempted = [], raw }: Pick<Invocation, 'preempted' | 'raw'>,
  { name, unit }: HeadroomConfig,
  before: Pick<WrittenRecord, 'takenUntil'>,
  now: number,
): ExpectedTaken | undefined {
  const isHeartbeat = (raw as { 'detail-type'?: unknown } | null)?.['detail-type'] === 'Headstart Heartbeat';
  if (unit.kind === 'floor' || !isHeartbeat) return undefined;
  const counted = before.takenUntil === undefined ? 0 : Date.parse(before.takenUntil);
  const times: number[] = [];
  const pods = new Set<string>();
  for (const { headroom, pod, at, by } of preempted) {
    if (preempted.some((other) => other.pod === pod && other.at < at)) continue;
    if (headroom !== `headroom-${name}` || at <= counted || at + SETTLED_MS > now) continue;
    times.push(at);
    if (by !== undefined) pods.add(by);
  }
  if (times.length === 0) return undefined;
  const [since, until] = [Math.min(...times), Math.max(...times)].map((at) => new Date(at).toISOString());
  return { units: times.length, pods: pods.size, since: `${since}`, until: `${until}` };
}
