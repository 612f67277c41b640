import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { extendedBy } from '../../core/config/read/extends';
import { overlayPath, readSource } from './config-files';

export interface LeftOut {
  readonly file: string;
  readonly why: string;
}

export interface Expanded {
  readonly files: readonly string[];
  readonly left: readonly LeftOut[];
}

const WILD = /[*?]/;

export function isPattern(path: string): boolean {
  return WILD.test(path);
}

/** The configs of clusters among the files that a pattern such as `clusters/*.yaml` matches, and what the others are. */
export function expandPattern(pattern: string): Expanded {
  const matched = filesLike(pattern);
  const bases = new Map(matched.flatMap((file) => basesOf(file).map((base) => [base, file] as const)));
  const left = matched.flatMap((file): LeftOut[] => {
    const extending = bases.get(file);
    if (extending !== undefined) return [{ file, why: `${extending} extends it` }];
    const whole = matched.find((other) => isOverlayOf(file, other));
    return whole === undefined ? [] : [{ file, why: `it is an overlay of ${whole}` }];
  });
  return { files: matched.filter((file) => !left.some((one) => one.file === file)), left };
}

function basesOf(file: string): readonly string[] {
  const source = readSource(file, '', '');
  const extended = 'text' in source ? extendedBy(source) : undefined;
  return extended ? [join(file, '..', extended.base)] : [];
}

/** `shop.staging.yaml` of `shop.yaml`. */
function isOverlayOf(file: string, whole: string): boolean {
  const env = /\.([^./\\]+)\.[^./\\]+$/.exec(file)?.[1];
  return env !== undefined && overlayPath(whole, env) === file;
}

/** Node.js' own glob is younger than the oldest version that runs this. */
function filesLike(pattern: string): readonly string[] {
  const steps = pattern.split('/').filter((step, index) => step !== '' || index === 0);
  const found = steps.reduce<readonly string[]>(
    (folders, step, index) => {
      const isLast = index === steps.length - 1;
      return folders.flatMap((folder) => (WILD.test(step) ? entriesLike(folder, step, isLast) : [below(folder, step)]));
    },
    [''],
  );
  return [...found].sort();
}

function below(folder: string, step: string): string {
  return step === '' ? '/' : folder === '' ? step : join(folder, step);
}

function entriesLike(folder: string, step: string, isLast: boolean): readonly string[] {
  const shape = step
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const like = new RegExp(`^${shape}$`);
  return readFolder(folder === '' ? '.' : folder)
    .filter((entry) => like.test(entry.name) && !entry.name.startsWith('.') && entry.isDirectory() !== isLast)
    .map(({ name }) => below(folder, name));
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
