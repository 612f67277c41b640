import { KARPENTER_NODEPOOL_LABEL, spotTwinName } from '../../basics/names';
import { type Found, fault, type Rules } from '../schema/rules';
import { asList, asMap } from '../yaml/untyped';
import type { NodePoolRules, WrittenConfig, WrittenNodePool } from './written';

type Entries = NonNullable<WrittenConfig['nodePools']>;
type Entry = NonNullable<Entries[string]>;

/** The NodePool of an entry: what it names, else its key. */
export function nodePoolIn(name: string, written: Entry | undefined): string {
  return typeof written?.nodePool === 'string' ? written.nodePool : name;
}

/** Rules of several headrooms on one NodePool. */
export const headroomRules: Rules<WrittenConfig> = ({ nodePools = {} }) => [
  ...takenKeys(nodePools),
  ...secondFloors(nodePools),
  ...secondPrices(nodePools),
];

/** Or the key would mean one NodePool here and another one there. */
function takenKeys(entries: Entries): Found {
  return Object.entries(entries).map(([name, written]) => {
    const nodePool = nodePoolIn(name, written);
    const user = nodePool === name ? undefined : usersOf(name, entries).find((other) => other !== name);
    return (
      user !== undefined &&
      fault(
        [name, 'nodePool'],
        `is ${JSON.stringify(nodePool)}, but ${user} has nodePool: ${name}, which is this key; leave nodePool out here, or give this headroom another key`,
      )
    );
  });
}

/** Two floors that add nodes to what is there would count each other's, and grow with every window. */
function secondFloors(entries: Entries): Found {
  const first = new Map<string, string>();
  return Object.entries(entries).map(([name, written]) => {
    if (written?.unit?.floor === undefined) return undefined;
    const nodePool = withoutTwin(nodePoolIn(name, written), entries);
    const before = first.get(nodePool);
    if (before === undefined) first.set(nodePool, name);
    return (
      before !== undefined &&
      fault(
        [name, 'unit', 'floor'],
        `is a second floor on NodePool ${nodePool}, beside ${before}: two would count each other's nodes; write the windows of both in ${before}, or unit: {node: …} or {slice: …} here`,
      )
    );
  });
}

/** Where no entry has the NodePool as its key. */
function secondPrices(entries: Entries): Found {
  const first = new Map<string, string>();
  return Object.entries(entries).map(([name, written]) => {
    const nodePool = nodePoolIn(name, written);
    if (written?.price === undefined || Object.hasOwn(entries, nodePool)) return undefined;
    const before = first.get(nodePool);
    if (before === undefined) first.set(nodePool, name);
    return (
      before !== undefined &&
      fault([name, 'price'], `is for all headrooms on NodePool ${nodePool}, and ${before} has it; leave it out here`)
    );
  });
}

/** Rules of an entry that is on another NodePool than the one of its key, and of every node selector. */
export const sharingRules: NodePoolRules = (nodePool) => [...foreignRules(nodePool), ...selectorRules(nodePool)];

function foreignRules({ name, config: { nodePools = {} }, ...written }: WrittenNodePool): Found {
  const nodePool = nodePoolIn(name, written);
  if (nodePool === name) return [];
  const there = Object.hasOwn(nodePools, nodePool);
  return [
    written.pool !== undefined &&
      fault(
        'pool',
        there
          ? `is for all headrooms on NodePool ${nodePool}; write it in nodePools.${nodePool}`
          : `goes into the entry whose key is the NodePool; give one entry the key ${nodePool} and write it there`,
      ),
    there &&
      written.price !== undefined &&
      fault('price', `is for all headrooms on NodePool ${nodePool}; write it in nodePools.${nodePool}`),
  ];
}

function selectorRules({ name, config: _, ...written }: WrittenNodePool): Found {
  const nodePool = nodePoolIn(name, written);
  const selected = asMap(written.nodeSelector)[KARPENTER_NODEPOOL_LABEL];
  const fix = `a headroom is on one NodePool, here ${nodePool}; leave it out, and write another NodePool in nodePool`;
  return [
    selected !== undefined &&
      selected !== nodePool &&
      fault(['nodeSelector', KARPENTER_NODEPOOL_LABEL], `is ${JSON.stringify(selected)}, and ${fix}`),
    ...asList(written.nodeAffinity).map((one, index) => {
      const { key, operator, values } = asMap(one);
      const fits = operator === 'Exists' || (operator === 'In' && asList(values).includes(nodePool));
      return (
        key === KARPENTER_NODEPOOL_LABEL && !fits && fault(['nodeAffinity', index], `selects NodePools, and ${fix}`)
      );
    }),
  ];
}

function usersOf(nodePool: string, entries: Entries): readonly string[] {
  return Object.keys(entries).filter((name) => nodePoolIn(name, entries[name]) === nodePool);
}

/** The NodePool beside which `spotTwin` makes this one. */
function withoutTwin(nodePool: string, entries: Entries): string {
  const on = (name: string) => entries[name]?.pool?.spotTwin === true && spotTwinName(name) === nodePool;
  return Object.keys(entries).find(on) ?? nodePool;
}
