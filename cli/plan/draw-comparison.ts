import { count, signed } from '../../shared/drawing/amounts';
import { localClock, localDay, localTime } from '../../shared/drawing/local-time';
import type { PlanModel } from '../../shared/drawing/plan-model';
import { periodText, priceNote } from '../../shared/drawing/plan-text';
import { plannedText } from '../../shared/drawing/size-text';
import { padLeft, textWidth } from '../../shared/drawing/text-width';
import { type Colour, type Paint, painter } from '../terminal/terminal';
import { wrap, wrapAfter } from '../terminal/wrap';
import type { Difference, PlanComparison, PoolComparison } from './compare-plans';
import { editText, figuresChange } from './comparison-text';
import { rulerLines, type Screen } from './draw-plan';
import { type Canvas, MAX_COLUMNS, stepRows } from './draw-rows';

const GUTTER = 10;
const MAX_DIFFERENCES = 24;
const ROWS = 2;
const COLOURS: Readonly<Record<string, Colour>> = { '+': 'green', '-': 'red', '~': 'yellow' };

export function drawComparison(
  comparison: PlanComparison,
  names: { readonly before: string; readonly after: string },
  screen: Screen,
): string {
  const paint = painter(screen);
  const { pools } = comparison;
  const same = pools.filter(({ kind }) => kind === 'same').map(({ name }) => name);
  const title = `from ${paint('bold', names.before)} to ${paint('bold', names.after)}, ${periodText(comparison.after)}`;
  const blocks = pools
    .filter(({ kind }) => kind !== 'same')
    .map((pool) => drawPool(pool, comparison.after, screen, paint));
  const note = blocks.length > 0 ? priceNote([...comparison.before.pools, ...comparison.after.pools]) : undefined;
  const rest = [
    ...(same.length === 0 ? [] : [`\nunchanged: ${same.join(', ')}`]),
    ...(note === undefined ? [] : ['', ...wrap(note, screen.width)]),
  ];
  return `${[...wrap(title, screen.width), ...blocks.map((lines) => `\n${lines.join('\n')}`), ...rest].join('\n')}\n`;
}

function drawPool(pool: PoolComparison, { from, to, timezone }: PlanModel, { width }: Screen, paint: Paint): string[] {
  const { name, kind, edits, differences, before, after } = pool;
  const canvas: Canvas = { from, to, columns: Math.min(MAX_COLUMNS, width - GUTTER - 1) };
  const peak = Math.max(before?.figures.peak ?? 0, after?.figures.peak ?? 0);
  const rows = (label: string, plan: PoolComparison['before']) =>
    stepRows(plan?.steps ?? [], peak, canvas, ROWS).map((row, index) =>
      `${padLeft(index === ROWS - 1 || peak === 1 ? label : '', GUTTER - 1)} ${row}`.trimEnd(),
    );
  return [
    `${paint('bold', name)}: ${kind}`,
    ...edits.flatMap((edit) => {
      const { mark, text } = editText(edit);
      const colour = COLOURS[mark] ?? 'yellow';
      return wrapAfter(`  ${mark} `, '    ', text, width).map((line) => paint(colour, line));
    }),
    '',
    ...(differences.length === 0
      ? wrapAfter('  ', '  ', 'the headroom does not change in this time', width)
      : [
          ...rulerLines(timezone, canvas).map((line) => paint('dim', `${' '.repeat(GUTTER)}${line}`.trimEnd())),
          ...rows('before', before),
          ...rows('after', after),
          ...differenceLines(differences, timezone).flatMap((line) => fitted(line, width)),
        ]),
    ...wrapAfter('  ', '  ', figuresChange(pool), width),
  ];
}

function differenceLines(differences: readonly Difference[], timezone: string): string[] {
  const lines = differences.slice(0, MAX_DIFFERENCES).map((difference) => {
    const { from, to } = difference;
    const end =
      localDay(timezone, from) === localDay(timezone, to) ? localClock(timezone, to) : localTime(timezone, to);
    return `  ${localDay(timezone, from)} ${localClock(timezone, from)} to ${end.padEnd(5)}  ${changeText(difference)}`;
  });
  const more = differences.length - MAX_DIFFERENCES;
  return more > 0 ? [...lines, `  and ${count(more, 'more difference')}; --json shows all`] : lines;
}

/** A line whose columns do not fit is wrapped like text. */
function fitted(line: string, width: number): string[] {
  return textWidth(line) <= width ? [line] : wrapAfter('  ', '      ', line, width);
}

/** `   1 → 2    (+1)`; there is no difference if one side is a total and the other adds to existing nodes. */
function changeText({ before, after, beforeAddNodes, afterAddNodes }: Difference): string {
  const was = plannedText({ replicas: before, uncounted: beforeAddNodes });
  const is = plannedText({ replicas: after, uncounted: afterAddNodes });
  const size = `${padLeft(was, 4)} → ${is.padEnd(4)}`;
  if (beforeAddNodes === undefined && afterAddNodes === undefined) return `${size} (${signed(after - before)})`;
  return size.trimEnd();
}
