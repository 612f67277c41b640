import { Document, isMap, isScalar, isSeq, type Pair, type Scalar, visit, type YAMLMap } from 'yaml';
import type { ConfigEntry } from './config-entry';

export interface FileHead {
  readonly command: string;
  readonly files: readonly string[];
  readonly next: string;
  readonly clusterName: string | undefined;
  readonly region: string | undefined;
  /** How name and region were found if they were not given. */
  readonly guessed?: readonly string[];
}

/** Document, its map, `nodePools`, the map of pools, the pool's pair: settings are deeper than that. */
const POOL_DEPTH = 5;
const MAX_INLINE = 4;
const PLACEHOLDERS = { name: 'my-cluster', region: 'us-east-1' };

export function configOf(
  { pools }: { readonly pools: readonly ConfigEntry[] },
  { clusterName, region }: FileHead,
): Record<string, unknown> {
  return {
    cluster: { name: clusterName ?? PLACEHOLDERS.name, region: region ?? PLACEHOLDERS.region },
    nodePools: Object.fromEntries(pools.map(({ name, settings }) => [name, withoutEmpty(settings) ?? {}])),
  };
}

/** Drops the likes of `labels: {}`, but an empty list of budgets is meaningful: no budget. */
function withoutEmpty(value: unknown, key = ''): unknown {
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutEmpty(item)).filter((item) => item !== undefined);
    return items.length > 0 || key === 'budgets' ? items : undefined;
  }
  const entries = Object.entries(value).map(([name, child]) => [name, withoutEmpty(child, name)] as const);
  const kept = entries.filter(([, child]) => child !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** The config as a file, with the remarks as comments; `notes` are for its top. */
export function writeConfig(
  { pools: entries, notes = [] }: { readonly pools: readonly ConfigEntry[]; readonly notes?: readonly string[] },
  head: FileHead,
): string {
  const document = new Document(configOf({ pools: entries }, head), { aliasDuplicateObjects: false });
  const edits = [
    ...(head.clusterName === undefined ? ['cluster.name'] : []),
    ...(head.region === undefined ? ['cluster.region'] : []),
  ];
  document.commentBefore = comment([
    `Created by headstart ${head.command}${head.files.length > 0 ? ` from ${head.files.join(', ')}` : ''}.`,
    ...(edits.length > 0 ? [`Edit ${edits.join(' and ')}, then run ${head.next}.`] : []),
    ...(head.guessed ?? []),
    ...notes,
  ]);
  for (const entry of entries) remark(document, entry);
  compact(document);
  const pools = pairOf(document.contents, 'nodePools');
  if (pools) pools.key.spaceBefore = true;
  return document.toString({ lineWidth: 0 });
}

function remark(document: Document, entry: ConfigEntry): void {
  const pair = pairOf(document.get('nodePools', true), entry.name);
  if (!pair) return;
  const lines = [...(entry.about ?? [])];
  for (const [key, remarks] of Object.entries(entry.remarks)) {
    const setting = pairOf(pair.value, key);
    const texts = [remarks].flat();
    // Remarks on settings that are not written go to the entry itself.
    if (!setting) lines.push(...texts.map((text) => `${key}: ${text}`));
    else if (texts.length > 0) setting.key.commentBefore = comment(texts);
  }
  if (lines.length > 0) pair.key.commentBefore = comment(lines);
}

/** Puts lists of scalars and small maps on one line; windows keep a line per field. */
function compact(document: Document): void {
  visit(document, {
    Pair: (_, { key }) =>
      isScalar(key) && (key.value === 'schedules' || key.value === 'cluster') ? visit.SKIP : undefined,
    Seq: (_, node) => {
      if (node.items.every((item) => isScalar(item))) node.flow = true;
    },
    Map: (_, node, path) => {
      if (
        path.length > POOL_DEPTH &&
        node.items.length <= MAX_INLINE &&
        node.items.every(({ value }) => isSimple(value))
      )
        node.flow = true;
    },
  });
}

function isSimple(value: unknown): boolean {
  if (isScalar(value)) return true;
  if (isSeq(value)) return value.items.every((item) => isScalar(item));
  return isMap(value) && value.items.length <= MAX_INLINE && value.items.every((pair) => isScalar(pair.value));
}

function pairOf(map: unknown, name: string): Pair<Scalar, YAMLMap> | undefined {
  if (!isMap(map)) return undefined;
  return map.items.find(({ key }) => isScalar(key) && key.value === name) as Pair<Scalar, YAMLMap> | undefined;
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '' : ` ${line.replaceAll('\n', ' ')}`)).join('\n');
}
