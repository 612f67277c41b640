import type { Config, NodePoolConfig } from '../core/config/config';
import { occurrenceKey } from '../core/record/occurrences';
import { startsOf } from '../core/windows/edges';
import { nextChange, openedAt } from '../core/windows/is-open';
import { leadOf, type Window } from '../core/windows/window';
import { defaultZone } from '../drawing/local-time';
import { type Fall, fallsOf } from './falls';
import { type Held, Holding, type Size, sizesOf } from './held';
import { type Bound, type History, type LogLine, MESSAGES, type Period, withoutSmallGaps } from './history';
import { type OverrideReport, overridesOf } from './overrides';
import { type OccurrenceVerdict, verdictsOf } from './verdicts';

const MINUTE = 60_000;

/** What the headroom of a cluster cost and brought in some time. */
export interface Report {
  readonly clusterName: string;
  readonly from: number;
  readonly to: number;
  readonly pools: readonly PoolReport[];
}

export interface PoolReport {
  readonly pool: NodePoolConfig;
  readonly timezone: string;
  readonly windows: readonly WindowReport[];
  /** In all of the time, and in the part of it that belongs to no window. */
  readonly held: Held;
  readonly outside: Held;
  readonly use?: Use;
  readonly overrides: readonly OverrideReport[];
  readonly surges: readonly SurgeReport[];
  readonly periods: readonly Period[];
  /** How much of the time has no data. */
  readonly unseenMs: number;
}

/** What happened to room; nothing is known of floors, because work runs beside their pods. */
export interface Use {
  /** By how many units Ready fell in all, as far as the metrics show. */
  readonly fell: { readonly atLeast: number };
  /** Of these work has taken so many. */
  readonly taken: { readonly atLeast: number };
}

export interface WindowReport {
  readonly window: Window;
  readonly occurrences: readonly OccurrenceReport[];
  readonly held: Held;
  readonly use?: Use;
}

export interface OccurrenceReport {
  readonly requestedAt: number;
  readonly start: number;
  readonly end: number;
  readonly verdict: OccurrenceVerdict;
  /** The nodes that there were, where a window adds to them. */
  readonly counted?: number;
  readonly held: Held;
  readonly use?: Use;
}

