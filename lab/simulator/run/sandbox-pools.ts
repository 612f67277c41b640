import { KARPENTER_NODEPOOL_LABEL, spotTwinName } from '../../../shared/core/basics/names';
import {
  type Config,
  type HeadroomConfig,
  headroomsOn,
  type MatchExpression,
} from '../../../shared/core/config/config';
import { matchesExpression } from '../../../shared/core/karpenter/matches-expression';
import { DISRUPTION_DEFAULTS, nodePoolManifests } from '../../../shared/core/karpenter/node-pools';
import type { NodePoolFields } from '../../../shared/core/karpenter/objects';
import type { Manifest } from '../../../shared/core/manifests/cluster-object-manifests';
import { ZONE_LABEL } from '../../../shared/core/manifests/pause-deployment';
import { INSTANCE_LABELS } from '../../../shared/pricing/instance-types';
import { unitOfDemand } from '../../learning/unit-of-demand';
import { type Offer, offersOf } from '../engine/karpenter/offers';
import { SIMULATED_TYPES, type SimulatedType } from '../engine/karpenter/simulated-types';
import { readAmounts } from '../engine/state/resource-amounts';

const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
/** Requirements on the instance, which the sandbox's small catalog may not be able to meet. */
const ABOUT_MACHINE = [INSTANCE_TYPE, 'karpenter.k8s.aws/instance-'];
const MAX_TYPES = 4;
/** How many units fit on a node, for a resource that is not in the catalog. */
const PLENTY = 50;

export function zonesOf({ cluster }: Config): readonly string[] {
  return ['a', 'b', 'c'].map((zone) => `${cluster.region}${zone}`);
}

/**
 * The instance types of the simulated EC2. Resources that they lack (network interfaces, disks) are added to
 * every type in plenty, because they are not what is simulated.
 */
export function sandboxCatalog({ headrooms }: Config): readonly SimulatedType[] {
  const plenty = new Map<string, number>();
  for (const { unit } of headrooms) {
    for (const [name, amount] of readAmounts(unit.requests)) {
      const known = ['cpu', 'memory'].includes(name) || SIMULATED_TYPES.some(({ extended = {} }) => name in extended);
      if (!known) plenty.set(name, Math.max(plenty.get(name) ?? 0, amount * PLENTY));
    }
  }
  if (plenty.size === 0) return SIMULATED_TYPES;
  return SIMULATED_TYPES.map((type) => ({ ...type, extended: { ...Object.fromEntries(plenty), ...type.extended } }));
}

/** The NodePools of the simulated cluster: those that a deploy generates, and stand-ins for the others. */
export function sandboxPools(config: Config): readonly Manifest[] {
  const offers = offersOf(sandboxCatalog(config), zonesOf(config));
  const generated = nodePoolManifests(config).map((manifest) =>
    manifest.kind === 'NodePool' ? withinCatalog(manifest, config, offers) : manifest,
  );
  const known = new Set(generated.map(({ metadata }) => metadata.name));
  const others = new Set(config.headrooms.map(({ nodePool }) => nodePool).filter((name) => !known.has(name)));
  return [...generated, ...[...others].map((name) => standIn(name, headroomsOn(name, config), offers))];
}

/** The instance type that Karpenter orders for one pod of the demo workload. */
export function nodeFor(pool: HeadroomConfig, config: Config): SimulatedType | undefined {
  const manifest = sandboxPools(config).find(
    ({ kind, metadata }) => kind === 'NodePool' && metadata.name === pool.nodePool,
  );
  const { requirements = [] } = (manifest as (Manifest & NodePoolFields) | undefined)?.spec.template.spec ?? {};
  const offers = offersOf(sandboxCatalog(config), zonesOf(config));
  const known = requirements.filter(({ key }) => isKnown(offers, key));
  const fits = (offer: Offer) =>
    known.every((one) => matchesExpression(one, offer.labels)) && unitsOn(offer, pool) >= 1;
  return offers.find(fits)?.type;
}

/**
 * A NodePool whose nodes fit about one unit of one of its headrooms each, so that each additional pod needs another
 * node, with and without headroom; spot, because that is cheaper and can be interrupted.
 */
