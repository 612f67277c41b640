/** The text is not Unix cron. Fault and fix continue a sentence that starts with the key: `start has 4 fields; write ...`. */
export class CronError extends Error {
  override readonly name = 'CronError';

  constructor(
    readonly fault: string,
    readonly fix: string,
  ) {
    super(`${fault}; ${fix}`);
  }
}

export interface CronField {
  readonly name: string;
  /** What a person may write here. */
  readonly allowed: string;
  readonly first: number;
  /** Where `*` ends. */
  readonly last: number;
  /** The highest number that may be written: 7 is Sunday too. */
  readonly highest: number;
  /** In the order of their values, from `first` on. */
  readonly names: readonly string[];
}

const ITEM = /^(?:\*|([0-9]+|[A-Za-z]{3})(?:-([0-9]+|[A-Za-z]{3}))?)(?:\/([0-9]+))?$/;
const MAX_QUOTED = 30;

export interface FieldValues {
  /** In order, each once, however often the list repeats them. */
  readonly values: readonly number[];
  /** Whether the list has a `*`: such a day field does not restrict the day, as in KEDA. */
  readonly any: boolean;
}

/** Reads one field; only digits, the field's own names and `* , - /` are accepted. */
export function readField(field: CronField, text: string): FieldValues {
  const items = text.split(',');
  if (items.includes('')) throw fault(field, text);
  const values = new Set<number>();
  let any = false;
  for (const item of items) {
    const { from, to, step, star } = readItem(field, item);
    any ||= star && step === 1;
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return { values: [...values].sort((a, b) => a - b), any };
}

function readItem(field: CronField, item: string): { from: number; to: number; step: number; star: boolean } {
  const [matched, low, high, every] = ITEM.exec(item) ?? [];
  const step = Number(every ?? 1);
  if (matched === undefined || step === 0) throw fault(field, item);
  if (low === undefined) return { from: field.first, to: field.last, step, star: true };
  const from = readValue(field, low, item);
  // A step without a range runs to the end of the field, as KEDA reads it.
  const open = every === undefined ? from : Math.max(from, field.last);
  const to = high === undefined ? open : readValue(field, high, item);
  if (from > to) throw backwards(field, item, from, to);
  return { from, to, step, star: false };
}

function readValue(field: CronField, text: string, item: string): number {
  const named = field.names.indexOf(text.toUpperCase());
  const value = named >= 0 ? field.first + named : Number(text);
  if (!(value >= field.first && value <= field.highest)) throw fault(field, item);
  return value;
}

function fault({ name, allowed }: CronField, item: string): CronError {
  return new CronError(
    `has ${quoted(item)} in the ${name}`,
    `write ${allowed}, or *, in lists, ranges and steps such as 1,3 or 1-5 or */2`,
  );
}

function backwards({ name, first, last }: CronField, item: string, from: number, to: number): CronError {
  const span = (low: number, high: number) => (low === high ? `${low}` : `${low}-${high}`);
  return new CronError(
    `has ${quoted(item)} in the ${name}, which runs backwards`,
    `write ${span(from, Math.max(from, last))},${span(first, to)}`,
  );
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text);
}
