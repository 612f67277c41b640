import { amount, count, moneyText } from '../../shared/drawing/amounts';
import { dayLabel, lengthText, localClock, localDay, withBareMoments } from '../../shared/drawing/local-time';
import type { PlanFigures, PlanModel, PoolPlan } from '../../shared/drawing/plan-model';
import { isSteady } from '../../shared/drawing/plan-svg';
import { periodText, planTexts, priceNote } from '../../shared/drawing/plan-text';
import { plannedText } from '../../shared/drawing/size-text';
import { pad, padLeft, textWidth, toWidth } from '../../shared/drawing/text-width';
import { midnightsOf, ticksOf } from '../../shared/drawing/time-axis';
import { plus } from '../../shared/pricing/money';
import { type Colour, type Paint, painter, type Terminal } from '../terminal/terminal';
import { wrap, wrapAfter } from '../terminal/wrap';
import { type Canvas, MAX_COLUMNS, stepRows, windowRow } from './draw-rows';

const MAX_NAME = 16;
const MAX_CHANGES = 24;
/** Below this width reasons go on a line of their own. */
const NARROW = 60;
const WINDOW_COLOURS: readonly Colour[] = ['cyan', 'magenta', 'green', 'blue', 'yellow'];

export type Screen = Pick<Terminal, 'width' | 'colours'>;

/** The plan as text: per NodePool a timeline of windows, the size as blocks, the changes, node-hours and cost. */
export function drawPlan(model: PlanModel, screen: Screen): string {
  const paint = painter(screen);
  const { from, to, clusterName, pools } = model;
  const length = lengthText(to - from);
  const gutter = gutterOf(pools);
  const blocks = pools.map((pool) => drawPool(pool, { from, to, gutter, width: screen.width }, paint));
  const total = pools.length > 1 ? [totalText(pools, length)] : [];
  const last = [...total, priceNote(pools) ?? ''].filter((text) => text !== '');
  const title = `${paint('bold', clusterName)}: planned headroom, ${periodText(model)}`;
  return `${[...wrap(title, screen.width), ...blocks.map((lines) => `\n${lines.join('\n')}`), ...(last.length > 0 ? [''] : []), ...last.flatMap((text) => wrap(text, screen.width))].join('\n')}\n`;
}

interface Sheet {
  readonly from: number;
  readonly to: number;
  readonly gutter: number;
  readonly width: number;
}

/** The same left margin for all NodePools, so that their timelines align. */
function gutterOf(pools: readonly PoolPlan[]): number {
  const names = pools.flatMap(({ windows }) => openWindows(windows).map(({ name }) => textWidth(name)));
  return Math.min(MAX_NAME, Math.max(5, ...names)) + 3;
}

function openWindows(windows: PoolPlan['windows']): PoolPlan['windows'] {
  return windows.filter(({ spans }) => spans.length > 0);
}

function drawPool(pool: PoolPlan, { from, to, gutter, width }: Sheet, paint: Paint): string[] {
  const { name, timezone, windows, steps } = pool;
  const { facts, usage, peak, steady, counted } = planTexts(pool);
  if (isSteady(pool)) return [...wrap(`${paint('bold', name)}: ${steady}`, width), ...idleWindows(pool, width)];
  const open = openWindows(windows);
  const columns = Math.min(MAX_COLUMNS, width - gutter - 1);
  const canvas: Canvas = { from, to, columns };
  const peakWidth = gutter - 1;
  const windowLines = open.map((window, index) => {
    const colour = WINDOW_COLOURS[index % WINDOW_COLOURS.length] ?? 'cyan';
    const label = toWidth(window.name, gutter - 3);
    return `  ${paint(colour, label)} ${paint(colour, windowRow(window, canvas))}`.trimEnd();
  });
  const rows = stepRows(steps, pool.figures.peak, canvas);
  const stepLines = rows.map((row, index) => `${padLeft(index === 0 ? peak : '', peakWidth)} ${row}`.trimEnd());
  const floor = `${padLeft('0', peakWidth)} ${paint('dim', '▔'.repeat(columns))}`;
  return [
    ...wrap(`${paint('bold', name)}: ${facts}`, width),
    '',
    ...rulerLines(timezone, canvas).map((line) => paint('dim', `${' '.repeat(gutter)}${line}`.trimEnd())),
    ...windowLines,
    ...stepLines,
    floor,
    ...changeLines(pool, width),
    ...(counted === undefined ? [] : wrapAfter('  ', '  ', counted, width)),
    ...idleWindows(pool, width),
    ...wrapAfter('  ', '  ', usage, width),
  ];
}

