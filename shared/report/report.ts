import type { Config, HeadroomConfig } from '../core/config/config';
import type { OverrideRequest, ReleaseRequest } from '../core/events/event';
import { occurrenceKey } from '../core/occurrences/occurrence-key';
import { startsOf } from '../core/windows/edges';
import { nextChange, openedAt } from '../core/windows/is-open';
import { leadOf, type Window } from '../core/windows/window';
import { type NodePrice, nodePrice } from '../pricing/node-price';
import { type Figures, figuresIn, type Known, type Stretch, sizesOf } from './figures';
import {
  between,
  type History,
  type LogLine,
  MESSAGES,
  type Period,
  type PodWait,
  type Span,
  withoutSmallGaps,
} from './history';
import { takesOf, wereUnread } from './takes';
import { type OccurrenceTimes, type OccurrenceVerdict, verdictOf } from './verdicts';
import { type Waits, waitsIn } from './waits';

const MINUTE = 60_000;

export interface Report extends Span {
  readonly clusterName: string;
  readonly pools: readonly PoolReport[];
}

export interface PoolReport {
  readonly name: string;
  readonly pool: HeadroomConfig;
  readonly price?: NodePrice | undefined;
  readonly windows: readonly WindowReport[];
  readonly outsideWindows: Figures;
  readonly inAll: Figures;
  readonly overrides: readonly OverrideReport[];
  readonly surges: readonly SurgeReport[];
  /** How long pods of work that were created outside windows waited for a node. */
  readonly waits?: Waits;
  /** How long the newest nodes took to start: what a pod would have waited for one. */
  readonly starts?: NodeStartRange;
  /** Whether the log has all of the time, so that what was taken is exact and not a lower bound. */
  readonly isTakenExact: boolean;
  /** Time without data, which counts nothing. */
  readonly unseenMs: number;
  readonly periods: readonly Period[];
}

export interface WindowReport extends Figures {
  readonly window: Window;
  readonly occurrences: readonly OccurrenceReport[];
  /** How long pods of work that were created in it waited for a node. */
  readonly waits?: Waits;
}

export interface OccurrenceReport extends OccurrenceTimes, OccurrenceVerdict, Figures {}

/** An override until it expired, was replaced or released. Its figures are its own size for that time. */
export interface OverrideReport extends Omit<OverrideRequest, 'kind'>, Figures {}

/** A time in which notices of interruptions added to the headroom. */
export interface SurgeReport extends Span, Figures {
  readonly noticesAtMost: number;
}

/** Seconds, at the 10th and the 90th percentile. */
export interface NodeStartRange {
  readonly nodes: number;
  readonly p10: number;
  readonly p90: number;
}

/** Bounds, never guesses. */
export function reportOf(config: Config, span: Span, history: History): Report {
  const pools = config.headrooms.map((pool) => {
    const lines = history.lines.filter(({ headroom }) => headroom === pool.name || headroom === '*');
    const periods = withoutSmallGaps(history.periods.get(pool.name) ?? [], config.heartbeatSeconds * 1_000);
    const price = nodePrice(pool, config.cluster.region);
    const takes = takesOf(lines, pool.unit.kind);
    const known = { pool, price, sizes: sizesOf(periods), takes, work: history.work?.get(pool.name) };
    const report = poolReport(known, span, periods, lines);
    const isAlone = config.headrooms.filter(({ nodePool }) => nodePool === pool.nodePool).length === 1;
    return {
      ...(history.waits
        ? withWaits(report, history.waits.get(pool.nodePool) ?? [], span, isAlone ? known : {})
        : report),
      ...nodeStarts(history.starts?.get(pool.name)),
      isTakenExact: report.unseenMs === 0 && history.loggedFrom <= span.from && !wereUnread(history.lines, span),
    };
  });
  return { clusterName: config.cluster.name, ...span, pools };
}

/** Few nodes say little about how long the next one takes. */
const ENOUGH_NODES = 5;

function nodeStarts(seconds: readonly number[] = []): Pick<PoolReport, 'starts'> {
  if (seconds.length < ENOUGH_NODES) return {};
  const sorted = [...seconds].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { starts: { nodes: seconds.length, p10: at(0.1), p90: at(0.9) } };
}

/** Pods that were created while a window was open, and the others. */
function withWaits<T extends Pick<PoolReport, 'windows'>>(
  report: T,
  waits: readonly PodWait[],
  { from, to }: Span,
  known: Parameters<typeof waitsIn>[2],
): T & Pick<PoolReport, 'waits'> {
  const opensOf = ({ occurrences }: WindowReport) => occurrences.map(({ start, end }) => ({ from: start, to: end }));
  const windows = report.windows.map((one) => ({ ...one, waits: waitsIn(waits, opensOf(one), known) }));
  const open = stretchesOf(
    report.windows.flatMap(opensOf).map((one) => ({ ...one, existing: 0 })),
    { from, to },
  );
  const outside = open.filter(({ existing }) => existing === undefined);
  return { ...report, windows, waits: waitsIn(waits, outside, known) };
}

