import type { FieldLedger, LeftOver } from './field-ledger';

/** Why settings are not carried over, where several imports say the same. */
export const NO_COUNTERPART = 'has no counterpart in Headstart';
export const OWN_PRIORITY_CLASS = 'Headstart has its own PriorityClass, with value -10';
export const RESTRICTED = 'pause pods run under the restricted Pod Security level';
export const NO_SERVICE_ACCOUNT = 'pause pods need no service account';
export const NOT_CONFIGURATION = 'is not configuration';

/** One entry under `nodePools`, as it will be written. */
export interface ImportedPool {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Remarks for a setting, by its key; a line each. */
  readonly remarks: Readonly<Record<string, string | readonly string[]>>;
  readonly sources: readonly ImportedSource[];
  /** Remarks for the entry as a whole. */
  readonly about?: readonly string[];
}

export interface ImportedSource {
  readonly ledger: FieldLedger;
  /** Why what was not taken is left out. */
  readonly otherwise: string;
  /** Most of the object is about other things: those are listed by their paths alone. */
  readonly mostlyForeign?: boolean;
}

/** Everything of a source that stayed behind. */
export function leftOversOf({ ledger, otherwise, mostlyForeign }: ImportedSource): readonly LeftOver[] {
  return mostlyForeign ? ledger.shortLeftOvers(otherwise) : ledger.leftOvers(otherwise);
}

/** What an import found. */
export interface Imported {
  readonly pools: readonly ImportedPool[];
  /** Whole objects that have nothing to do with headroom, or could not be used. */
  readonly others: readonly (LeftOver & { readonly label: string })[];
  /** Top-level remarks for the head of the file. */
  readonly notes: readonly string[];
}

/** How an entry that the files bind to no NodePool is bound. */
export function bindingOf(
  { nodePool, labelled }: { readonly nodePool?: string; readonly labelled: boolean },
  bound: string,
): readonly string[] {
  if (nodePool !== undefined) return [];
  return labelled
    ? [
        `The files name no NodePool: the labels below choose the nodes, and the entry is named after --nodepool ${bound}.`,
      ]
    : [
        `The files name no NodePool: those pods could run on any node, and this headroom runs on nodes of ${bound} (--nodepool).`,
      ];
}

/** Names that are not taken yet; the first wish that is free wins. */
export function freeName(wishes: readonly string[], taken: ReadonlySet<string>): string {
  const clean = wishes.map((wish) =>
    wish
      .toLowerCase()
      .replace(/[^a-z0-9.-]/g, '-')
      .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
      .slice(0, 50),
  );
  const free = clean.find((name) => name !== '' && !taken.has(name));
  if (free !== undefined) return free;
  const stem = clean.find((name) => name !== '') ?? 'pool';
  if (!taken.has(stem)) return stem;
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
}