/** A time in which notices of interruptions added to the headroom. */
export interface SurgeReport {
  readonly from: number;
  readonly to: number;
  /** Nodes that got a notice. */
  readonly nodes: Bound;
  readonly use?: Use;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Everything that is known of one NodePool. */
interface Known extends Span {
  readonly pool: NodePoolConfig;
  readonly periods: readonly Period[];
  readonly sizes: readonly Size[];
  readonly lines: readonly LogLine[];
  readonly falls: readonly Fall[] | undefined;
}

/** Bounds, never guesses: time without data counts nothing, and is named. */
export function reportOf(config: Config, { from, to }: Span, { periods, lines }: History): Report {
  const pools = config.nodePools.map((pool) => {
    const own = lines.filter(({ nodePool }) => nodePool === pool.name || nodePool === '*');
    const seen = withoutSmallGaps(periods.get(pool.name) ?? [], config.heartbeatSeconds * 1_000);
    return poolReport(pool, { from, to }, seen, own);
  });
  return { clusterName: config.cluster.name, from, to, pools };
}

function poolReport(
  pool: NodePoolConfig,
  { from, to }: Span,
  periods: readonly Period[],
  lines: readonly LogLine[],
): PoolReport {
  const { kind } = pool.unit;
  const falls = kind === 'floor' ? undefined : fallsOf(periods, lines, kind === 'node' ? 'one' : 'several');
  const known: Known = { pool, from, to, periods, sizes: sizesOf(periods), lines, falls };
  const windows = pool.windows.map((window) => ({ window, occurrences: occurrencesOf(window, known) }));
  const seenMs = periods.reduce((sum, { at, ms }) => sum + Math.max(0, Math.min(to, at + ms) - Math.max(from, at)), 0);
  return {
    pool,
    timezone: defaultZone(pool.windows),
    windows: windows.map(({ window, occurrences }) => windowReport(window, occurrences, known)),
    ...heldInAll(windows, known),
    ...useIn(known, from, to),
    overrides: overridesOf(pool, lines, from, to),
    surges: surgesOf(known),
    periods,
    unseenMs: to - from - seenMs,
  };
}

/** Those that touch the time; the first may have begun before it. */
function occurrencesOf(window: Window, known: Known): readonly OccurrenceReport[] {
  const { pool, from, to, periods, lines } = known;
  const verdictOf = verdictsOf(pool, window, periods, lines);
  const found: OccurrenceReport[] = [];
  let start = openedAt(window, from) ?? startsOf(window).next(from);
  while (start !== undefined && start < to) {
    const end = nextChange(window, start) ?? to;
    const requestedAt = start - leadOf(window, pool.leadMinutes) * MINUTE;
    const counted = window.relative && countIn(lines, occurrenceKey(window, start));
    const cut = { requestedAt, start, end: Math.min(end, to) };
    found.push({
      ...cut,
      verdict: verdictOf(cut, counted),
      ...(counted !== undefined && { counted }),
      held: new Holding(pool, known.sizes).add(Math.max(from, requestedAt), cut.end, counted).held,
      ...useIn(known, requestedAt, cut.end),
    });
    start = startsOf(window).next(end - 1);
  }
  return found;
}

function countIn(lines: readonly LogLine[], key: string): number | undefined {
  const openings = lines.flatMap(
    (line) => (line.openings as Record<string, { nodes?: number }> | undefined)?.[key] ?? [],
  );
  return openings[0]?.nodes;
}

function windowReport(window: Window, all: readonly OccurrenceReport[], known: Known): WindowReport {
  const occurrences = all.filter(({ start }) => start >= known.from);
  const holding = new Holding(known.pool, known.sizes);
  for (const { requestedAt, end, counted } of occurrences) holding.add(Math.max(known.from, requestedAt), end, counted);
  const uses = occurrences.flatMap(({ use }) => use ?? []);
  return { window, occurrences, held: holding.held, ...(known.falls && { use: useOf(uses) }) };
}

/** Each moment counts once, also where windows overlap; there the lowest count is the one that they share. */
function heldInAll(windows: readonly Pick<WindowReport, 'occurrences'>[], { pool, sizes, from, to }: Known) {
  const occurrences = windows.flatMap((one) => one.occurrences);
  const edges = occurrences.flatMap(({ requestedAt, end }) => [requestedAt, end]).filter((at) => at > from && at < to);
  const moments = [from, ...edges.sort((a, b) => a - b), to];
  const [held, outside] = [new Holding(pool, sizes), new Holding(pool, sizes)];
  for (const [index, at] of moments.slice(0, -1).entries()) {
    const until = moments[index + 1] ?? to;
    const open = occurrences.filter(({ requestedAt, end }) => requestedAt <= at && at < end);
    held.add(
      at,
      until,
      Math.min(...open.map(({ counted = 0 }) => counted), open.length === 0 ? 0 : Number.POSITIVE_INFINITY),
    );
    if (open.length === 0) outside.add(at, until);
  }
  return { held: held.held, outside: outside.held };
}

function useIn({ falls }: Known, from: number, to: number): { use?: Use } {
  const all = falls?.filter((one) => one.from >= from && one.to <= to);
  return all
    ? { use: useOf(all.map(({ units, taken }) => ({ fell: { atLeast: units }, taken: { atLeast: taken } }))) }
    : {};
}

function useOf(parts: readonly Use[]): Use {
  const sum = (value: (use: Use) => number) => parts.reduce((total, one) => total + value(one), 0);
  return { fell: { atLeast: sum(({ fell }) => fell.atLeast) }, taken: { atLeast: sum(({ taken }) => taken.atLeast) } };
}

/** From the first line with surges to the first without. */
function surgesOf(known: Known): readonly SurgeReport[] {
  const { lines, from, to } = known;
  const found: SurgeReport[] = [];
  const nodesIn = (start: number, end: number) =>
    lines
      .filter(({ message, at }) => message === MESSAGES.interrupted && at >= start - MINUTE && at < end)
      .reduce((sum, { nodes }) => sum + Number(nodes), 0);
  let begun: number | undefined;
  for (const { at, surges } of [...lines.filter(({ message }) => message === MESSAGES.decided), { at: to, surges: 0 }])
    if (Number(surges ?? 0) > 0) begun ??= Math.max(from, at);
    else if (begun !== undefined) {
      found.push({ from: begun, to: at, nodes: { atMost: nodesIn(begun, at) }, ...useIn(known, begun - MINUTE, at) });
      begun = undefined;
    }
  return found;
}
