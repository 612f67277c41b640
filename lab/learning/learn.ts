import { type Figures, figuresOf, headroomBy, type Plan } from './backtest';
import { BIN_MINUTES, BINS, BINS_PER_CELL, type Day, type DayTable, dayTable } from './day-table';
import { type Demand, riseOf } from './demand';
import { envelopeOf, type Rule, widened } from './envelope';
import type { Fit } from './fit-windows';
import { type FloorRule, type FloorShape, floorFit, floorRules, floorScore } from './floor-segments';
import { atPresentLevel, type Growth, growthOf } from './growth';
import { distinctNames, type HeadroomShape, type ProposedWindow, proposedWindows, wholeUnits } from './proposal';
import { findRule, fitRoom, judgeRoom, type Rhythm, verdictOf } from './rhythm';
import { type Score, scoreOf } from './unseen-days';

export interface LearnOptions {
  readonly leadMinutes: number;
  /** The share of the rise to cover, up to 1. */
  readonly cover: number;
  readonly most: number;
  readonly timezone: string;
  /** The shapes to choose from; several compete. */
  readonly shapes: readonly HeadroomShape[];
  /** Room may replace floors that do far worse on unseen days. */
  readonly orRoom?: boolean;
  /** Nothing larger is proposed. */
  readonly max?: number;
}

export interface Lesson extends Omit<Rhythm, 'unseen'> {
  readonly timezone: string;
  readonly shape: HeadroomShape;
  readonly base: number;
  readonly windows: readonly ProposedWindow[];
  readonly plan: Plan;
  readonly table: DayTable;
  /** The rise of each minute that it was learned from. */
  readonly rise: Float64Array;
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
  const { shapes, cover, timezone } = options;
  const known = knownOf(demand, options);
  const { rise, days, table, growth } = known;
  const { unseen, ...rhythm } = judgeRoom(days, findRule(days, cover), options);
  const highest = rise.reduce((top, value) => (value > top ? value : top), 0);
  const common = { ...rhythm, timezone, table, rise, highest, ...(growth && { growth }) };
  const floorShapes = shapes.filter((shape) => shape !== 'room');
  const isRoom = floorShapes.length === 0 || highest === 0;
  const room = isRoom || shapes.includes('room') || options.orRoom ? roomOf(known, rhythm.rule, options) : undefined;
  if (room && isRoom) return { ...common, ...room };
  const rules = floorRules(days, cover);
  const floors = floorShapes.map((shape) => {
    const { rule, ...own } = floorOf(shape, known, rules, options);
    return { shape, rule, own, ...figuresOf(headroomBy(own.plan, demand), rise) };
  });
  const floor = cheapest(floors, options);
  const score = floorScore(floor.shape, days, floor.rule, options);
  const judged = { ...floor.own, score, verdict: verdictOf(score, cover, days.length) };
  const alike = scoreOf(unseen, score.above);
  if (!room || !isBetter(alike, score, shapes.includes('room') ? 1 : LARGE)) return { ...common, ...judged };
  return { ...common, ...room, ...(options.orRoom && { failed: { floor: score, room: alike } }) };
}

/** The windows of one shape that `learn` would find, without a verdict. */
export function planFor(demand: Demand, shape: HeadroomShape, options: LearnOptions): Plan {
  const known = knownOf(demand, options);
  const { plan } =
    shape === 'room'
      ? roomOf(known, findRule(known.days, options.cover), options)
      : floorOf(shape, known, floorRules(known.days, options.cover), options);
  return plan;
}

interface Known {
  readonly rise: Float64Array;
  readonly table: DayTable;
  readonly growth: Growth | undefined;
  /** At the present level. */
  readonly days: readonly Day[];
}

function knownOf(demand: Demand, { timezone, leadMinutes }: LearnOptions): Known {
  const rise = riseOf(demand, leadMinutes);
  const cut = onQuarters(quietest(dayTable(demand, rise, timezone)), leadMinutes);
  const table = dayTable(demand, rise, timezone, cut);
  const growth = growthOf(table.days);
  return { rise, table, growth, days: growth ? atPresentLevel(table.days, growth) : table.days };
}

type Candidate = Pick<Lesson, 'shape' | 'base' | 'windows' | 'plan' | 'cutOff'>;

function roomOf(known: Known, rule: Rule, options: LearnOptions): Candidate {
  return candidate('room', fitRoom(known.days, rule, options.most), rule, known, options);
}

function floorOf(shape: FloorShape, known: Known, rules: readonly FloorRule[], options: LearnOptions) {
  const { fit, rule } = floorFit(shape, known.days, rules, options);
  return { rule, ...candidate(shape, fit, rule, known, options) };
}

/** Whether room holds far less than a floor that covers as much, or covers far more. */
function isBetter(room: Score, floor: Score, large: number): boolean {
  if (room.share < floor.share - SLACK) return false;
  return room.held * large < floor.held || (large > 1 && floor.share < room.share - MUCH_LESS);
}

function cheapest<T extends Figures & { readonly shape: HeadroomShape }>(
  floors: readonly T[],
  { cover }: LearnOptions,
): T {
  const best = floors.reduce((top, { share }) => Math.max(top, share), 0);
  return floors
    .filter(({ share }) => share >= Math.min(cover, best) - SLACK)
    .reduce((a, b) => (b.hours < a.hours * (b.shape === 'more' ? 1 / CLEARLY : CLEARLY) ? b : a));
}

/** The windows of one shape. */
function candidate(
  shape: HeadroomShape,
  fit: Fit,
  { kinds, hourly }: Pick<Rule, 'kinds' | 'hourly'>,
  { table: { cut }, growth }: Known,
  options: LearnOptions,
): Candidate {
  const { max = Number.POSITIVE_INFINITY, leadMinutes } = options;
  // The last half node of a floor is mostly noise.
  const spared = shape === 'room' ? 0 : 0.5;
  const sized = (level: number) => wholeUnits(level * (growth?.allowed ?? 1) - spared);
  const base = Math.min(max, sized(fit.base));
  const context = {
    ...options,
    cut,
    shape,
    base,
    hourly: hourly === true,
    sizeOf: (level: number) => Math.min(max, sized(level)),
  };
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
