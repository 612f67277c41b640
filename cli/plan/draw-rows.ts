import type { PlannedStep, WindowPlan } from '../../shared/drawing/plan-model';

const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** Nodes in addition to the existing ones. */
const ADDED = '▒';
const MAX_ROWS = 4;
/** A wider chart would not be more informative. */
export const MAX_COLUMNS = 144;

export interface Canvas {
  readonly from: number;
  readonly to: number;
  readonly columns: number;
}

/** A window's occurrences: `━` while open, `┄` during the lead time. */
export function windowRow({ spans }: WindowPlan, canvas: Canvas): string {
  return columnsOf(canvas, (start, end) => {
    const touches = (from: number, to: number) => from < end && to > start;
    if (spans.some((span) => touches(span.from, span.to))) return '━';
    return spans.some((span) => touches(span.leadFrom, span.from)) ? '┄' : ' ';
  });
}

/**
 * The size as rows of blocks, the top one first. A column shows the highest size
 * of its time, so that short peaks stay visible; nodes added to the existing ones are shaded.
 */
export function stepRows(steps: readonly PlannedStep[], peak: number, canvas: Canvas, maxRows = MAX_ROWS): string[] {
  const height = Math.max(1, Math.min(maxRows, peak));
  const eighths = (size: number) => (peak === 0 ? 0 : Math.ceil((size / peak) * height * 8));
  return Array.from({ length: height }, (_, row) => {
    const below = (height - 1 - row) * 8;
    return columnsOf(canvas, (start, end) => {
      const { most, replicas } = highest(steps, start, end);
      if (most > replicas && eighths(replicas) <= below) return eighths(most) > below ? ADDED : ' ';
      return EIGHTHS[Math.max(0, Math.min(8, eighths(most) - below))] ?? ' ';
    });
  });
}

/** The step with the highest size in `[start, end)`. */
function highest(steps: readonly PlannedStep[], start: number, end: number): Pick<PlannedStep, 'most' | 'replicas'> {
  const next = (index: number) => steps[index + 1]?.at ?? Number.POSITIVE_INFINITY;
  return steps.reduce(
    (best, step, i) => (step.at < end && next(i) > start && step.most > best.most ? step : best),
    NOTHING,
  );
}

const NOTHING = { most: 0, replicas: 0 };

function columnsOf({ from, to, columns }: Canvas, draw: (start: number, end: number) => string): string {
  const width = (to - from) / columns;
  return Array.from({ length: columns }, (_, i) => draw(from + i * width, from + (i + 1) * width)).join('');
}
