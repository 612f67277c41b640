import { count } from '../../shared/drawing/amounts';
import { pad, textWidth } from '../../shared/drawing/text-width';
import { painter, type Terminal } from '../terminal/terminal';
import { wrapAfter } from '../terminal/wrap';

interface DrawnRow {
  readonly config: string;
  readonly cluster?: string | undefined;
  readonly region?: string | undefined;
  readonly account?: string | undefined;
  readonly error?: string | undefined;
  readonly text: string;
  readonly trouble: number;
}

const GAP = '  ';

/** A line for each cluster, those with the most trouble first. */
export function drawRows(
  rows: readonly DrawnRow[],
  { onlyTrouble = false }: { readonly onlyTrouble?: boolean | undefined },
  terminal: Pick<Terminal, 'width' | 'colours'>,
): string {
  const paint = painter(terminal);
  const sorted = [...rows].sort((a, b) => b.trouble - a.trouble || nameOf(a).localeCompare(nameOf(b)));
  const shown = sorted.filter(({ trouble }) => trouble > 0 || !onlyTrouble);
  const columns = [nameOf, ({ region = '' }: DrawnRow) => region, ({ account = '' }: DrawnRow) => account];
  const widths = columns.map((cell) => Math.max(0, ...shown.map((row) => textWidth(cell(row)))));
  const lines = shown.flatMap((row) => {
    const head = columns.flatMap((cell, index) => (widths[index] ? [pad(cell(row), widths[index])] : [])).join(GAP);
    const colour = row.error !== undefined ? 'red' : row.trouble > 0 ? 'yellow' : undefined;
    const wrapped = row.text
      .split('\n')
      .flatMap((text, index) => wrapAfter(index === 0 ? head + GAP : GAP, '    ', text, terminal.width));
    return colour ? wrapped.map((line) => paint(colour, line)) : wrapped;
  });
  const troubled = rows.filter(({ trouble }) => trouble > 0).length;
  const total = `${count(rows.length, 'cluster')}, ${troubled === 0 ? 'none' : troubled} with problems`;
  return `${[...lines, total].join('\n')}\n`;
}

function nameOf({ cluster, config }: DrawnRow): string {
  return cluster ?? config;
}
