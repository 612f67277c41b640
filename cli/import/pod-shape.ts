import { parseQuantity } from '../../shared/core/config/quantity';
import { asList, asMap, type Values } from '../../shared/core/config/untyped';
import { quantityText } from '../terminal/quantity-text';
import type { Ledger, Path } from './ledger';

const NODEPOOL_KEYS = ['karpenter.sh/nodepool', 'karpenter.sh/provisioner-name'];
const HOSTNAME = 'kubernetes.io/hostname';
const ZONES = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'];
/** Labels of node groups: Karpenter's nodes do not have them. */
const NODE_GROUP =
  /^(eks\.amazonaws\.com\/nodegroup|alpha\.eksctl\.io\/.*|cloud\.google\.com\/.*|kubernetes\.azure\.com\/.*)$/;

/** What a pod template says about where its headroom must be and how large. */
export interface PodShape {
  readonly nodePool?: string;
  readonly requests: Readonly<Record<string, string>>;
  /** One pod per node. */
  readonly apart: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The pods only hold a place for others. */
  readonly isPause: boolean;
}

/** Where the parts of a pod are, so that a chart's values and a pod template read alike. */
export interface PodPlaces {
  readonly nodeSelector: Path;
  readonly affinity: Path;
  readonly tolerations: Path;
  readonly spread: Path;
  readonly priority?: Path;
  readonly priorityClass?: Path;
  readonly containers?: Path;
  /** Instead of containers: the resources of the one container. */
  readonly resources?: Path;
}

/** Reads a pod's shape and takes what the config can hold. */
export function podShape(ledger: Ledger, places: PodPlaces): PodShape {
  const selected = takeNodeSelector(ledger, places.nodeSelector);
  const affine = takeNodeAffinity(ledger, places.affinity);
  const apart = takeAntiAffinity(ledger, places.affinity);
  const tolerations =
    asList(ledger.peek(...places.tolerations)).length > 0 ? ledger.take(...places.tolerations) : undefined;
  const nodePool = selected.nodePool ?? affine.nodePool;
  const { labels } = selected;
  const bound = { ...labels, ...(nodePool !== undefined && { 'karpenter.sh/nodepool': nodePool }) };
  return {
    ...(nodePool !== undefined && { nodePool }),
    requests: takeRequests(ledger, places),
    apart,
    settings: {
      ...(Object.keys(labels).length > 0 && { nodeSelector: bound }),
      ...(affine.expressions.length > 0 && { nodeAffinity: affine.expressions }),
      ...(tolerations !== undefined && { tolerations }),
      ...(takeZoneSpread(ledger, places.spread) && { zones: 'spread' }),
    },
    isPause: isPause(ledger, places),
  };
}

/** By its image, or by a priority below that of work. */
function isPause(ledger: Ledger, { containers, priority, priorityClass }: PodPlaces): boolean {
  const images = asList(containers ? ledger.peek(...containers) : []).map((one) => String(asMap(one).image ?? ''));
  if (images.length === 1 && /(^|\/)pause(-\w+)?(:|@|$)/.test(images[0] ?? '')) return true;
  if (priority && Number(ledger.peek(...priority)) < 0) return true;
  return /over-?provision|placeholder|headroom/i.test(String(priorityClass ? ledger.peek(...priorityClass) : ''));
}

function takeNodeSelector(ledger: Ledger, path: Path): { nodePool?: string; labels: Record<string, string> } {
  const labels: Record<string, string> = {};
  let nodePool: string | undefined;
  for (const [key, value] of Object.entries(asMap(ledger.peek(...path)))) {
    if (NODEPOOL_KEYS.includes(key)) nodePool = String(ledger.take(...path, key));
    else if (NODE_GROUP.test(key))
      ledger.leave([...path, key], "names a node group, which Karpenter's nodes do not have");
    else labels[key] = String(ledger.take(...path, key) ?? value);
  }
  return { ...(nodePool !== undefined && { nodePool }), labels };
}

