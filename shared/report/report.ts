import type { Config, NodePoolConfig } from '../core/config/config';
import type { OverrideRequest, ReleaseRequest } from '../core/events/event';
import { occurrenceKey } from '../core/record/occurrences';
import { startsOf } from '../core/windows/edges';
import { nextChange, openedAt } from '../core/windows/is-open';
import { leadOf, type Window } from '../core/windows/window';
import { type NodePrice, nodePrice } from '../pricing/node-price';
import { fallsOf } from './falls';
import { type Figures, figuresIn, type Known, type Span, type Stretch, sizesOf } from './figures';
import { type History, type LogLine, MESSAGES, type Period, withoutSmallGaps } from './history';
import { type OccurrenceVerdict, verdictOf } from './verdicts';

const MINUTE = 60_000;

/** What the headroom of a cluster cost and brought in some time. */
export interface Report extends Span {
  readonly clusterName: string;
  readonly pools: readonly PoolReport[];
}

export interface PoolReport {
  readonly name: string;
  readonly pool: NodePoolConfig;
  readonly price?: NodePrice;
  readonly windows: readonly WindowReport[];
  readonly outsideWindows: Figures;
  readonly inAll: Figures;
  readonly overrides: readonly OverrideReport[];
  readonly surges: readonly SurgeReport[];
  /** Time without data, which counts nothing. */
  readonly unseenMs: number;
  readonly periods: readonly Period[];
}

export interface WindowReport extends Figures {
  readonly window: Window;
  readonly occurrences: readonly OccurrenceReport[];
}

export interface OccurrenceReport extends OccurrenceVerdict, Figures {
  readonly requestedAt: number;
  readonly start: number;
  readonly end: number;
  /** The nodes that there were, where a window adds to them. */
  readonly counted?: number | undefined;
}

/** An override until it expired, was replaced or released. Its figures are its own size for that time. */
export interface OverrideReport extends Omit<OverrideRequest, 'kind'>, Figures {}

/** A time in which notices of interruptions added to the headroom. */
export interface SurgeReport extends Span, Figures {
  readonly noticesAtMost: number;
}

/** Bounds, never guesses. */
export function reportOf(config: Config, span: Span, { periods, lines, loggedFrom }: History): Report {
  const pools = config.nodePools.map((pool) => {
    const own = lines.filter(({ nodePool }) => nodePool === pool.name || nodePool === '*');
    const seen = withoutSmallGaps(periods.get(pool.name) ?? [], config.heartbeatSeconds * 1_000);
    return poolReport(pool, nodePrice(pool, config.cluster.region), span, seen, { lines: own, loggedFrom });
  });
  return { clusterName: config.cluster.name, ...span, pools };
}

function poolReport(
  pool: NodePoolConfig,
  price: NodePrice | undefined,
  span: Span,
  periods: readonly Period[],
  log: Pick<History, 'lines' | 'loggedFrom'>,
): PoolReport {
  const { lines } = log;
  const { kind } = pool.unit;
  const falls = kind === 'floor' ? undefined : fallsOf(periods, log, kind === 'node' ? 'one' : 'several');
  const known: Known = { pool, price, sizes: sizesOf(periods), falls };
  const windows = pool.windows.map((window) => {
    const occurrences = openingsOf(window, pool, span, lines).map((opening) => ({
      ...opening,
      ...verdictOf(opening, pool, window, periods, lines),
      ...figuresIn([stretchOf(opening)], known),
    }));
    return { window, occurrences };
  });
  const stretches = stretchesOf(
    windows.flatMap(({ occurrences }) => occurrences.map(stretchOf)),
    span,
  );
  const seenMs = periods.map(({ at, ms }) => Math.min(span.to, at + ms) - Math.max(span.from, at));
  return {
    name: pool.name,
    pool,
    ...(price && { price }),
    windows: windows.map((one) => ({ ...one, ...figuresIn(one.occurrences.map(stretchOf), known) })),
    outsideWindows: figuresIn(
      stretches.filter(({ isOpen }) => !isOpen),
      known,
    ),
    inAll: figuresIn(stretches, known),
    overrides: overridesOf(known, lines, span),
    surges: surgesOf(lines, span).map((surge) => ({ ...surge, ...figuresIn([surge], known) })),
    unseenMs: seenMs.reduce((left, ms) => left - Math.max(0, ms), span.to - span.from),
    periods,
  };
}

