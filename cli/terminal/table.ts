import type { Column } from '../../shared/drawing/page';
import { cut, pad, padLeft, textWidth } from '../../shared/drawing/text-width';

const GAP = 2;
const MIN_FIRST = 8;

/** A table in columns; where it is too wide, the first column is cut. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string {
  const widths = columns.map(({ title }, column) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[column] ?? ''))),
  );
  const over = widths.reduce((sum, one) => sum + one + GAP, -GAP) - width;
  if (over > 0) widths[0] = Math.max(MIN_FIRST, (widths[0] ?? 0) - over);
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
