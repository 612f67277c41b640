import { asMap } from '../../shared/core/config/yaml/untyped';
import { chartValues } from './charts/chart-values';
import { importOverprovisioner } from './charts/overprovisioner';
import type { InputDocument } from './input/documents';
import { leftWhole } from './input/field-ledger';
import { type Imported, type ImportedPool, renamed } from './input/imported';
import { importProvisioner } from './karpenter/import-provisioner';
import { importKeda, targetOf } from './keda/keda';
import { importPause, isPauseObject, whyNotPause } from './pause/pause';
import { prioritiesOf } from './pause/pod-role';

export const SOURCES = {
  keda: importKeda,
  overprovisioner: importOverprovisioner,
  pause: importPause,
  provisioner: importProvisioner,
} as const;

export type Source = keyof typeof SOURCES;

const KARPENTER = ['Provisioner', 'NodePool', 'AWSNodeTemplate', 'EC2NodeClass'];

/** Which import each object is for; objects for none are left out. */
export function sourcesOf(documents: readonly InputDocument[]): ReadonlyMap<InputDocument, Source> {
  const scaled = documents.filter(({ value }) => asMap(value).kind === 'ScaledObject');
  const targets = new Set(scaled.map((document) => targetOf(document, documents)));
  const priorities = prioritiesOf(documents);
  const sourceOf = (document: InputDocument): Source | undefined => {
    const kind = String(asMap(document.value).kind);
    if (scaled.includes(document) || targets.has(document)) return 'keda';
    if (KARPENTER.includes(kind)) return 'provisioner';
    if (chartValues(document)) return 'overprovisioner';
    return isPauseObject(document, priorities) ? 'pause' : undefined;
  };
  return new Map(
    documents.flatMap((document) => {
      const source = sourceOf(document);
      return source === undefined ? [] : [[document, source] as const];
    }),
  );
}

/** Imports each object with the import that it is for; a NodePool and its headroom become one entry. */
export function importAny(documents: readonly InputDocument[], nodePool: string, clusterName?: string): Imported {
  const sources = sourcesOf(documents);
  const priorities = prioritiesOf(documents);
  const used = [...new Set(sources.values())];
  // PriorityClasses show what pods are for, so both imports that read pods get them.
  const readsPods = (source: Source) => source === 'pause' || source === 'keda';
  const classes = documents.filter(({ value }) => asMap(value).kind === 'PriorityClass');
  const results = used.map((source) => {
    const own = documents.filter((document) => sources.get(document) === source);
    return SOURCES[source]([...own, ...(readsPods(source) ? classes : [])], nodePool, clusterName);
  });
  const read = new Set([...sources.keys(), ...(used.some(readsPods) ? classes : [])]);
  const strangers = documents.filter((document) => !read.has(document));
  const others = [
    ...results.flatMap((result) => result.others),
    ...strangers.map((document) => leftWhole(document, whyNotPause(document, priorities))),
  ];
  return {
    pools: joined(results.flatMap(({ pools }) => pools)),
    others: [...new Map(others.map((other) => [`${other.label} ${other.path}`, other])).values()],
  };
}

/** Joins a `pool` block with the headroom of the same name; other clashing entries are renamed. */
function joined(pools: readonly ImportedPool[]): readonly ImportedPool[] {
  const byName = new Map<string, ImportedPool>();
  for (const pool of pools) {
    const other = byName.get(pool.name);
    const both = other && joinedPair(other, pool);
    if (!other || both) byName.set(pool.name, both ?? pool);
    else {
      // A pool block is under the name of its NodePool.
      const [named, moved] = 'pool' in pool.settings ? [pool, other] : [other, pool];
      byName.set(named.name, named);
      const entry = renamed(moved, new Set(byName.keys()));
      byName.set(entry.name, entry);
    }
  }
  return [...byName.values()];
}

function joinedPair(a: ImportedPool, b: ImportedPool): ImportedPool | undefined {
  const [headroom, nodePool] = 'pool' in b.settings ? [a, b] : [b, a];
  if ('pool' in headroom.settings || 'nodePool' in headroom.settings || !('pool' in nodePool.settings))
    return undefined;
  const { pool } = nodePool.settings;
  return {
    name: a.name,
    settings: { ...headroom.settings, pool },
    remarks: { ...headroom.remarks, ...(nodePool.remarks.pool !== undefined && { pool: nodePool.remarks.pool }) },
    sources: [...headroom.sources, ...nodePool.sources],
    about: [...(headroom.about ?? []), ...(nodePool.about ?? [])],
  };
}
