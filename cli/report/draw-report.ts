import { durationText } from '../../shared/core/basics/duration';
import { unitText } from '../../shared/core/config/unit-text';
import { amount, count, moneyText } from '../../shared/drawing/amounts';
import { defaultZone, lengthText, localClock, localTime, withBareMoments } from '../../shared/drawing/local-time';
import { ruleOf, windowSize } from '../../shared/drawing/plan-model';
import { priceNote } from '../../shared/drawing/plan-text';
import { overrideSize } from '../../shared/drawing/size-text';
import { type Money, plus, times } from '../../shared/pricing/money';
import type { Figures } from '../../shared/report/figures';
import type { OccurrenceReport, PoolReport, Report, WindowReport } from '../../shared/report/report';
import { STILL_WAITED_SECONDS, type Waits } from '../../shared/report/waits';
import { painter, type Terminal } from '../terminal/terminal';
import { wrap, wrapAfter } from '../terminal/wrap';

export const MAX_LISTED = 10;
const [DAY, MONTH] = [24 * 3_600_000, 730.5 * 3_600_000];

/** How many units work really took in some time; known in a simulation only. */
export type Truth = (headroom: string, from: number, to: number) => number;

interface Beside {
  /** What was not read, or not in full. */
  readonly notes?: readonly string[];
  readonly truth?: Truth;
}

export function drawReport(
  report: Report,
  screen: Pick<Terminal, 'width' | 'colours'>,
  { notes = [], truth }: Beside,
): string {
  const paint = painter(screen);
  const { clusterName, from, to, pools } = report;
  const title = `${paint('bold', clusterName)}: what headroom cost and brought, ${lengthText(to - from)} from ${localTime('UTC', from)} UTC`;
  const blocks = pools.map((one) => {
    const zone = defaultZone(one.pool.windows);
    const really =
      truth && one.inAll.takenAtLeast !== undefined ? `; in truth work took ${truth(one.name, from, to)}` : '';
    const lines = [
      ledgerText(one, to - from),
      ...poolLines(one, zone),
      `in all: ${figuresText(one.inAll, one.isTakenExact)}${really}`,
    ];
    return [
      '',
      ...wrap(`${paint('bold', one.name)}: ${unitText(one.pool)}, times in ${zone}`, screen.width),
      ...lines.flatMap((text) => wrapAfter('  ', '    ', text, screen.width)),
    ];
  });
  const prices = priceNote(
    pools.map(({ price, inAll }) => ({ ...(price && { price }), figures: { peak: inAll.replicaHoursAtMost } })),
    'a pool block or price tells',
  );
  const said = [...notes, ...(prices === undefined ? [] : [prices])].flatMap((note) => [
    '',
    ...wrapAfter('', '  ', note, screen.width),
  ]);
  return `${[...wrap(title, screen.width), ...blocks.flat(), ...said].join('\n')}\n`;
}

function poolLines(report: PoolReport, zone: string): readonly string[] {
  const { windows, outsideWindows, overrides, surges, unseenMs, isTakenExact } = report;
  const span = (from: number, to: number) => `${localTime(zone, from)} to ${localClock(zone, to)}`;
  return [
    ...windows.flatMap((window) => windowLines(window, isTakenExact, zone)),
    windows.length > 0 && `outside windows: ${figuresText(outsideWindows, isTakenExact)}`,
    ...waitLines(report.waits, windows.length > 0 ? ' outside windows' : '', zone),
    ...overrides.map(
      (one) =>
        `override by ${one.by} (${one.reason}): ${overrideSize(one)}, ${span(one.at, one.until)}; ${heldText(one)}`,
    ),
    ...surges.map(
      (one) =>
        `surge ${span(one.from, one.to)}: at most ${count(one.noticesAtMost, 'notice')}; ${useText(one, isTakenExact)}`,
    ),
    unseenMs > 0 && `no data for ${lengthText(unseenMs)} of this time, which counts nothing`,
  ].filter((text) => typeof text === 'string');
}

/** How long pods waited for a node, who still waited, and which size would have been enough. */
function waitLines(waits: Waits | undefined, where: string, zone: string): readonly string[] {
  if (!waits) return [];
  const { pods, underASecondAtLeast, p90 = 0, longest = 0, stillWaited, enough } = waits;
  if (pods === 0) return [`- no pod was created${where}`];
  const text = `- ${count(pods, 'pod')}${where}: at least ${underASecondAtLeast} had a node in less than a second, nine in ten within ${durationText(p90)}, the last after ${durationText(longest)}`;
  const who = stillWaited.map(({ workload, pods: waited, longest: most, from, to }) => {
    const until = to - from >= 60_000 ? ` to ${localTime(zone, to)}` : '';
    return `${workload} (${count(waited, 'pod')}, up to ${durationText(most)}, ${localTime(zone, from)}${until})`;
  });
  if (who.length === 0) return [text];
  return [text, `- waited longer than ${STILL_WAITED_SECONDS} s: ${listed(who).join(', ')}${enoughText(enough, zone)}`];
}

