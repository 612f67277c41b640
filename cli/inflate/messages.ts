import type { HeadroomConfig, Unit } from '../../shared/core/config/config';
import { unitNoun } from '../../shared/core/config/unit-text';
import type { CapacityFacts } from '../../shared/core/karpenter/capacity-facts';
import type { OverrideDecision } from '../../shared/core/respond';
import { count } from '../../shared/drawing/amounts';
import { defaultZone, momentText } from '../../shared/drawing/local-time';
import { coarse } from '../terminal/relative-time';
import type { RequestedSize } from './build-override';

export function decisionText(decision: OverrideDecision, requested: RequestedSize): string {
  const { headroom, from, replicas, reasons } = decision;
  const why = reasons.join('; ');
  if (from === replicas) return `${headroom}: already ${replicas} (${why})`;
  // With addNodes the existing nodes are part of the request; pods of a workload share pause pods.
  const isCounted = requested.mode === 'addNodes' || decision.pods !== undefined;
  const more = !isCounted && replicas > requested.replicas ? `, more than the requested ${requested.replicas}` : '';
  return `${headroom}: ${from} → ${replicas}${more} (${why})`;
}

export function nodeText(facts: CapacityFacts, wanted: number, unit: Unit, since: number): string {
  const created = new Map(facts.nodes.map(({ name, createdAt }) => [name, createdAt]));
  const isNew = (node: string) => (created.get(node) ?? 0) >= since;
  const placed = facts.pods.flatMap(({ node }) => (node === undefined ? [] : [node]));
  const onExisting = placed.filter((node) => !isNew(node)).length;
  const onNew = placed.length - onExisting;
  const joining = facts.claims.filter(
    ({ nodeName, createdAt }) => createdAt >= since && (nodeName === undefined || !created.has(nodeName)),
  ).length;
  const pending = Math.max(0, wanted - placed.length);
  const coming = unit.kind === 'slice' ? joining : pending;
  const parts = [
    ...(onExisting > 0 ? [existingText(onExisting, unit)] : []),
    ...(onNew > 0 ? [unit.kind === 'floor' ? `${onNew} new` : `${onNew} on new nodes`] : []),
    ...(coming > 0 ? [`${count(coming, 'node')} coming`] : []),
    ...(unit.kind === 'slice' && pending > 0 ? [`${count(pending, 'pause pod')} pending`] : []),
  ];
  return `${wanted} wanted: ${parts.join(', ') || 'no pause pods yet'}`;
}

/** A floor counts nodes; otherwise pause pods hold room on them. */
function existingText(nodes: number, { kind }: Unit): string {
  return kind === 'floor' ? `${count(nodes, 'node')} there already` : `${count(nodes, 'pause pod')} on existing nodes`;
}

export interface OverrideEnd {
  readonly until: number;
  readonly now: number;
  /** Absent with --no-wait. */
  readonly waited: Waited | undefined;
  readonly release: string;
}

export function endText({ name, windows, unit }: HeadroomConfig, { until, now, waited, release }: OverrideEnd): string {
  const expiry = `expires at ${momentText(defaultZone(windows), until, now)}; to end it sooner, run ${release}`;
  if (!waited) return `${name}: override set; it ${expiry}`;
  const { kind, ready, wanted, afterMs, instead } = waited;
  const units = `${ready} of ${wanted} ${unitNoun(unit)}s`;
  const after = coarse(afterMs / 1_000);
  const texts = {
    ready: `${units} ready after ${after}; the override ${expiry}`,
    interrupted: `stopped waiting at ${units}; the override stays in force and ${expiry}`,
    ended: `the override expired with ${units} ready`,
    replaced: `the override is no longer in force, ${instead}; it had ${units} ready`,
    late: `only ${units} ready after ${after}; the override stays in force and ${expiry}`,
  };
  return `${name}: ${texts[kind]}`;
}

export interface Waited {
  /** `replaced`: another override or a release took its place. */
  readonly kind: 'ready' | 'late' | 'interrupted' | 'ended' | 'replaced';
  readonly wanted: number;
  readonly ready: number;
  readonly afterMs: number;
  readonly instead?: string;
  /** Why capacity is missing, as sentences; if nothing is refused, what is on its way. */
  readonly why: readonly string[];
}
