const MAX_SHOWN = 60;

/** Where a value stands in the files that a person edits. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something wrong in the config, and where. */
export interface Problem extends Place {
  /** `nodePools.service.max`; empty for the file as a whole. */
  readonly path: string;
  /** What is wrong and what to write instead. */
  readonly message: string;
}

/** One line a person can act on and an editor can jump to. */
export function formatProblem({ file, line, column, path, message }: Problem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path} `}${message}`;
}

/** `nodePools.service.schedules[0].start`, with quotes where a key needs them. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const key = cut(String(step));
    if (!/^[\w-]+$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

/** A value as a person wrote it, cut where it grows long. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  // As YAML writes them; JSON has neither.
  if (isNotFinite(value))
    return `${Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf'}, which is no finite number`;
  return cut(JSON.stringify(value) ?? String(value));
}

export function isNotFinite(value: unknown): value is number {
  return typeof value === 'number' && !Number.isFinite(value);
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
}
