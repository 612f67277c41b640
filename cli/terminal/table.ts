import { cut, pad, padLeft, textWidth } from '../../shared/drawing/text-width';

const GAP = 2;

/** A table whose numbers stand to the right; the first column gives way where it is too wide. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const widths = titles.map((title, column) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[column] ?? ''))),
  );
  const over = widths.reduce((sum, one) => sum + one + GAP, -GAP) - width;
  if (over > 0) widths[0] = Math.max(8, (widths[0] ?? 0) - over);
  const isNumber = titles.map((_, column) => rows.every((row) => /^[\d.,$<%–-]/.test(row[column] ?? '')));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const room = widths[column] ?? 0;
        return isNumber[column] ? padLeft(cut(cell, room), room) : pad(cut(cell, room), room);
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return [titles, ...rows].map(line).join('\n');
}
