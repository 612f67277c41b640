import { parseDuration } from '../../../../shared/core/basics/duration';
import { KARPENTER_NODEPOOL_LABEL } from '../../../../shared/core/basics/names';
import type { MatchExpression } from '../../../../shared/core/config/config';
import { matchesExpression } from '../../../../shared/core/karpenter/matches-expression';
import type { Taint } from '../../../../shared/core/karpenter/objects';
import { INSTANCE_LABELS } from '../../../../shared/pricing/instance-types';
import { NODE_POOLS } from '../../kube/kinds';
import type { ObjectStore } from '../../kube/object-store';
import type { NodePool, StringMap } from '../../kube/object-types';
import { type Amounts, readAmounts } from '../state/resource-amounts';
import { labelsUnder, type Offer } from './offers';

const NEVER = Number.POSITIVE_INFINITY;

/** A NodePool, compiled once per change of its spec. */
export interface Pool {
  readonly name: string;
  readonly object: NodePool;
  /** The labels that all its nodes have. */
  readonly labels: StringMap;
  /** The offers that the requirements allow, with the labels of this pool's nodes; cheapest first. */
  readonly offers: readonly Offer[];
  readonly zones: readonly string[];
  readonly taints: readonly Taint[];
  readonly limits: Amounts;
  /** Custom labels for which a node gets one of several values. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly consolidateAfter: number;
  readonly removesUnderutilized: boolean;
  readonly expireAfter: number;
}

/** The NodePools of the store, largest weight first. */
export class Pools {
  private readonly known = new Map<string, Pool>();

  constructor(
    private readonly store: ObjectStore,
    private readonly offers: readonly Offer[],
  ) {}

  all(): readonly Pool[] {
    const objects = this.store.list(NODE_POOLS).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const weight = ({ spec }: NodePool) => spec.weight ?? 0;
    const sorted = objects.sort((a, b) => weight(b) - weight(a) || (a.metadata.name < b.metadata.name ? -1 : 1));
    return sorted.map((object) => this.compiled(object));
  }

  get(name: string): Pool | undefined {
    const object = this.store.get(NODE_POOLS, undefined, name);
    return object && this.compiled(object);
  }

  private compiled(object: NodePool): Pool {
    const { name } = object.metadata;
    const seen = this.known.get(name);
    if (seen && seen.object.spec === object.spec) return seen;
    const pool = compilePool(object, this.offers);
    this.known.set(name, pool);
    return pool;
  }
}

function compilePool(object: NodePool, offers: readonly Offer[]): Pool {
  const { name } = object.metadata;
  const { template, disruption, limits } = object.spec;
  const requirements = template.spec.requirements ?? [];
  const own: StringMap = { ...template.metadata?.labels, [KARPENTER_NODEPOOL_LABEL]: name };
  const group = template.spec.nodeClassRef?.group ?? INSTANCE_LABELS;
  const labelled = offers.map((offer) => ({ ...offer, labels: { ...labelsUnder(group, offer.labels), ...own } }));
  const known = new Set([...Object.keys(labelled[0]?.labels ?? {}), ...Object.keys(own)]);
  const [about, custom] = split(requirements, known, `${group}/instance-`);
  const allowed = labelled.filter(({ labels }) => about.every((one) => matchesExpression(one, labels)));
  return {
    name,
    object,
    labels: own,
    offers: allowed,
    zones: [...new Set(allowed.map(({ zone }) => zone))],
    taints: template.spec.taints ?? [],
    limits: readAmounts(limits),
    choices: choicesOf(custom),
    consolidateAfter: durationOf(disruption?.consolidateAfter, 0),
    removesUnderutilized: disruption?.consolidationPolicy !== 'WhenEmpty',
    expireAfter: durationOf(template.spec.expireAfter, 720 * 3_600_000),
  };
}

function split(requirements: readonly MatchExpression[], known: ReadonlySet<string>, aboutInstances: string) {
  const isKnown = ({ key }: MatchExpression) => known.has(key) || key.startsWith(aboutInstances);
  return [requirements.filter(isKnown), requirements.filter((one) => !isKnown(one))] as const;
}

function choicesOf(requirements: readonly MatchExpression[]): ReadonlyMap<string, readonly string[]> {
  const choices = new Map<string, readonly string[]>();
  for (const { key, operator, values = [] } of requirements) {
    if (operator !== 'In') continue;
    choices.set(
      key,
      (choices.get(key) ?? values).filter((value) => values.includes(value)),
    );
  }
  return choices;
}

/** Karpenter's durations have parts in any order, such as `30s1h`, or are `Never`. */
function durationOf(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (text === 'Never') return NEVER;
  const parts = text.match(/(?<!\d)\d+[smh]/g) ?? [];
  return parts.reduce((sum, part) => sum + (parseDuration(part) ?? 0), 0) * 1000;
}
