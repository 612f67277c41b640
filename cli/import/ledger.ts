import { formatPath } from '../../shared/core/config/problem';

export type Path = readonly (string | number)[];

/** Something of the input that the config does not hold, and why. */
export interface LeftOver {
  readonly path: string;
  readonly value: string;
  readonly why: string;
}

const MAX_VALUE = 100;

/**
 * Keeps track of one imported object: every leaf is either carried over or listed,
 * because what was not taken is listed by default.
 */
export class Ledger {
  private readonly carried: string[] = [];
  private readonly left = new Map<string, string>();

  constructor(
    /** `ScaledObject web in web.yaml`. */
    readonly label: string,
    private readonly root: unknown,
  ) {}

  /** Looks without taking. */
  peek(...path: Path): unknown {
    return path.reduce<unknown>(
      (value, step) => (value as Record<string | number, unknown> | null | undefined)?.[step],
      this.root,
    );
  }

  /** Takes a value into the config, with everything below it. */
  take(...path: Path): unknown {
    const value = this.peek(...path);
    if (value !== undefined) this.carried.push(keyOf(path));
    return value;
  }

  /** Takes single fields of an object; others beside them stay in the ledger. */
  takeFields(path: Path, keys: readonly string[]): void {
    for (const key of keys) this.take(...path, key);
  }

  /** Leaves a value out and says why; the first reason stays. */
  leave(path: Path, why: string): void {
    if (this.peek(...path) !== undefined && !this.left.has(keyOf(path))) this.left.set(keyOf(path), why);
  }

  /** Everything that was not taken; a branch of which nothing was taken is one entry. */
  leftOvers(otherwise: string): readonly LeftOver[] {
    return this.walk(this.root, [], otherwise);
  }

  /** The same in short: everything without a reason of its own is one entry with its paths. */
  shortLeftOvers(otherwise: string): readonly LeftOver[] {
    const all = this.leftOvers('');
    const plain = all.filter(({ why }) => why === '').map(({ path }) => path);
    const explained = all.filter(({ why }) => why !== '');
    return plain.length === 0 ? explained : [...explained, { path: plain.join(', '), value: '', why: otherwise }];
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

function keyOf(path: Path): string {
  return path.join('\u0000');
}

/** Nothing to carry: an empty text, list or map, or null. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

function entry(value: unknown, path: Path, why: string): LeftOver {
  const text = JSON.stringify(value) ?? '';
  const short = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
  return { path: formatPath(path), value: short, why };
}