/** One required term can be carried; a choice of several and mere preferences cannot. */
function takeNodeAffinity(ledger: Ledger, path: Path): { nodePool?: string; expressions: unknown[] } {
  const required: Path = [
    ...path,
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
    'nodeSelectorTerms',
  ];
  ledger.leave(
    [...path, 'nodeAffinity', 'preferredDuringSchedulingIgnoredDuringExecution'],
    'is a preference; headroom supports requirements only',
  );
  const terms = asList(ledger.peek(...required));
  if (terms.length > 1) ledger.leave(required, 'has several terms; headroom supports one, write it under nodeAffinity');
  if (terms.length !== 1) return { expressions: [] };
  let nodePool: string | undefined;
  const expressions: unknown[] = [];
  for (const [index, raw] of asList(asMap(terms[0]).matchExpressions).entries()) {
    const { key, operator, values } = asMap(raw);
    const here: Path = [...required, 0, 'matchExpressions', index];
    const single = asList(values).length === 1 && operator === 'In';
    if (NODE_GROUP.test(String(key))) ledger.leave(here, "names a node group, which Karpenter's nodes do not have");
    else if (NODEPOOL_KEYS.includes(String(key)) && single) {
      ledger.takeFields(here, ['key', 'operator', 'values']);
      nodePool = String(asList(values)[0]);
    } else expressions.push(ledger.take(...here));
  }
  return { ...(nodePool !== undefined && { nodePool }), expressions };
}

function takeAntiAffinity(ledger: Ledger, path: Path): boolean {
  const kinds = ['requiredDuringSchedulingIgnoredDuringExecution', 'preferredDuringSchedulingIgnoredDuringExecution'];
  let apart = false;
  for (const kind of kinds) {
    const here: Path = [...path, 'podAntiAffinity', kind];
    for (const [index, raw] of asList(ledger.peek(...here)).entries()) {
      const preferred = kind.startsWith('preferred');
      const place: Path = [...here, index, ...(preferred ? ['podAffinityTerm'] : [])];
      if (asMap(preferred ? asMap(raw).podAffinityTerm : raw).topologyKey !== HOSTNAME) continue;
      ledger.take(...place, 'topologyKey');
      ledger.leave([...place, 'labelSelector'], 'headroom spreads its own pods only');
      ledger.leave([...here, index, 'weight'], 'the preference becomes a requirement: one pause pod per node');
      apart = true;
    }
  }
  return apart;
}

function takeZoneSpread(ledger: Ledger, path: Path): boolean {
  let spread = false;
  for (const [index, raw] of asList(ledger.peek(...path)).entries()) {
    const { topologyKey, maxSkew, whenUnsatisfiable = 'DoNotSchedule' } = asMap(raw);
    if (!ZONES.includes(String(topologyKey)) || whenUnsatisfiable !== 'DoNotSchedule') continue;
    ledger.takeFields([...path, index], ['topologyKey', 'whenUnsatisfiable']);
    if (maxSkew === 1) ledger.take(...path, index, 'maxSkew');
    ledger.leave([...path, index, 'maxSkew'], 'headroom always spreads with a skew of 1');
    ledger.leave([...path, index, 'labelSelector'], 'headroom spreads its own pods only');
    spread = true;
  }
  return spread;
}

/** The sum over all containers; a limit counts where there is no request, as in Kubernetes. */
function takeRequests(ledger: Ledger, { containers, resources }: PodPlaces): Record<string, string> {
  const paths: Path[] = resources
    ? [resources]
    : asList(ledger.peek(...(containers ?? []))).map((_, index) => [...(containers ?? []), index, 'resources']);
  const sums = new Map<string, number>();
  for (const path of paths) {
    const { requests, limits } = asMap(ledger.peek(...path));
    for (const [from, map] of [
      ['requests', asMap(requests)],
      ['limits', asMap(limits)],
    ] as const)
      for (const [resource, value] of Object.entries(map)) {
        const quantity = parseQuantity(String(value));
        if (from === 'limits' && resource in asMap(requests)) {
          ledger.leave([...path, from, resource], 'pause pods use nothing, so they need no limit');
          continue;
        }
        if (quantity === undefined) continue;
        ledger.take(...path, from, resource);
        sums.set(resource, (sums.get(resource) ?? 0) + quantity);
      }
  }
  return Object.fromEntries([...sums].map(([resource, sum]) => [resource, quantityText(resource, sum)]));
}

/** The unit of a headroom that replaces such pods. */
export function unitOf({ requests, apart }: PodShape): { readonly unit: Values; readonly remark?: string } {
  const known = Object.keys(requests).length > 0;
  const size = known ? requests : { cpu: '1', memory: '1Gi' };
  const unit = apart ? { node: size } : { slice: size };
  return known ? { unit } : { unit, remark: 'the pods have no requests; set what one replica should hold' };
}
