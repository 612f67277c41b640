import type { Config, NodePoolConfig } from '../core/config/config';
import type { OverrideRequest, ReleaseRequest } from '../core/events/event';
import { occurrenceKey } from '../core/record/occurrences';
import { startsOf } from '../core/windows/edges';
import { nextChange, openedAt } from '../core/windows/is-open';
import { leadOf, type Window } from '../core/windows/window';
import { type NodePrice, nodePrice } from '../pricing/node-price';
import { fallsOf } from './falls';
import { type Figures, figuresIn, type Known, type Stretch, sizesOf } from './figures';
import {
  type History,
  type LogLine,
  MESSAGES,
  type Period,
  type PodWait,
  type Span,
  withoutSmallGaps,
} from './history';
import { type OccurrenceVerdict, type Opening, verdictOf } from './verdicts';

const MINUTE = 60_000;

/** What the headroom of a cluster cost and brought in some time. */
export interface Report extends Span {
  readonly clusterName: string;
  readonly pools: readonly PoolReport[];
}

export interface PoolReport {
  readonly name: string;
  readonly pool: NodePoolConfig;
  readonly price?: NodePrice | undefined;
  readonly windows: readonly WindowReport[];
  readonly outsideWindows: Figures;
  readonly inAll: Figures;
  readonly overrides: readonly OverrideReport[];
  readonly surges: readonly SurgeReport[];
  /** How long pods of work waited for a node. */
  readonly waits?: { readonly inWindows: Waits; readonly outside: Waits };
  /** Time without data, which counts nothing. */
  readonly unseenMs: number;
  readonly periods: readonly Period[];
}

export interface WindowReport extends Figures {
  readonly window: Window;
  readonly occurrences: readonly OccurrenceReport[];
}

export interface OccurrenceReport extends Opening, OccurrenceVerdict, Figures {}

/** An override until it expired, was replaced or released. Its figures are its own size for that time. */
export interface OverrideReport extends Omit<OverrideRequest, 'kind'>, Figures {}

/** A time in which notices of interruptions added to the headroom. */
export interface SurgeReport extends Span, Figures {
  readonly noticesAtMost: number;
}

/** Both ends of a wait are whole seconds, so that less than one may look like 1. */
export interface Waits {
  readonly pods: number;
  readonly underASecondAtLeast: number;
}

/** Bounds, never guesses. */
export function reportOf(config: Config, span: Span, history: History): Report {
  const pools = config.nodePools.map((pool) => {
    const lines = history.lines.filter(({ nodePool }) => nodePool === pool.name || nodePool === '*');
    const periods = withoutSmallGaps(history.periods.get(pool.name) ?? [], config.heartbeatSeconds * 1_000);
    const price = nodePrice(pool, config.cluster.region);
    const falls = fallsOf(periods, { lines, loggedFrom: history.loggedFrom }, pool.unit.kind);
    const report = poolReport({ pool, price, sizes: sizesOf(periods), falls }, span, periods, lines);
    return { ...report, ...(history.waits && podWaits(report, history.waits.get(pool.name) ?? [])) };
  });
  return { clusterName: config.cluster.name, ...span, pools };
}

/** Pods that were created while a window was open, and the others. */
function podWaits({ windows }: PoolReport, waits: readonly PodWait[]): Pick<PoolReport, 'waits'> {
  const open = windows.flatMap(({ occurrences }) => occurrences);
  const isIn = ({ at }: PodWait) => open.some(({ start, end }) => at >= start && at < end);
  const countOf = (pods: readonly PodWait[]): Waits => ({
    pods: pods.length,
    underASecondAtLeast: pods.filter(({ seconds }) => seconds <= 0).length,
  });
  return { waits: { inWindows: countOf(waits.filter(isIn)), outside: countOf(waits.filter((one) => !isIn(one))) } };
}

