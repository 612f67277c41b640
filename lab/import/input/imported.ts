import type { ConfigEntry } from '../../../cli/config-file/config-entry';
import { type FileHead, writeConfig } from '../../../cli/config-file/write-config';
import { MAX_HEADROOM_NAME } from '../../../shared/core/config/schema/schema-fields';
import type { FieldLedger, LeftOver } from './field-ledger';

/** Reasons why settings are not carried over, shared by several imports. */
export const WHY = {
  noCounterpart: 'has no counterpart in Headstart',
  ownPriorityClass: 'Headstart has its own PriorityClass, with value -10',
  restricted: 'pause pods run under the restricted Pod Security level',
  noServiceAccount: 'pause pods need no service account',
  notConfiguration: 'is not configuration',
};

export interface ImportedPool extends ConfigEntry {
  readonly sources: readonly ImportedSource[];
}

export interface ImportedSource {
  readonly ledger: FieldLedger;
  /** The reason for everything that was not taken and has no reason of its own. */
  readonly otherwise: string;
  /** Most of the object is unrelated to headroom, so it is listed by path only. */
  readonly mostlyForeign?: boolean;
}

export function leftOversOf({ ledger, otherwise, mostlyForeign }: ImportedSource): readonly LeftOver[] {
  return mostlyForeign ? ledger.shortLeftOvers(otherwise) : ledger.leftOvers(otherwise);
}

export interface Imported {
  readonly pools: readonly ImportedPool[];
  /** Objects that have nothing to do with headroom, or could not be used. */
  readonly others: readonly (LeftOver & { readonly label: string })[];
  /** Remarks for the top of the file. */
  readonly notes?: readonly string[];
}

export function writeImported({ pools, others, notes = [] }: Imported, head: FileHead): string {
  const entries = pools.map((pool) => ({
    ...pool,
    about: [...pool.sources.flatMap(sourceText), ...(pool.about ?? [])],
  }));
  return writeConfig({ pools: entries, notes: [...notes, ...othersText(others)] }, head);
}

function sourceText(source: ImportedSource): string[] {
  const list = leftOversOf(source).map((entry) => `  ${leftText(entry)}`);
  return [`From ${source.ledger.label}.`, ...(list.length > 0 ? ['Not carried over:', ...list] : [])];
}

function othersText(others: Imported['others']): string[] {
  if (others.length === 0) return [];
  return ['', 'Not carried over:', ...others.map((other) => `  ${leftText(other, other.label)}`)];
}

function leftText({ path, value, why }: LeftOver, label = ''): string {
  const what = [path, value].filter((part) => part !== '').join(' ');
  return [label, what, why].filter((part) => part !== '').join(': ');
}

/** A remark on how an entry is bound if the files name no NodePool. */
export function bindingOf(
  { nodePool, labelled }: { readonly nodePool?: string; readonly labelled: boolean },
  bound: string,
): readonly string[] {
  if (nodePool !== undefined) return [];
  const how = labelled
    ? `this headroom runs on those nodes of ${bound} (--nodepool) that have the labels below.`
    : `those pods could run on any node, and this headroom runs on nodes of ${bound} (--nodepool).`;
  return [`The files name no NodePool: ${how}`];
}

/** The first of the wishes that is not taken yet, made a valid name. */
export function freeName(wishes: readonly string[], taken: ReadonlySet<string>): string {
  const clean = wishes.map((wish) =>
    wish
      .toLowerCase()
      .replace(/[^a-z0-9.-]/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, MAX_HEADROOM_NAME)
      .replace(/(?<![^a-z0-9])[^a-z0-9]+$/, ''),
  );
  const valid = clean.filter((name) => name !== '');
  const [stem = 'pool'] = valid;
  const free = [...valid, stem].find((name) => !taken.has(name));
  if (free !== undefined) return free;
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
}

/** The NodePool of an entry, if that is not its name. */
export function onNodePool(name: string, nodePool: string): { readonly nodePool?: string } {
  return name === nodePool ? {} : { nodePool };
}

/** An entry under a name that is free, bound to the same NodePool. */
export function renamed(pool: ImportedPool, taken: ReadonlySet<string>): ImportedPool {
  const name = freeName([pool.name], taken);
  if (name === pool.name) return pool;
  return { ...pool, name, settings: { nodePool: pool.name, ...pool.settings } };
}
