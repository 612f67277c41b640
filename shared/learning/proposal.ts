import { parseCron } from '../core/windows/cron';
import type { CronWindow } from '../core/windows/window';
import { BIN_MINUTES } from './day-table';
import type { Piece } from './fit-windows';

const DAY_MINUTES = 1_440;
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
}

/** Windows for the pieces of one kind of days, except those that the base covers. */
export function proposedWindows(
  pieces: readonly Piece[],
  weekdays: readonly number[],
  context: WindowContext,
): readonly ProposedWindow[] {
  return joined(pieces)
    .filter(({ level }) => level > context.base)
    .map((piece) => ({ window: windowOf(piece, weekdays, context), weekdays, piece }));
}

/** Rounds up to whole replicas; adjacent pieces of one size become one window. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const level = wholeUnits(piece.level);
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
  const { timezone, leadMinutes, cut, shape } = context;
  const start = (piece.from + cut) * BIN_MINUTES + leadMinutes;
  const end = (piece.to + cut) * BIN_MINUTES + leadMinutes;
  const [startText, endText] = [cronOf(start, weekdays), cronOf(end, weekdays)];
  return {
    kind: 'cron',
    name: nameOf(start, weekdays),
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

function cronOf(minute: number, weekdays: readonly number[]): string {
  const clock = ((minute % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
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

function nameOf(start: number, weekdays: readonly number[]): string {
  const clock = ((start % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  const time = `${String(Math.floor(clock / 60)).padStart(2, '0')}${String(clock % 60).padStart(2, '0')}`;
  const kind = { '*': 'daily', 'MON-FRI': 'weekdays', 'SAT,SUN': 'weekend' }[weekdaysText(weekdays)] ?? 'days';
  return `learned-${kind}-${time}`;
}
