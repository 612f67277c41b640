import type { Figures } from '../../../../shared/report/figures';
import type { History, Period } from '../../../../shared/report/history';
import { type PoolReport, reportOf } from '../../../../shared/report/report';
import { type Truth, TWO_WEEKS, type Weeks } from './two-weeks';

const HOUR = 3_600_000;

/** Every bound of a report that does not contain the truth, in words. */
export function wrongBounds({ history, truths, span }: Weeks): readonly string[] {
  const { periods, lines, loggedFrom } = history;
  const [inLog, noLog] = [
    { lines, loggedFrom },
    { lines: [], loggedFrom: Number.POSITIVE_INFINITY },
  ];
  const isKept = (_: unknown, index: number) => index % 97 > 6;
  const holes = new Map([...periods].map(([pool, all]) => [pool, all.filter(isKept)]));
  const seen = {
    'as it was': history,
    'by 5 minutes': coarser(history, 300_000),
    'by the hour': coarser(history, HOUR),
    'with holes': { periods: holes, ...inLog },
    'without a log': { periods, ...noLog },
  };
  return Object.entries(seen).flatMap(([how, known]) =>
    reportOf(TWO_WEEKS, span, known)
      .pools.flatMap((pool) => wrongIn(pool, truths.get(pool.name) as Truth, span))
      .map((wrong) => `${how}: ${wrong}`),
  );
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function wrongIn(report: PoolReport, truth: Truth, span: Span): readonly string[] {
  const occurrences = report.windows.flatMap(({ window, occurrences: all }) => all.map((one) => ({ window, ...one })));
  return [
    ...wrongFigures('in all', report, report.inAll, [span], truth, 0),
    ...wrongFigures('outside', report, report.outsideWindows, outside(occurrences, span), truth, 0),
    ...occurrences.flatMap((one) => {
      const what = `${one.window.name} ${new Date(one.start).toISOString()}`;
      const wanted = one.window.replicas + (one.counted ?? 0);
      const readyAt = countsFrom(truth, one.requestedAt).find(({ count }) => count >= wanted)?.at;
      const lateBy = ((readyAt ?? Number.POSITIVE_INFINITY) - one.start) / 1_000;
      const isWrong = one.lateBySecondsAtMost !== undefined && lateBy > one.lateBySecondsAtMost + 1;
      const within = [{ from: one.requestedAt, to: one.end }];
      return [
        ...wrongFigures(`${report.name} ${what}`, report, one, within, truth, one.counted ?? 0),
        ...(isWrong ? [`${what}: late by ${lateBy}, said at most ${one.lateBySecondsAtMost}`] : []),
      ];
    }),
    ...report.surges.flatMap((one) => {
      const notices = truth.notices.filter((at) => at >= one.from && at < one.to).length;
      const wrong = notices > one.noticesAtMost ? [`${notices} notices, said at most ${one.noticesAtMost}`] : [];
      return [...wrong, ...wrongFigures('surge', report, one, [one], truth, 0)];
    }),
  ];
}

function wrongFigures(
  what: string,
  { periods, pool }: PoolReport,
  figures: Figures,
  spans: readonly Span[],
  truth: Truth,
  existing: number,
): readonly string[] {
  // Only where there is data: the rest counts nothing, and the report says so.
  const seen = spans.flatMap(({ from, to }) =>
    periods
      .map(({ at, ms }) => ({ from: Math.max(from, at), to: Math.min(to, at + ms) }))
      .filter((one) => one.from < one.to),
  );
  const held = what === 'in all' && pool.windows.some(({ relative }) => relative) ? 0 : heldIn(seen, truth, existing);
  const inside = (moments: readonly number[]) =>
    moments.filter((at) => spans.some(({ from, to }) => at >= from && at < to)).length;
  const preempted = inside(truth.preempted);
  return [
    ...(held > figures.replicaHoursAtMost + 1e-6 ? [`${what}: held ${held}, said ${figures.replicaHoursAtMost}`] : []),
    ...(preempted < (figures.takenAtLeast ?? 0) ? [`${what}: took ${preempted}, said ${figures.takenAtLeast}`] : []),
  ];
}

function outside(occurrences: readonly { requestedAt: number; end: number }[], { from, to }: Span): readonly Span[] {
  const sorted = [...occurrences].sort((a, b) => a.requestedAt - b.requestedAt);
  const begins = [from, ...sorted.map(({ end }) => end)];
  return begins.map((begin, index) => ({ from: begin, to: sorted[index]?.requestedAt ?? to }));
}

/** The ready count at a moment, and each later one. */
function countsFrom({ ready }: Truth, from: number): readonly { readonly at: number; readonly count: number }[] {
  const before = ready.findLast(({ at }) => at <= from)?.count ?? 0;
  return [{ at: from, count: before }, ...ready.filter(({ at }) => at > from)];
}

function heldIn(spans: readonly Span[], truth: Truth, existing: number): number {
  let [sum, index, count] = [0, 0, 0];
  for (const { from, to } of spans) {
    let at = from;
    for (; index < truth.ready.length && (truth.ready[index]?.at ?? 0) < to; index += 1) {
      const next = truth.ready[index] as { at: number; count: number };
      if (next.at > at) {
        sum += (Math.max(0, count - existing) * (next.at - at)) / HOUR;
        at = next.at;
      }
      count = next.count;
    }
    sum += (Math.max(0, count - existing) * (to - at)) / HOUR;
  }
  return sum;
}

/** The same history as CloudWatch keeps it later. */
function coarser({ periods, ...log }: History, ms: number): History {
  const merged = [...periods].map(([pool, all]): [string, Period[]] => {
    const groups = new Map<number, Period>();
    for (const { at, desired, ready } of all) {
      const start = Math.floor(at / ms) * ms;
      const known = groups.get(start) ?? { at: start, ms, desired: { ...desired }, ready: { ...ready } };
      groups.set(start, known);
      for (const [range, more] of [
        [known.desired, desired],
        [known.ready, ready],
      ] as const) {
        range.min = Math.min(range.min, more.min);
        range.max = Math.max(range.max, more.max);
      }
    }
    return [pool, [...groups.values()]];
  });
  return { periods: new Map(merged), ...log };
}
