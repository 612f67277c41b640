import { parseCron } from '../../shared/core/windows/cron';
import type { CronWindow } from '../../shared/core/windows/window';
import { BIN_MINUTES } from './day-table';
import type { Piece } from './fit-windows';

const DAY_MINUTES = 1_440;
/** A window that adds less to the base is not worth configuring. */
const WORTH = 1.5;
const NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** `room` is free room that is refilled; `floor` and `more` (with `addNodes`) are floors. */
export type HeadroomShape = 'room' | 'floor' | 'more';

/** A window for the config, and the days and bins that it was learned from. */
export interface ProposedWindow {
  readonly window: CronWindow;
  readonly weekdays: readonly number[];
  readonly piece: Piece;
}

export interface WindowContext {
  readonly timezone: string;
  readonly leadMinutes: number;
  /** Where the learned days begin, in bins after midnight. */
  readonly cut: number;
  readonly shape: HeadroomShape;
  readonly base: number;
  readonly hourly: boolean;
  /** Whole replicas for a learned level. */
  readonly sizeOf: (level: number) => number;
}

/** Windows for the pieces of one kind of days, except those that the base nearly covers. */
export function proposedWindows(
  pieces: readonly Piece[],
  weekdays: readonly number[],
  context: WindowContext,
): readonly ProposedWindow[] {
  return joined(context.hourly ? pieces.slice(0, 1) : pieces, context)
    .filter(({ level }) => level > wholeUnits(context.base * WORTH))
    .map((piece) => ({ window: windowOf(piece, weekdays, context), weekdays, piece }));
}

/** Rounds up to whole replicas; adjacent pieces of one size become one window. */
function joined(pieces: readonly Piece[], { sizeOf }: WindowContext): readonly Piece[] {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const level = sizeOf(piece.level);
    const last = whole.at(-1);
    if (last && last.to === piece.from && last.level === level) whole[whole.length - 1] = { ...last, to: piece.to };
    else whole.push({ ...piece, level });
  }
  return whole;
}

export function wholeUnits(level: number): number {
  return Math.max(0, Math.ceil(level - 1e-6));
}

/** Pieces are the times of requests; windows start and end one lead time later. */
function windowOf(piece: Piece, weekdays: readonly number[], context: WindowContext): CronWindow {
  const { timezone, leadMinutes, cut, shape, hourly } = context;
  const [start = 0, end = 0] = [piece.from, piece.to].map((bin) => Math.round((bin + cut) * BIN_MINUTES) + leadMinutes);
  const textOf = (minute: number) => (hourly ? `${inside(minute, 60)} * * * *` : cronOf(minute, weekdays));
  const [startText, endText] = [textOf(start), textOf(end)];
  return {
    kind: 'cron',
    name: hourly ? 'hourly' : nameOf(start, weekdays),
    timezone,
    replicas: piece.level,
    ...(shape === 'more' && { relative: true as const }),
    startText,
    endText,
    start: parseCron(startText),
    end: parseCron(endText),
    excludeDates: [],
  };
}

function inside(minute: number, length: number): number {
  return ((minute % length) + length) % length;
}

function cronOf(minute: number, weekdays: readonly number[]): string {
  const clock = inside(minute, DAY_MINUTES);
  const shift = Math.floor(minute / DAY_MINUTES);
  return `${clock % 60} ${Math.floor(clock / 60)} * * ${weekdaysText(weekdays.map((day) => (day + shift + 7) % 7))}`;
}

/** `MON-FRI`, `SAT,SUN`, `*`. */
function weekdaysText(weekdays: readonly number[]): string {
  if (weekdays.length === 7) return '*';
  const sorted = [...weekdays].sort((a, b) => a - b);
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  if (sorted.length > 2 && last - first === sorted.length - 1) return `${NAMES[first]}-${NAMES[last]}`;
  return [...weekdays]
    .sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
    .map((day) => NAMES[day])
    .join(',');
}

/** `every day`, `on weekdays`, `at weekends`, `on MON`. */
export function kindText(weekdays: readonly number[]): string {
  const days = weekdaysText(weekdays);
  return { '*': 'every day', 'MON-FRI': 'on weekdays', 'SAT,SUN': 'at weekends' }[days] ?? `on ${days}`;
}

const LONG_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** The hours at which the parts of a day end. */
const PARTS: readonly (readonly [number, string])[] = [
  [6, 'night'],
  [11, 'morning'],
  [14, 'noon'],
  [18, 'afternoon'],
  [24, 'evening'],
];

/** `weekday-noon`: a name that stays true when the window moves by an hour. */
function nameOf(start: number, weekdays: readonly number[]): string {
  const hour = inside(start, DAY_MINUTES) / 60;
  const day =
    weekdays.length === 1 ? LONG_NAMES[inside((weekdays[0] ?? 0) + Math.floor(start / DAY_MINUTES), 7)] : undefined;
  const kind =
    day ?? { '*': 'daily', 'MON-FRI': 'weekday', 'SAT,SUN': 'weekend' }[weekdaysText(weekdays)] ?? 'other-days';
  return `${kind}-${PARTS.find(([until]) => hour < until)?.[1]}`;
}

/** The second window of a name gets the suffix 2. */
export function distinctNames(windows: readonly ProposedWindow[]): readonly ProposedWindow[] {
  return windows.map(({ window, ...rest }, index) => {
    const before = windows.slice(0, index).filter((one) => one.window.name === window.name).length;
    return { ...rest, window: before === 0 ? window : { ...window, name: `${window.name}-${before + 1}` } };
  });
}
