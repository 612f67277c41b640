import { type Figures, figuresOf, headroomBy, type Plan } from './backtest';
import { BIN_MINUTES, BINS, BINS_PER_CELL, type DayTable, dayTable } from './day-table';
import { between, type Demand, endOf, MINUTE, riseOf } from './demand';
import { envelopeOf, widened } from './envelope';
import { floorFit, floorScore } from './floor-segments';
import { type HeadroomShape, type ProposedWindow, proposedWindows, wholeUnits } from './proposal';
import { CLEAR, findRhythm, fitRoom, type Rhythm, verdictOf } from './rhythm';
import { constantFor, worstRatio } from './unseen-days';

export interface LearnOptions {
  readonly leadMinutes: number;
  /** The share of the rise to cover, up to 1. */
  readonly cover: number;
  /** The maximum number of windows. */
  readonly most: number;
  readonly timezone: string;
  /** The shapes to choose from; several compete. */
  readonly shapes: readonly HeadroomShape[];
  /** Room may replace floors that do worse on unseen days. */
  readonly orRoom?: boolean;
  /** Skips judging the floor on unseen days: only the windows matter. */
  readonly unjudged?: boolean;
  /** Proposes windows even without a rhythm, to measure them. */
  readonly always?: boolean;
}

/** What was learned from the history of one NodePool. */
export interface Lesson extends Rhythm {
  readonly timezone: string;
  readonly shape: HeadroomShape;
  readonly base: number;
  readonly windows: readonly ProposedWindow[];
  readonly plan: Plan;
  readonly table: DayTable;
  /** The largest rise that was seen. */
  readonly highest: number;
  /** The floor that room replaces, with its score. */
  readonly failed?: Pick<Lesson, 'shape' | 'score'>;
}

const QUIET_BINS = 12;
const DAY = 86_400_000;
/** A relative floor needs no absolute number, so it wins unless the other is clearly cheaper. */
const CLEARLY = 0.9;
/** A cheaper shape may cover this much less of the rise. */
const SLACK = 0.1;
const TRUST = { none: 0, weak: 1, clear: 2 };

/** Finds rhythm and windows in a history. Without a rhythm, a base that covers the rise replaces the windows. */
export function learn(demand: Demand, options: LearnOptions): Lesson {
  const { timezone, leadMinutes } = options;
  const rise = riseOf(demand, leadMinutes);
  const cut = onQuarters(quietest(dayTable(demand, rise, timezone)), leadMinutes);
  const table = dayTable(demand, rise, timezone, cut);
  const rhythm = findRhythm(table.days, options);
  const highest = rise.reduce((top, value) => (value > top ? value : top), 0);
  const common = { ...rhythm, timezone, table, highest };
  if ((rhythm.verdict === 'none' && !options.always) || highest === 0)
    return { ...common, ...constantPlan(rise, options) };
  const drawn = options.shapes.map((shape) => {
    const one = candidate(shape, table, rhythm, options);
    return { ...one, figures: figuresOf(headroomBy(one.plan, demand), rise) };
  });
  const floors = drawn.filter(({ shape }) => shape !== 'room');
  const [room] = drawn.filter(({ shape }) => shape === 'room');
  const floor = floors.length > 0 ? judgedFloor(cheapest(floors, options), table, rhythm, options) : undefined;
  const instead = room ?? (options.orRoom ? candidate('room', table, rhythm, options) : undefined);
  if (!floor || (instead && isBetter(instead, floor)))
    return { ...common, ...(instead as Candidate), ...(floor && !room && { failed: floor }) };
  const both = room && room.verdict === floor.verdict ? [room, floor] : [floor];
  return { ...common, ...cheapest(both, options) };
}

type Candidate = Pick<Lesson, 'shape' | 'base' | 'windows' | 'plan' | 'score' | 'verdict'>;
type Figured = Candidate & { readonly figures: Figures };

/** Room is better than a floor with a worse verdict, unless the floor covers nearly as much and holds little. */
function isBetter(room: Candidate, floor: Candidate): boolean {
  const isClose = worstRatio(floor.score) <= CLEAR && floor.score.share >= room.score.share - SLACK;
  return TRUST[room.verdict] > TRUST[floor.verdict] && !isClose;
}