type Opening = Pick<OccurrenceReport, 'requestedAt' | 'start' | 'end' | 'counted'>;

/** The occurrences of a window that touch the time. */
function openingsOf(window: Window, pool: NodePoolConfig, { from, to }: Span, lines: readonly LogLine[]): Opening[] {
  const openings: Opening[] = [];
  let start = openedAt(window, from) ?? startsOf(window).next(from);
  while (start !== undefined && start < to) {
    const end = nextChange(window, start) ?? to;
    const key = occurrenceKey(window, start);
    const counted = lines.map((line) => (line.openings as Record<string, { nodes: number }> | undefined)?.[key]?.nodes);
    const requestedAt = start - leadOf(window, pool.leadMinutes) * MINUTE;
    openings.push({
      requestedAt,
      start,
      end: Math.min(end, to),
      counted: counted.find((nodes) => nodes !== undefined),
    });
    start = startsOf(window).next(end - 1);
  }
  return openings;
}

function stretchOf({ requestedAt, end, counted }: Opening): Stretch {
  return { from: requestedAt, to: end, existing: counted };
}

/** The whole time, cut where occurrences begin and end. Where they overlap they share the lowest count. */
function stretchesOf(openings: readonly Stretch[], { from, to }: Span): readonly (Stretch & { isOpen: boolean })[] {
  const edges = openings.flatMap((one) => [one.from, one.to]).filter((at) => at > from && at < to);
  const moments = [from, ...edges.sort((a, b) => a - b), to];
  return moments.slice(1).map((end, index) => {
    const open = openings.filter((one) => one.from < end && one.to >= end);
    const counts = open.map(({ existing = 0 }) => existing);
    return {
      from: moments[index] ?? from,
      to: end,
      isOpen: open.length > 0,
      existing: Math.min(...counts, Number.MAX_VALUE) % Number.MAX_VALUE,
    };
  });
}

/** The newest order counts, in whatever order they came; one that was sent again has the same time. */
function overridesOf({ pool, price }: Known, lines: readonly LogLine[], span: Span): readonly OverrideReport[] {
  const asks = lines.flatMap(({ message, ask }) => (message === MESSAGES.order ? ask : [])) as readonly (
    | OverrideRequest
    | ReleaseRequest
  )[];
  const inOrder = [...new Map(asks.map((ask) => [ask.at, ask])).values()].sort((a, b) => a.at - b.at);
  return inOrder.flatMap((ask, index): OverrideReport[] => {
    if (ask.kind === 'release') return [];
    const { kind: _, ...override } = ask;
    const until = Math.min(ask.until, inOrder[index + 1]?.at ?? span.to, span.to);
    const own = { from: Math.max(span.from, ask.at), to: until, most: ask.replicas };
    return until <= span.from ? [] : [{ ...override, until, ...figuresIn([own], { pool, price, sizes: [own] }) }];
  });
}

/** From the first line with surges to the first without. */
function surgesOf(lines: readonly LogLine[], { from, to }: Span): readonly (Span & { noticesAtMost: number })[] {
  const found: (Span & { noticesAtMost: number })[] = [];
  let [begun, noticesAtMost] = [Number.NaN, 0];
  for (const { message, at, surges, nodes } of [...lines, { at: to, message: MESSAGES.decided, surges: 0, nodes: 0 }]) {
    if (message === MESSAGES.interrupted) noticesAtMost += Number(nodes);
    if (message !== MESSAGES.decided) continue;
    if (Number(surges ?? 0) > 0) begun = Number.isNaN(begun) ? Math.max(from, at - MINUTE) : begun;
    else {
      if (!Number.isNaN(begun)) found.push({ from: begun, to: at, noticesAtMost });
      [begun, noticesAtMost] = [Number.NaN, 0];
    }
  }
  return found;
}
