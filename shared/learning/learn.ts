import { type Figures, figuresOf, headroomBy, type Plan } from './backtest';
import { BIN_MINUTES, BINS, BINS_PER_CELL, type DayTable, dayTable } from './day-table';
import { type Demand, riseOf } from './demand';
import { envelopeOf, widened } from './envelope';
import { floorFit, floorScore } from './floor-segments';
import { atPresentLevel, type Growth, growthOf } from './growth';
import { distinctNames, type HeadroomShape, type ProposedWindow, proposedWindows, wholeUnits } from './proposal';
import { findRhythm, fitRoom, type Rhythm, verdictOf } from './rhythm';
import { type Score, scoreOf } from './unseen-days';

export interface LearnOptions {
  readonly leadMinutes: number;
  /** The share of the rise to cover, up to 1. */
  readonly cover: number;
  /** The maximum number of windows. */
  readonly most: number;
  readonly timezone: string;
  /** The shapes to choose from; several compete. */
  readonly shapes: readonly HeadroomShape[];
  /** Room may replace floors that do far worse on unseen days. */
  readonly orRoom?: boolean;
  /** Nothing larger is proposed. */
  readonly max?: number;
}

/** What was learned from the history of one NodePool. */
export interface Lesson extends Omit<Rhythm, 'unseen'> {
  readonly timezone: string;
  readonly shape: HeadroomShape;
  readonly base: number;
  readonly windows: readonly ProposedWindow[];
  readonly plan: Plan;
  readonly table: DayTable;
  /** The largest rise that was seen. */
  readonly highest: number;
  /** The largest size that was learned, where `max` cuts it off. */
  readonly cutOff?: number;
  readonly growth?: Growth;
  /** The floor that room replaces, and that room, on the rises that a floor must cover. */
  readonly failed?: { readonly floor: Score; readonly room: Score };
}

const QUIET_BINS = 12;
/** A relative floor needs no absolute number, so it wins unless the other is clearly cheaper. */
const CLEARLY = 0.9;
/** A cheaper shape may cover this much less of the rise. */
const SLACK = 0.1;
/** Room replaces a floor only if the floor holds this many times as much, or covers this much less. */
const LARGE = 2;
const MUCH_LESS = 0.25;

/** Finds rhythm and windows in a history; the verdict says whether they can be trusted. */
export function learn(demand: Demand, options: LearnOptions): Lesson {
  const { timezone, leadMinutes, shapes } = options;
  const rise = riseOf(demand, leadMinutes);
  const cut = onQuarters(quietest(dayTable(demand, rise, timezone)), leadMinutes);
  const table = dayTable(demand, rise, timezone, cut);
  const growth = growthOf(table.days);
  const present = { ...table, days: growth ? atPresentLevel(table.days, growth) : table.days };
  const { unseen, ...rhythm } = findRhythm(present.days, options);
  const highest = rise.reduce((top, value) => (value > top ? value : top), 0);
  const common = { ...rhythm, timezone, table, highest, ...(growth && { growth }) };
  const drawn = (shape: HeadroomShape) => candidate(shape, present, rhythm, { ...options, growth });
  const room = shapes.includes('room') || options.orRoom ? drawn('room') : undefined;
  const floors = shapes
    .filter((shape) => shape !== 'room')
    .map(drawn)
    .map((one) => ({ ...one, figures: figuresOf(headroomBy(one.plan, demand), rise) }));
  if (floors.length === 0 || highest === 0) return { ...common, ...(room ?? drawn(shapes[0] ?? 'room')) };
  const { figures: _figures, ...floor } = cheapest(floors, options);
  const score = floorScore(floor.shape === 'more' ? 'more' : 'floor', present.days, options);
  const judged = { ...floor, score, verdict: verdictOf(score, options.cover, table.days.length) };
  const alike = scoreOf(unseen, score.above);
  if (!room || !isBetter(alike, score, shapes.includes('room') ? 1 : LARGE)) return { ...common, ...judged };
  return { ...common, ...room, ...(options.orRoom && { failed: { floor: score, room: alike } }) };
}

type Candidate = Pick<Lesson, 'shape' | 'base' | 'windows' | 'plan' | 'cutOff'>;

/** Whether room holds far less than a floor that covers as much, or covers far more. */
function isBetter(room: Score, floor: Score, large: number): boolean {
  if (room.share < floor.share - SLACK) return false;
  return room.held * large < floor.held || (large > 1 && floor.share < room.share - MUCH_LESS);
}

/** Of the floors that cover enough, the one that holds least. */
function cheapest<T extends Candidate & { readonly figures: Figures }>(
  candidates: readonly T[],
  { cover }: LearnOptions,
): T {
  const best = candidates.reduce((top, { figures }) => Math.max(top, figures.share), 0);
  const enough = candidates.filter(({ figures }) => figures.share >= Math.min(cover, best) - SLACK);
  return enough.reduce((a, b) => {
    const handicap = b.shape === 'more' ? 1 / CLEARLY : CLEARLY;
    return b.figures.hours < a.figures.hours * handicap ? b : a;
  });
}

/** The windows of one shape. */
function candidate(
  shape: HeadroomShape,
  { days, cut }: DayTable,
  { rule }: Pick<Rhythm, 'rule'>,
  options: LearnOptions & { readonly growth?: Growth | undefined },
): Candidate {
  const { fit, kinds } =
    shape === 'room' ? { fit: fitRoom(days, rule, options.most), kinds: rule.kinds } : floorFit(shape, days, options);
  const { max = Number.POSITIVE_INFINITY, leadMinutes, growth } = options;
  // The last half node of a floor is mostly noise.
  const spared = shape === 'room' ? 0 : 0.5;
  const sized = (level: number) => wholeUnits(level * (growth?.allowed ?? 1) - spared);
  const base = Math.min(max, sized(fit.base));
  const hourly = shape === 'room' && rule.hourly === true;
  const context = { ...options, cut, shape, base, hourly, sizeOf: (level: number) => Math.min(max, sized(level)) };
  const windows = distinctNames(
    kinds.flatMap((weekdays, kind) => proposedWindows(fit.pieces[kind] ?? [], weekdays, context)),
  );
  const largest = sized(Math.max(fit.base, ...fit.pieces.flat().map(({ level }) => level)));
  const plan = { floor: shape !== 'room', base, leadMinutes, windows: windows.map(({ window }) => window) };
  return { shape, base, windows, plan, ...(largest > max && { cutOff: largest }) };
}

/** Where to cut days without cutting a peak: the quietest time, the nearest to midnight if several tie. */
function quietest({ days }: DayTable): number {
  const wide = widened(envelopeOf(days, { margin: 0 }), QUIET_BINS);
  let cut = 0;
  for (let step = 1; step <= BINS / 2; step += 1)
    for (const bin of step === BINS / 2 ? [-step] : [step, -step])
      if ((wide[(bin + BINS) % BINS] as number) < (wide[(cut + BINS) % BINS] as number)) cut = bin;
  return cut;
}

/** Moves the cut so that windows, which start one lead time after their request, start on quarters of an hour. */
function onQuarters(cut: number, leadMinutes: number): number {
  const lead = leadMinutes / BIN_MINUTES;
  return Math.floor((cut + lead) / BINS_PER_CELL) * BINS_PER_CELL - lead;
}