/** Of the candidates that cover enough, the one that holds least. */
function cheapest(candidates: readonly Figured[], { cover }: LearnOptions): Figured {
  const best = candidates.reduce((top, { figures }) => Math.max(top, figures.share), 0);
  const enough = candidates.filter(({ figures }) => figures.share >= Math.min(cover, best) - SLACK);
  return enough.reduce((a, b) => {
    const handicap = b.shape === 'more' ? 1 / CLEARLY : CLEARLY;
    return b.figures.hours < a.figures.hours * (a.shape === 'room' || b.shape === 'room' ? 1 : handicap) ? b : a;
  });
}

/** The windows of one shape. */
function candidate(shape: HeadroomShape, { days, cut }: DayTable, rhythm: Rhythm, options: LearnOptions): Candidate {
  const { rule, score, verdict } = rhythm;
  const { fit, kinds } =
    shape === 'room'
      ? { fit: fitRoom(days, rule, options.most), kinds: rule.kinds }
      : floorFit(shape, days, rule, options.most);
  const base = wholeUnits(fit.base);
  const context = { ...options, cut, shape, base };
  const windows = kinds.flatMap((weekdays, kind) => proposedWindows(fit.pieces[kind] ?? [], weekdays, context));
  return { shape, base, windows, plan: planOf(shape, base, windows, options), score, verdict };
}

/** The rhythm's verdict is for room; a floor is judged by its own score on unseen days. */
function judgedFloor(floor: Figured, { days }: DayTable, { rule }: Rhythm, options: LearnOptions): Figured {
  const { most, cover, unjudged } = options;
  if (floor.shape === 'room' || unjudged) return floor;
  const score = floorScore(floor.shape, days, rule, most);
  return { ...floor, score, verdict: verdictOf(score, cover, days.length) };
}

function constantPlan(rise: Float64Array, options: LearnOptions): Pick<Lesson, 'shape' | 'base' | 'windows' | 'plan'> {
  const room = options.orRoom || options.shapes.includes('room');
  const base = room ? wholeUnits(constantFor(rise, options.cover)) : 0;
  const shape = room ? 'room' : (options.shapes[0] ?? 'room');
  return { shape, base, windows: [], plan: planOf(shape, base, [], options) };
}

function planOf(
  shape: HeadroomShape,
  base: number,
  windows: readonly ProposedWindow[],
  { leadMinutes }: LearnOptions,
): Plan {
  return { floor: shape !== 'room', base, leadMinutes, windows: windows.map(({ window }) => window) };
}

/** Where to cut days without cutting a peak: the quietest time, the nearest to midnight if several tie. */
function quietest({ days }: DayTable): number {
  const wide = widened(envelopeOf(days, { margin: 0, drop: 0 }), QUIET_BINS);
  let cut = 0;
  for (let step = 1; step <= BINS / 2; step += 1)
    for (const bin of step === BINS / 2 ? [-step] : [step, -step])
      if ((wide[(bin + BINS) % BINS] as number) < (wide[(cut + BINS) % BINS] as number)) cut = bin;
  return cut;
}

/** Moves the cut so that windows, which start one lead time after their request, start on quarters of an hour. */
function onQuarters(cut: number, leadMinutes: number): number {
  const lead = Math.ceil(leadMinutes / BIN_MINUTES);
  return Math.floor((cut + lead) / BINS_PER_CELL) * BINS_PER_CELL - lead;
}

/** Learns every night from the days before, and concatenates what each plan holds on the next day. */
export function relearned(demand: Demand, from: number, days: number, options: LearnOptions): Float64Array {
  const headroom = new Float64Array(between(demand, from, endOf(demand)).values.length);
  for (let night = from; night < endOf(demand); night += DAY) {
    const { plan } = learn(between(demand, night - days * DAY, night), { ...options, always: true });
    headroom.set(headroomBy(plan, between(demand, night, night + DAY)), (night - from) / MINUTE);
  }
  return headroom;
}
