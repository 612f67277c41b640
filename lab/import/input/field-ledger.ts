import type { z } from 'zod';
import { formatPath } from '../../../shared/core/config/yaml/problem';
import { asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import { type InputDocument, labelOf, type Path } from './documents';

export type { Path } from './documents';

export interface LeftOver {
  readonly path: string;
  readonly value: string;
  readonly why: string;
}

const MAX_VALUE = 100;

/**
 * Keeps track of one imported object, so that every leaf is either carried over or listed:
 * what is not taken is listed by default.
 */
export class FieldLedger {
  private readonly carried: string[] = [];
  private readonly left = new Map<string, string>();
  /** `ScaledObject web in web.yaml`. */
  readonly label: string;
  private readonly root: unknown;

  constructor(
    private readonly document: InputDocument,
    label?: string,
  ) {
    this.label = label ?? labelOf(document);
    this.root = document.value;
  }

  /** Reads a value without taking it. */
  peek(...path: Path): unknown {
    return valueAt(this.root, path);
  }

  /** Reads a value and marks it, with everything below it, as carried over. */
  take(...path: Path): unknown {
    const value = this.peek(...path);
    if (value !== undefined) this.carried.push(keyOf(path));
    return value;
  }

  takeIdentity(): void {
    this.takeFields([], ['apiVersion', 'kind']);
    this.take('metadata', 'name');
  }

  /** Takes single fields of an object, not the others beside them. */
  takeFields(path: Path, keys: readonly string[]): void {
    for (const key of keys) this.take(...path, key);
  }

  /** Takes a whole number, quoted or not; anything else is left, with the reason. */
  takeNumber(...path: Path): number | undefined {
    const value = this.peek(...path);
    if (!/^\d+$/.test(String(value))) {
      this.leave(path, 'is not a whole number');
      return undefined;
    }
    this.take(...path);
    return Number(value);
  }

  /** Gives the reason why a value is left out; the first reason counts. */
  leave(path: Path, why: string): void {
    if (this.peek(...path) !== undefined && !this.left.has(keyOf(path))) this.left.set(keyOf(path), why);
  }

  leaveFields(path: Path, reasons: Readonly<Record<string, string>>): void {
    for (const [key, why] of Object.entries(reasons)) this.leave([...path, key], why);
  }

  /** Everything that was not taken; an untouched branch is one entry. */
  leftOvers(otherwise: string): readonly LeftOver[] {
    return this.walk(this.root, [], otherwise);
  }

  /** The same, each with the label of the object. */
  labelled(otherwise: string): readonly (LeftOver & { readonly label: string })[] {
    return this.leftOvers(otherwise).map((left) => ({ label: this.label, ...left }));
  }

  /** The same, except that everything without a reason of its own is listed in one entry, by path. */
  shortLeftOvers(otherwise: string): readonly LeftOver[] {
    const all = this.leftOvers('');
    const plain = all.filter(({ why }) => why === '').map(({ path }) => path);
    const explained = all.filter(({ why }) => why !== '');
    return plain.length === 0 ? explained : [...explained, { path: plain.join(', '), value: '', why: otherwise }];
  }

  /** Where a value of the config came from, found by an equal value, preferably under the same key. */
  sourceOf(
    key: string | number,
    value: unknown,
  ): { readonly path: Path; readonly line: number | undefined } | undefined {
    const text = JSON.stringify(value);
    const alike = pathsIn(this.root).filter((path) => JSON.stringify(this.peek(...path)) === text);
    const path = alike.find((one) => one.at(-1) === key) ?? (alike.length === 1 ? alike[0] : undefined);
    return path && { path, line: this.document.lineOf?.(path) };
  }

  private walk(value: unknown, path: Path, otherwise: string): LeftOver[] {
    const key = keyOf(path);
    if (this.carried.includes(key) || isEmpty(value)) return [];
    const why = this.left.get(key);
    if (why !== undefined) return [entry(value, path, why)];
    const inside = [...this.carried, ...this.left.keys()].some(
      (other) => other.startsWith(`${key}\u0000`) || key === '',
    );
    if (typeof value !== 'object' || value === null || !inside) return [entry(value, path, otherwise)];
    return Object.entries(value).flatMap(([step, child]) =>
      this.walk(child, [...path, Array.isArray(value) ? Number(step) : step], otherwise),
    );
  }
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown> | null)?.[step], root);
}

/** The path of every value within, parents before children. */
export function pathsIn(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return [[step], ...pathsIn(child).map((rest) => [step, ...rest])];
  });
}

export function leftWhole(document: InputDocument, why: string): LeftOver & { readonly label: string } {
  return { label: labelOf(document), path: '', value: shortText(document.value), why };
}

function keyOf(path: Path): string {
  return path.join('\u0000');
}

/** Nothing to carry over: an empty text, list or map, or null. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

function entry(value: unknown, path: Path, why: string): LeftOver {
  return { path: formatPath(path), value: shortText(value), why };
}

function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}

/** Takes fields of an object that have a value. */
export function takeFields(ledger: FieldLedger, path: Path, keys: readonly string[]): Values {
  return present(Object.fromEntries(keys.map((key) => [key, ledger.take(...path, key)])));
}

export function present(fields: Values): Values {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** Takes labels or tags one by one and leaves those that Karpenter would refuse. */
export function takePairs(
  ledger: FieldLedger,
  path: Path,
  allowed: z.ZodType,
  whyNot: string,
): Record<string, string> | undefined {
  const pairs = Object.entries(asMap(ledger.peek(...path))).flatMap(([key, value]) => {
    const text = String(value ?? '');
    if (!allowed.safeParse({ [key]: text }).success) {
      ledger.leave([...path, key], whyNot);
      return [];
    }
    ledger.take(...path, key);
    return [[key, text] as const];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}