function poolReport(
  known: Known,
  span: Span,
  periods: readonly Period[],
  lines: readonly LogLine[],
): Omit<PoolReport, 'isTakenExact'> {
  const { pool, price } = known;
  const counts = countsIn(lines);
  const about = linesByOccurrence(lines);
  const own: Stretch[] = [];
  const windows = pool.windows.map((window) => {
    const times = timesOf(window, pool, span, counts);
    // The lead time of an occurrence may begin before the end of the one before, which then has that time.
    const stretches = times.map((one, index) => stretchOf(one, times[index - 1]?.end));
    for (const one of stretches) own.push(one);
    const occurrences = times.map((one, index) => ({
      ...one,
      ...verdictOf(one, pool, window, periods, about.get(`${window.name}@${one.start}`) ?? []),
      ...figuresIn(stretches.slice(index, index + 1), known),
    }));
    return { window, occurrences, ...figuresIn(stretches, known) };
  });
  const stretches = stretchesOf(own, span);
  const seenMs = periods.map(({ at, ms }) => Math.min(span.to, at + ms) - Math.max(span.from, at));
  return {
    name: pool.name,
    pool,
    price,
    windows,
    outsideWindows: figuresIn(
      stretches.filter(({ existing }) => existing === undefined),
      known,
    ),
    inAll: figuresIn(stretches, known),
    overrides: overridesOf(known, lines, span),
    surges: surgesOf(lines, span).map((surge) => ({ ...surge, ...figuresIn([surge], known) })),
    unseenMs: seenMs.reduce((left, ms) => left - Math.max(0, ms), span.to - span.from),
    periods,
  };
}

function timesOf(
  window: Window,
  pool: HeadroomConfig,
  { from, to }: Span,
  counts: ReadonlyMap<string, number>,
): OccurrenceTimes[] {
  const found: OccurrenceTimes[] = [];
  let start = openedAt(window, from) ?? startsOf(window).next(from);
  while (start !== undefined && start < to) {
    const end = nextChange(window, start) ?? to;
    found.push({
      requestedAt: start - leadOf(window, pool.leadMinutes) * MINUTE,
      start,
      end: Math.min(end, to),
      counted: counts.get(occurrenceKey(window, start)),
    });
    start = startsOf(window).next(end - 1);
  }
  return found;
}

/** The nodes that there were when each occurrence was counted first. */
function countsIn(lines: readonly LogLine[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { counts = {} } of lines)
    for (const [key, { nodes }] of Object.entries(counts as Readonly<Record<string, { readonly nodes: number }>>))
      if (!first.has(key)) first.set(key, nodes);
  return first;
}

function linesByOccurrence(lines: readonly LogLine[]): ReadonlyMap<string, readonly LogLine[]> {
  const found = new Map<string, LogLine[]>();
  for (const line of lines) {
    const key = `${line.window}@${Date.parse(String(line.start))}`;
    const known = found.get(key);
    if (known) known.push(line);
    else found.set(key, [line]);
  }
  return found;
}

function stretchOf({ requestedAt, end, counted = 0 }: OccurrenceTimes, endBefore = requestedAt): Stretch {
  return { from: Math.max(requestedAt, endBefore), to: end, existing: counted };
}

/** The whole time, cut where occurrences begin and end. Where they overlap they share the lowest count. */
function stretchesOf(occurrences: readonly Stretch[], { from, to }: Span): readonly Stretch[] {
  const edges = occurrences.flatMap((one) => [one.from, one.to]).filter((at) => at > from && at < to);
  const moments = [...new Set([from, ...edges, to])].sort((a, b) => a - b);
  const later = [...occurrences].sort((a, b) => b.from - a.from);
  let open: Stretch[] = [];
  return moments.slice(1).map((end, index) => {
    for (let next = later.at(-1); next && next.from < end; next = later.at(-1)) open.push(later.pop() as Stretch);
    open = open.filter((one) => one.to >= end);
    const existing = open.length === 0 ? {} : { existing: Math.min(...open.map((one) => one.existing ?? 0)) };
    return { from: moments[index] ?? from, to: end, ...existing };
  });
}

/** The newest override or release counts, in whatever order they came; one that was sent again has the same time. */
function overridesOf(known: Known, lines: readonly LogLine[], span: Span): readonly OverrideReport[] {
  const received = lines.filter(({ message }) => message === MESSAGES.override);
  const asks = new Map(received.map(({ ask }) => ask as OverrideRequest | ReleaseRequest).map((ask) => [ask.at, ask]));
  const inOrder = [...asks.values()].sort((a, b) => a.at - b.at);
  return inOrder.flatMap((ask, index): OverrideReport[] => {
    if (ask.kind === 'release') return [];
    const { kind: _, ...override } = ask;
    const until = Math.min(ask.until, inOrder[index + 1]?.at ?? span.to, span.to);
    const own = { from: Math.max(span.from, ask.at), to: until, most: ask.replicas };
    const { takes: __, ...priced } = known;
    return until <= span.from ? [] : [{ ...override, until, ...figuresIn([own], { ...priced, sizes: [own] }) }];
  });
}

/** From the first line with surges to the first without. */
function surgesOf(lines: readonly LogLine[], { from, to }: Span): readonly (Span & { noticesAtMost: number })[] {
  const decisions = lines.filter(({ message }) => message === MESSAGES.decided);
  const notices = lines.filter(({ message }) => message === MESSAGES.interrupted);
  return decisions.flatMap(({ at, surges }, index) => {
    if (!surges || decisions[index - 1]?.surges) return [];
    let last = index;
    while (decisions[last + 1]?.surges || decisions[last + 1]?.at === at) last += 1;
    const own = { from: Math.max(from, at - MINUTE), to: decisions[last + 1]?.at ?? to };
    const during = between(notices, { ...own, to: own.to + 1 }, (one) => one.at);
    return [{ ...own, noticesAtMost: during.reduce((sum, { nodes }) => sum + Number(nodes), 0) }];
  });
}