/** One row of days and one of hours. */
export function rulerLines(timezone: string, { from, to, columns }: Canvas): string[] {
  const column = (at: number) => Math.floor(((at - from) / (to - from)) * columns);
  const days = [from, ...midnightsOf(timezone, from, to)];
  // `Tue 17 Nov` where it fits, `Tue 17` where days are narrow.
  const size = column(from + 86_400_000) < 11 ? 'narrow' : 'full';
  const dayMarks = days.map((at) => ({ column: column(at), label: dayLabel(timezone, at, size) }));
  const ticks = ticksOf(timezone, from, to, Math.floor(columns / 5));
  // With at most one tick a day, every hour would read 00.
  const hours = ticks.every(({ midnight }) => midnight) ? [] : ticks;
  const hourMarks = hours.map(({ at, label }) => ({ column: column(at), label }));
  return [dayMarks, hourMarks].filter((marks) => marks.length > 0).map((marks) => place(marks, columns));
}

/** Writes labels at columns. Of two that would touch, the later is left out, except that the very first yields. */
function place(labels: readonly { readonly column: number; readonly label: string }[], columns: number): string {
  let row = '';
  for (const [index, { column, label }] of labels.entries()) {
    const next = labels[index + 1];
    const squeezed = index === 0 && next !== undefined && next.column <= column + label.length;
    if (squeezed || column < row.length + (row === '' ? 0 : 1) || column + label.length > columns) continue;
    row = row.padEnd(column) + label;
  }
  return row;
}

function changeLines({ steps, timezone }: PoolPlan, width: number): string[] {
  const lines = steps.slice(0, MAX_CHANGES).flatMap((step, index) => {
    const { at, reasons } = step;
    const before = steps[index - 1];
    const sameDay = before && localDay(timezone, before.at) === localDay(timezone, at);
    const day = sameDay ? ' '.repeat(10) : localDay(timezone, at);
    const size = `${before ? `${padLeft(plannedText(before), 4)} → ` : ' '.repeat(7)}${plannedText(step)}`;
    const start = `  ${day} ${localClock(timezone, at).padEnd(5)} ${pad(size, 12)}`;
    const text = withBareMoments(reasons.join('; '), timezone, at);
    if (width < NARROW) return [start.trimEnd(), ...wrapAfter(' '.repeat(6), ' '.repeat(6), text, width)];
    return wrapAfter(`${start} `, ' '.repeat(textWidth(start) + 1), text, width);
  });
  const more = steps.length - MAX_CHANGES;
  const rest = `and ${count(more, 'more change')}; --json and --html show all`;
  return more > 0 ? [...lines, ...wrapAfter('  ', '  ', rest, width)] : lines;
}

function idleWindows({ windows }: PoolPlan, width: number): string[] {
  const idle = windows.filter(({ spans }) => spans.length === 0);
  if (idle.length === 0) return [];
  const rules = idle.map(({ name, rule }) => `${name} (${rule})`).join(', ');
  return wrapAfter('  ', '  ', `not open in this time: ${rules}`, width);
}

function totalText(pools: readonly PoolPlan[], length: string): string {
  const counted = pools.filter(({ figures }) => figures.nodeHours !== undefined);
  const sum = (value: (figures: PlanFigures) => number | undefined) =>
    counted.reduce((total, { figures }) => total + (value(figures) ?? 0), 0);
  const costs = pools.flatMap(({ figures: { cost } }) => cost ?? []);
  const monthly = pools.flatMap(({ figures: { monthlyCost } }) => monthlyCost ?? []);
  const money = costs.length === 0 ? '' : `, ${moneyText(costs.reduce(plus))}`;
  const month = monthly.length === 0 ? '' : `, ${moneyText(monthly.reduce(plus))} a month`;
  const partly = costs.length === 0 || costs.length === pools.length ? '' : ' (priced pools only)';
  const atMost = counted.some(({ figures }) => figures.relative) ? 'at most ' : '';
  return `all headrooms: ${atMost}${amount(sum(({ nodeHours }) => nodeHours))} node-hours${money} in ${length}${month}${partly}`;
}