function standIn(name: string, headrooms: readonly HeadroomConfig[], offers: readonly Offer[]): Manifest {
  const isOwn = (key: string) => key !== KARPENTER_NODEPOOL_LABEL && !isKnown(offers, key);
  const selected = headrooms.flatMap(({ nodeSelector }) => Object.entries(nodeSelector));
  const labels = Object.fromEntries(selected.filter(([key]) => isOwn(key)));
  const expressions = headrooms.flatMap(({ nodeAffinity }) => nodeAffinity);
  const custom = expressions.filter(({ key, operator }) => isOwn(key) && operator === 'In');
  const types = [...new Set(headrooms.flatMap((pool) => typesFor(pool, offers)))];
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        ...(Object.keys(labels).length > 0 && { metadata: { labels } }),
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [
            { key: CAPACITY_TYPE, operator: 'In', values: ['spot', 'on-demand'] },
            ...oneOfTypes(types),
            ...custom,
          ],
        },
      },
      disruption: DISRUPTION_DEFAULTS,
    },
  };
}

/** The cheapest types that fit one unit but not two; if there are none, the cheapest that fits any. */
function typesFor(pool: HeadroomConfig, offers: readonly Offer[]): readonly string[] {
  const required = requirementsOf(pool);
  const fitting = offers.filter(
    (offer) => isLargeEnough(pool, offer) && required.every((one) => matchesExpression(one, offer.labels)),
  );
  const names = (list: readonly Offer[]) => [...new Set(list.map(({ type }) => type.name))].slice(0, MAX_TYPES);
  const single = names(fitting.filter((offer) => unitsOn(offer, pool) === 1));
  return single.length > 0 ? single : names(fitting.filter((offer) => unitsOn(offer, pool) >= 1)).slice(0, 1);
}

/** The headroom's own requirements on its nodes; amd64 by default. */
function requirementsOf({ nodeSelector, nodeAffinity }: HeadroomConfig): readonly MatchExpression[] {
  const selected = Object.entries(nodeSelector).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  const required = [...selected, ...nodeAffinity].filter(({ key }) =>
    /^(node\.)?kubernetes\.io\/|^karpenter\.k8s\.aws\//.test(key),
  );
  const arch = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] };
  return required.some(({ key }) => key === arch.key) ? required : [...required, arch];
}

function isLargeEnough({ minNode }: HeadroomConfig, { type }: Offer): boolean {
  const gpus = Number(type.labels[`${INSTANCE_LABELS}/instance-gpu-count`] ?? 0);
  const isBig = type.cpu >= (minNode?.cpu ?? 0) && type.memoryMiB >= (minNode?.memoryMiB ?? 0);
  return isBig && gpus >= (minNode?.gpus ?? 0);
}

function unitsOn({ allocatable }: Offer, pool: HeadroomConfig): number {
  const wanted = [...readAmounts(unitOfDemand(pool))].filter(([, amount]) => amount > 0);
  const pods = Math.floor(Math.min(...wanted.map(([name, amount]) => (allocatable.get(name) ?? 0) / amount)));
  // A pause pod makes room for several pods of a workload, and has to fit.
  return pool.like ? Math.floor(pods / 4) : pods;
}

/** If no type of the catalog meets a NodePool's requirements, replaces them with the nearest types. */
function withinCatalog(manifest: Manifest, config: Config, offers: readonly Offer[]): Manifest {
  const { spec } = manifest as Manifest & NodePoolFields;
  const { requirements = [] } = spec.template.spec;
  const known = requirements.filter(({ key }) => isKnown(offers, key));
  if (offers.some(({ labels }) => known.every((one) => matchesExpression(one, labels)))) return manifest;
  const pools = config.headrooms.filter(({ nodePool }) =>
    [nodePool, spotTwinName(nodePool)].includes(manifest.metadata.name),
  );
  const types = [...new Set(pools.flatMap((pool) => typesFor(pool, offers)))];
  const kept = requirements.filter(
    ({ key }) => !ABOUT_MACHINE.some((prefix) => key.startsWith(prefix)) && key !== ZONE_LABEL,
  );
  const replaced = [...kept, ...oneOfTypes(types)];
  const template = { ...spec.template, spec: { ...spec.template.spec, requirements: replaced } };
  return { ...manifest, spec: { ...spec, template } };
}

/** Without a fitting type the NodePool is unrestricted: Karpenter will report that nothing fits. */
function oneOfTypes(values: readonly string[]): readonly MatchExpression[] {
  return values.length === 0 ? [] : [{ key: INSTANCE_TYPE, operator: 'In', values }];
}

function isKnown(offers: readonly Offer[], key: string): boolean {
  return offers.some(({ labels }) => labels[key] !== undefined);
}
