import { wrapAfter } from '../../cli/terminal/wrap';
import type { Column } from '../../shared/drawing/page';
import { cut, pad, padLeft, textWidth } from '../../shared/drawing/text-width';

const GAP = 2;
const MIN_FIRST = 8;

/** A table in columns; if it is too wide, the first column is cut, or each row becomes a paragraph. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string {
  const widths = columns.map(({ title }, column) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[column] ?? ''))),
  );
  const over = widths.reduce((sum, one) => sum + one + GAP, -GAP) - width;
  if (over > 0 && (widths[0] ?? 0) - over < MIN_FIRST) return paragraphs(columns, rows, width);
  if (over > 0) widths[0] = (widths[0] ?? 0) - over;
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const room = widths[column] ?? 0;
        return columns[column]?.number ? padLeft(cut(cell, room), room) : pad(cut(cell, room), room);
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return [columns.map(({ title }) => title), ...rows].map(line).join('\n');
}

function paragraphs(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string {
  const [first, ...others] = columns;
  const lines = rows.flatMap(([title = '', ...cells]) => [
    ...wrapAfter('', '  ', title, width),
    ...wrapAfter('  ', '  ', cells.map((cell, index) => `${others[index]?.title} ${cell}`).join(', '), width),
  ]);
  return [...wrapAfter('', '  ', `${first?.title}:`, width), ...lines].join('\n');
}