function enoughText(enough: Waits['enough'], zone: string): string {
  if (!enough) return '; not known which size would have been enough';
  const { at, size, instead, larger } = enough;
  const none = larger > 0 ? `; ${count(larger, 'pod')} requested more than a unit, which no size helps` : '';
  return `${size > instead ? `; a size of ${size} instead of ${instead} would have been enough (${localTime(zone, at)})` : ''}${none}`;
}

function windowLines(report: WindowReport, isExact: boolean, zone: string): readonly string[] {
  const { window, occurrences, ...figures } = report;
  const head = `${window.name} (${windowSize(window)}, ${ruleOf(window)})`;
  if (occurrences.length === 0) return [`${head}: not open in this time`];
  const others = occurrences.filter(({ verdict }) => verdict !== 'ready');
  const ready = occurrences.length - others.length;
  return [
    `${head}: ${count(occurrences.length, 'occurrence')}, ${ready} ready in time; ${figuresText(figures, isExact)}`,
    ...listed(
      others.map((one) => withBareMoments(`- ${localTime(zone, one.start)}: ${verdictText(one)}`, zone, one.start)),
    ),
    ...waitLines(report.waits, '', zone),
    ...unusedLines(report, isExact, zone),
  ];
}

function listed(texts: readonly string[]): readonly string[] {
  const more = texts.length - MAX_LISTED;
  return more > 0 ? [...texts.slice(0, MAX_LISTED), `and ${more} more, which --json lists`] : texts;
}

function verdictText({ verdict, lateBySecondsAtMost = 0, why }: OccurrenceReport): string {
  const because = why === undefined ? '' : `: ${why}`;
  if (verdict === 'unknown') return 'not known whether it was ready';
  return verdict === 'late'
    ? `late by at most ${durationText(lateBySecondsAtMost)}${because}`
    : `never seen ready${because}`;
}

/** The list to shrink: what nobody used, and what it cost. */
function unusedLines({ occurrences, ...figures }: WindowReport, isExact: boolean, zone: string): readonly string[] {
  const unused = occurrences.filter((one) => one.mostNodesWithWork === 0 || (isExact && one.takenAtLeast === 0));
  if (unused.length === 0) return [];
  if (unused.length === occurrences.length)
    return [`- work took nothing in any of them: without this window you would save ${heldText(figures)}`];
  const list = unused.map(({ start }) => localTime(zone, start));
  const costs = unused.flatMap(({ costAtMost }) => costAtMost ?? []);
  const saved = costs.length > 0 ? `, which cost at most ${moneyText(costs.reduce(plus))}` : '';
  return [`- work took nothing in ${unused.length} of ${occurrences.length}${saved}: ${listed(list).join(', ')}`];
}

function figuresText(figures: Figures, isExact: boolean): string {
  return `${heldText(figures)}; ${useText(figures, isExact)}`;
}

function heldText({ replicaHoursAtMost, nodeHoursAtMost, costAtMost }: Figures): string {
  const [hours, unit] = nodeHoursAtMost === undefined ? [replicaHoursAtMost, 'slice'] : [nodeHoursAtMost, 'node'];
  return `at most ${amount(hours)} ${unit}-hours${costAtMost === undefined ? '' : `, ${moneyText(costAtMost)}`}`;
}

function useText({ takenAtLeast, workedNodeHours, mostNodesWithWork = 0 }: Figures, isExact: boolean): string {
  if (workedNodeHours !== undefined)
    return mostNodesWithWork === 0
      ? 'none of its nodes ran work'
      : `up to ${count(mostNodesWithWork, 'node')} ran work at once, ${amount(workedNodeHours)} node-hours`;
  if (takenAtLeast === undefined) return 'not known how many of its nodes ran work';
  if (!isExact && takenAtLeast === 0) return 'not known what work took';
  if (takenAtLeast === 0) return 'work took nothing';
  return `work took ${isExact ? '' : 'at least '}${count(takenAtLeast, 'unit')}`;
}

/** What a headroom cost and brought, in one sentence. */
function ledgerText({ inAll, windows, starts, isTakenExact }: PoolReport, lengthMs: number): string {
  const { costAtMost, takenAtLeast = 0, podsAtLeast = 0 } = inAll;
  const occurrences = windows.flatMap((one) => one.occurrences);
  const ready = occurrences.filter(({ verdict }) => verdict === 'ready').length;
  // Part of a day says nothing about a month.
  const month = (money: Money) =>
    lengthMs < DAY ? '' : `, ${moneyText(times(money, MONTH / lengthMs))} a month at this rate`;
  const wait = starts
    ? `${range(starts.p10, starts.p90)} (a counterfactual: 10th to 90th percentile of the newest ${starts.nodes} nodes here)`
    : 'a node start (a counterfactual)';
  const parts = [
    ...(costAtMost ? [`cost at most ${moneyText(costAtMost)}${month(costAtMost)}`] : []),
    useText(inAll, isTakenExact),
    ...(takenAtLeast > 0 && podsAtLeast > 0
      ? [`at least ${count(podsAtLeast, 'pod')} started at once instead of after ${wait}`]
      : []),
    ...(occurrences.length > 0 ? [`${ready} of ${count(occurrences.length, 'window')} in time`] : []),
  ];
  return parts.join('; ');
}

function range(from: number, to: number): string {
  return from === to ? durationText(from) : `${durationText(from)} to ${durationText(to)}`;
}
