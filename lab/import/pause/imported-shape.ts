import type { MatchExpression } from '../../../shared/core/config/config';
import { asList, asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import { matchesExpression } from '../../../shared/core/karpenter/matches-expression';
import type { FieldLedger, Path } from '../input/field-ledger';
import { takeRequests } from './pod-requests';

const HOSTNAME = 'kubernetes.io/hostname';
const RULES = {
  required: 'requiredDuringSchedulingIgnoredDuringExecution',
  preferred: 'preferredDuringSchedulingIgnoredDuringExecution',
};

const NODEPOOL = 'karpenter.sh/nodepool';
const NODEPOOL_KEYS = [NODEPOOL, 'karpenter.sh/provisioner-name'];
const ZONES = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'];
/** Labels of node groups, which Karpenter's nodes do not have. */
const NODE_GROUP =
  /^(eks\.amazonaws\.com\/nodegroup|alpha\.eksctl\.io\/.*|cloud\.google\.com\/.*|kubernetes\.azure\.com\/.*)$/;
const NO_NODE_GROUP = "names a node group, which Karpenter's nodes do not have";

export interface ImportedShape {
  readonly nodePool?: string;
  readonly requests: Readonly<Record<string, string>>;
  readonly apart: Apart;
  /** Its nodes are selected by labels other than the NodePool's. */
  readonly labelled: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface PodPlace {
  /** The fields of its spec, in a pod template or in a chart's values. */
  readonly pod: Path;
  /** The pod's own labels; if they are unknown, selectors are assumed to match its own pods. */
  readonly labels?: Path;
  /** Instead of containers: the requests and limits of the one container. */
  readonly resources?: Path;
}

export function placeIn(template: Path): PodPlace {
  return { pod: [...template, 'spec'], labels: [...template, 'metadata', 'labels'] };
}

/** The place in the values of a chart, where the pod has one container. */
export function placeBelow(pod: Path): PodPlace {
  return { pod, resources: [...pod, 'resources'] };
}

export function importedShape(ledger: FieldLedger, place: PodPlace): ImportedShape {
  const { pod } = place;
  const own = place.labels && ledger.peek(...place.labels);
  const labels = own === undefined ? undefined : asMap(own);
  const selected = takeNodeSelector(ledger, [...pod, 'nodeSelector']);
  const affine = takeNodeAffinity(ledger, [...pod, 'affinity']);
  const apart = takeAntiAffinity(ledger, [...pod, 'affinity'], labels);
  const tolerated = asList(ledger.peek(...pod, 'tolerations')).length > 0;
  const nodePool = selected.nodePool ?? affine.nodePool;
  const labelled = Object.keys(selected.labels).length > 0 || affine.expressions.length > 0;
  return {
    ...(nodePool !== undefined && { nodePool }),
    requests: takeRequests(ledger, place),
    apart,
    labelled,
    settings: {
      ...(Object.keys(selected.labels).length > 0 && { nodeSelector: selected.labels }),
      ...(affine.expressions.length > 0 && { nodeAffinity: affine.expressions }),
      ...(tolerated && { tolerations: ledger.take(...pod, 'tolerations') }),
      ...(takeZoneSpread(ledger, [...pod, 'topologySpreadConstraints'], labels) && { zones: 'spread' }),
    },
  };
}

function takeNodeSelector(ledger: FieldLedger, path: Path): { nodePool?: string; labels: Record<string, string> } {
  const labels: Record<string, string> = {};
  let nodePool: string | undefined;
  for (const [key, value] of Object.entries(asMap(ledger.peek(...path)))) {
    if (NODEPOOL_KEYS.includes(key)) nodePool = String(ledger.take(...path, key));
    else if (NODE_GROUP.test(key)) ledger.leave([...path, key], NO_NODE_GROUP);
    else labels[key] = String(ledger.take(...path, key) ?? value);
  }
  return { ...(nodePool !== undefined && { nodePool }), labels };
}

/** One required term can be carried over, but neither alternatives nor preferences. */
function takeNodeAffinity(ledger: FieldLedger, path: Path): { nodePool?: string; expressions: unknown[] } {
  const required: Path = [...path, 'nodeAffinity', RULES.required, 'nodeSelectorTerms'];
  ledger.leave([...path, 'nodeAffinity', RULES.preferred], 'is a preference; headroom supports requirements only');
  const terms = asList(ledger.peek(...required));
  if (terms.length > 1) ledger.leave(required, 'has several terms; headroom supports one, write it under nodeAffinity');
  if (terms.length !== 1) return { expressions: [] };
  let nodePool: string | undefined;
  const expressions: unknown[] = [];
  for (const [index, raw] of asList(asMap(terms[0]).matchExpressions).entries()) {
    const { key, operator, values } = asMap(raw);
    const here: Path = [...required, 0, 'matchExpressions', index];
    const ofPools = NODEPOOL_KEYS.includes(String(key));
    if (NODE_GROUP.test(String(key))) ledger.leave(here, NO_NODE_GROUP);
    else if (ofPools && asList(values).length > 0 && operator === 'In') {
      ledger.takeFields(here, ['key', 'operator']);
      for (const [at, value] of asList(values).entries())
        if (at === 0) nodePool = String(ledger.take(...here, 'values', at));
        else
          ledger.leave(
            [...here, 'values', at],
            `a headroom is on one NodePool; write an entry with nodePool: ${value}`,
          );
    } else {
      const taken = ledger.take(...here);
      expressions.push(ofPools ? { ...asMap(taken), key: NODEPOOL } : taken);
    }
  }
  return { ...(nodePool !== undefined && { nodePool }), expressions };
}

function takeZoneSpread(ledger: FieldLedger, path: Path, labels: Values | undefined): boolean {
  let spread = false;
  for (const [index, raw] of asList(ledger.peek(...path)).entries()) {
    const here = [...path, index];
    const { topologyKey, maxSkew, whenUnsatisfiable = 'DoNotSchedule', labelSelector } = asMap(raw);
    const reason = notSpread(String(topologyKey), whenUnsatisfiable, selectsItself(labelSelector, labels));
    if (reason !== undefined) {
      ledger.leave(here, reason);
      continue;
    }
    ledger.takeFields(here, ['topologyKey', 'whenUnsatisfiable']);
    if (maxSkew === 1) ledger.take(...here, 'maxSkew');
    ledger.leave([...here, 'maxSkew'], 'headroom always spreads with a skew of 1');
    ledger.leave([...here, 'labelSelector'], 'headroom spreads its own pods only');
    spread = true;
  }
  return spread;
}

function notSpread(topologyKey: string, whenUnsatisfiable: unknown, ofItself: boolean): string | undefined {
  if (!ZONES.includes(topologyKey))
    return 'headroom spreads over zones only; unit: {node: …} puts one pod on each node';
  if (whenUnsatisfiable !== 'DoNotSchedule')
    return 'is a preference; headroom can spread over zones as a requirement only: zones: spread';
  return ofItself ? undefined : 'counts other pods than its own; headroom spreads its own pods only';
}

/** Whether a label selector of a pod selects the pod itself; assumed if its labels are unknown. */
function selectsItself(selector: unknown, labels: Values | undefined): boolean {
  if (labels === undefined) return true;
  if (selector === undefined || selector === null) return false;
  const { matchLabels, matchExpressions } = asMap(selector);
  const byLabels = Object.entries(asMap(matchLabels)).every(([key, value]) => labels[key] === value);
  const expressions = asList(matchExpressions).map((one) => asMap(one) as unknown as MatchExpression);
  return byLabels && expressions.every((one) => matchesExpression(one, labels as Readonly<Record<string, string>>));
}

type Apart = false | 'required' | 'preferred';

function takeAntiAffinity(ledger: FieldLedger, path: Path, labels: Values | undefined): Apart {
  ledger.leave([...path, 'podAffinity'], 'headroom does not follow other pods');
  const required = takeRules(ledger, [...path, 'podAntiAffinity', RULES.required], labels);
  const preferred = takeRules(ledger, [...path, 'podAntiAffinity', RULES.preferred], labels);
  if (required) return 'required';
  return preferred && 'preferred';
}

function takeRules(ledger: FieldLedger, path: Path, labels: Values | undefined): boolean {
  let apart = false;
  for (const [index, raw] of asList(ledger.peek(...path)).entries()) {
    const rule: Path = [...path, index];
    const nested = 'podAffinityTerm' in asMap(raw);
    const term: Path = nested ? [...rule, 'podAffinityTerm'] : rule;
    const { topologyKey, labelSelector } = asMap(ledger.peek(...term));
    if (topologyKey !== HOSTNAME)
      ledger.leave(rule, 'headroom keeps apart by node only; zones: spread spreads it over zones');
    else if (!selectsItself(labelSelector, labels))
      ledger.leave(rule, 'keeps away from other pods than its own; headroom keeps its own pods apart only');
    else {
      ledger.take(...term, 'topologyKey');
      ledger.leave([...term, 'labelSelector'], 'headroom keeps its own pods apart');
      ledger.leave([...rule, 'weight'], 'the preference becomes a requirement: one pause pod per node');
      apart = true;
    }
  }
  return apart;
}
