import { formatDuration } from '../../shared/core/basics/duration';
import { unitText } from '../../shared/core/config/unit-text';
import { amount, count, dollars } from '../../shared/drawing/amounts';
import { lengthText, localClock, localTime } from '../../shared/drawing/local-time';
import { ruleOf, windowSize } from '../../shared/drawing/plan-model';
import { overrideSize } from '../../shared/drawing/size-text';
import type { Held } from '../../shared/report/held';
import type { Bound } from '../../shared/report/history';
import type { OverrideReport } from '../../shared/report/overrides';
import type { OccurrenceReport, PoolReport, Report, SurgeReport, Use, WindowReport } from '../../shared/report/report';
import { painter, type Terminal } from '../terminal/terminal';
import { wrap, wrapAfter } from '../terminal/wrap';

const MAX_LISTED = 10;

/** How many units work really took in some time; known in a simulation only. */
export type Truth = (nodePool: string, from: number, to: number) => number;

/** A line of text and how far it is indented. */
type Line = readonly [indent: number, text: string];

export function drawReport(report: Report, screen: Pick<Terminal, 'width' | 'colours'>, truth?: Truth): string {
  const paint = painter(screen);
  const { clusterName, from, to, pools } = report;
  const title = `${paint('bold', clusterName)}: what headroom cost and brought, ${lengthText(to - from)} from ${localTime('UTC', from)} UTC`;
  const blocks = pools.map((pool) => {
    const head = `${paint('bold', pool.pool.name)}: ${unitText(pool.pool)}, times in ${pool.timezone}`;
    const lines = poolLines(pool, report, truth).flatMap(([indent, text]) =>
      wrapAfter(' '.repeat(indent), ' '.repeat(indent + 2), text, screen.width),
    );
    return ['', ...wrap(head, screen.width), ...lines];
  });
  return `${[...wrap(title, screen.width), ...blocks.flat()].join('\n')}\n`;
}

function poolLines(report: PoolReport, { from, to }: Report, truth: Truth | undefined): readonly Line[] {
  const { pool, windows, held, outside, use, overrides, surges, unseenMs, timezone } = report;
  const really = (start: number, end: number) => (truth && use ? ` (in truth ${truth(pool.name, start, end)})` : '');
  return [
    ...windows.flatMap((window) => windowLines(window, timezone, really)),
    ...(windows.length > 0 ? [[2, `outside windows: ${heldText(outside)}`] as const] : []),
    [2, `in all: ${heldText(held)}; ${useText(use)}${really(from, to)}`],
    ...overrides.map((one): Line => [2, overrideLine(one, timezone)]),
    ...surges.map((one): Line => [2, `${surgeLine(one, timezone)}${really(one.from, one.to)}`]),
    ...(unseenMs > 0 ? [[2, `no data for ${lengthText(unseenMs)} of this time, which counts nothing`] as const] : []),
  ];
}

function windowLines(
  { window, occurrences, held, use }: WindowReport,
  timezone: string,
  really: (from: number, to: number) => string,
): readonly Line[] {
  const head = `${window.name} (${windowSize(window)}, ${ruleOf(window)})`;
  if (occurrences.length === 0) return [[2, `${head}: did not begin in this time`]];
  const unused = occurrences.filter((one) => one.use?.taken.atLeast === 0);
  const late = occurrences.filter(({ verdict }) => verdict.kind !== 'ready');
  const ready = occurrences.length - late.length;
  const only = occurrences.length === 1 && occurrences[0];
  return [
    [2, `${head}: ${count(occurrences.length, 'occurrence')}, ${ready} ready in time`],
    ...listed(late.map((one) => `${localTime(timezone, one.start)}: ${verdictText(one)}`)).map(
      (text): Line => [4, text],
    ),
    [4, `${heldText(held)}; ${useText(use)}${only ? really(only.requestedAt, only.end) : ''}`],
    ...(unused.length > 0 ? [[4, unusedText(unused, occurrences.length, timezone)] as const] : []),
  ];
}

function listed(texts: readonly string[]): readonly string[] {
  const more = texts.length - MAX_LISTED;
  return more > 0 ? [...texts.slice(0, MAX_LISTED), `and ${more} more; --json lists all`] : texts;
}

function verdictText({ verdict }: OccurrenceReport): string {
  const why = 'why' in verdict ? `: ${verdict.why}` : '';
  switch (verdict.kind) {
    case 'ready':
      return 'ready';
    case 'late':
      return `late by ${boundText(verdict.lateBySeconds, (seconds) => formatDuration(seconds))}${why}`;
    case 'never':
      return `never seen ready${why}`;
    case 'unknown':
      return 'not known whether it was ready';
  }
}

/** The list to shrink. */
function unusedText(unused: readonly OccurrenceReport[], all: number, timezone: string): string {
  const still = unused.filter(({ use }) => use?.fell.atLeast === 0).map(({ start }) => localTime(timezone, start));
  const list = still.length === 0 ? '' : `; Ready never fell in ${listed(still).join(', ')}`;
  return `nothing was taken in at most ${unused.length} of ${all}${list}`;
}

function heldText({ replicaHours, nodeHours, cost }: Held): string {
  const hours = nodeHours
    ? `${boundText(nodeHours, amount)} node-hours`
    : `${boundText(replicaHours, amount)} slice-hours`;
  return `held ${hours}${cost ? `, ${boundText(cost, dollars)}` : ''}`;
}

function useText(use: Use | undefined): string {
  if (!use) return 'not known how many of its nodes work used';
  return `Ready fell by ${boundText(use.fell, String)} units, of which work took ${boundText(use.taken, String)}`;
}

function overrideLine(override: OverrideReport, timezone: string): string {
  const { by, reason, at, until, held } = override;
  return `override by ${by} (${reason}): ${overrideSize(override)}, ${localTime(timezone, at)} to ${localClock(timezone, until)}; ${heldText(held)}`;
}

function surgeLine({ from, to, nodes, use }: SurgeReport, timezone: string): string {
  const when = `${localTime(timezone, from)} to ${localClock(timezone, to)}`;
  return `surge ${when}: notices for ${boundText(nodes, String)} nodes; ${useText(use)}`;
}

function boundText(bound: Bound, write: (value: number) => string): string {
  if ('exact' in bound) return `exactly ${write(bound.exact)}`;
  return 'atLeast' in bound ? `at least ${write(bound.atLeast)}` : `at most ${write(bound.atMost)}`;
}