function poolReport(known: Known, span: Span, periods: readonly Period[], lines: readonly LogLine[]): PoolReport {
  const { pool, price } = known;
  const windows = pool.windows.map((window) => {
    const occurrences = openingsOf(window, pool, span, lines).map((opening) => ({
      ...opening,
      ...verdictOf(opening, pool, window, periods, lines),
      ...figuresIn([stretchOf(opening)], known),
    }));
    return { window, occurrences, ...figuresIn(occurrences.map(stretchOf), known) };
  });
  const stretches = stretchesOf(
    windows.flatMap(({ occurrences }) => occurrences.map(stretchOf)),
    span,
  );
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

/** The occurrences of a window that touch the time. */
function openingsOf(window: Window, pool: NodePoolConfig, { from, to }: Span, lines: readonly LogLine[]): Opening[] {
  const counts = lines.map(({ openings = {} }) => openings as Readonly<Record<string, { readonly nodes: number }>>);
  const openings: Opening[] = [];
  let start = openedAt(window, from) ?? startsOf(window).next(from);
  while (start !== undefined && start < to) {
    const end = nextChange(window, start) ?? to;
    const key = occurrenceKey(window, start);
    openings.push({
      requestedAt: start - leadOf(window, pool.leadMinutes) * MINUTE,
      start,
      end: Math.min(end, to),
      counted: counts.find((one) => one[key])?.[key]?.nodes,
    });
    start = startsOf(window).next(end - 1);
  }
  return openings;
}

function stretchOf({ requestedAt, end, counted = 0 }: Opening): Stretch {
  return { from: requestedAt, to: end, existing: counted };
}

/** The whole time, cut where occurrences begin and end. Where they overlap they share the lowest count. */
function stretchesOf(openings: readonly Stretch[], { from, to }: Span): readonly Stretch[] {
  const edges = openings.flatMap((one) => [one.from, one.to]).filter((at) => at > from && at < to);
  const moments = [from, ...edges.sort((a, b) => a - b), to];
  return moments.slice(1).map((end, index) => {
    const open = openings.filter((one) => one.from < end && one.to >= end);
    const existing = open.length === 0 ? {} : { existing: Math.min(...open.map((one) => one.existing ?? 0)) };
    return { from: moments[index] ?? from, to: end, ...existing };
  });
}

/** The newest order counts, in whatever order they came; one that was sent again has the same time. */
function overridesOf(known: Known, lines: readonly LogLine[], span: Span): readonly OverrideReport[] {
  const orders = lines.filter(({ message }) => message === MESSAGES.order);
  const asks = new Map(orders.map(({ ask }) => ask as OverrideRequest | ReleaseRequest).map((ask) => [ask.at, ask]));
  const inOrder = [...asks.values()].sort((a, b) => a.at - b.at);
  return inOrder.flatMap((ask, index): OverrideReport[] => {
    if (ask.kind === 'release') return [];
    const { kind: _, ...override } = ask;
    const until = Math.min(ask.until, inOrder[index + 1]?.at ?? span.to, span.to);
    const own = { from: Math.max(span.from, ask.at), to: until, most: ask.replicas };
    const { falls: __, ...priced } = known;
    return until <= span.from ? [] : [{ ...override, until, ...figuresIn([own], { ...priced, sizes: [own] }) }];
  });
}

/** From the first line with surges to the first without. */
function surgesOf(lines: readonly LogLine[], { from, to }: Span): readonly (Span & { noticesAtMost: number })[] {
  const decisions = lines.filter(({ message }) => message === MESSAGES.decided);
  const begins = decisions.filter(({ surges }, index) => surges && !decisions[index - 1]?.surges);
  return begins.map(({ at }) => {
    const end = decisions.find((one) => one.at > at && !one.surges)?.at ?? to;
    const begin = Math.max(from, at - MINUTE);
    const notices = lines.filter((one) => one.message === MESSAGES.interrupted && one.at >= begin && one.at <= end);
    return { from: begin, to: end, noticesAtMost: notices.reduce((sum, { nodes }) => sum + Number(nodes), 0) };
  });
}
