import { coordinate as c, escapeMarkup, PICTURE_STYLE } from '../../shared/drawing/markup';
import { ticksOf } from '../../shared/drawing/time-axis';

const WIDTH = 380;
const HEIGHT = 210;
const LEFT = 28;
const RIGHT = 10;
const TOP = 48;
const BOTTOM = HEIGHT - 36;
const LEVEL = 5;
const MAX_TICKS = 6;

/** A value from a moment until the next step. */
export interface Step {
  readonly at: number;
  readonly value: number;
}

/** Work, its nodes, and when a window was open. */
export interface StepPicture {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  /** The top of the scale, so that several pictures can be compared. */
  readonly peak: number;
  readonly nodes: readonly Step[];
  readonly work: readonly Step[];
  readonly windows: readonly { readonly from: number; readonly to: number }[];
}

/** A small, self-contained picture: the area above the work is headroom. */
export function stepPicture({ title, from, to, peak, nodes, work, windows }: StepPicture): string {
  const x = (at: number) => LEFT + ((at - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => BOTTOM - (value / peak) * (BOTTOM - TOP);
  const levels = Array.from({ length: Math.floor(peak / LEVEL) + 1 }, (_, i) => i * LEVEL).map(
    (value) =>
      `<line class="line" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${c(y(value))}" y2="${c(y(value))}"/><text class="soft" x="${LEFT - 6}" y="${c(y(value) + 4)}" text-anchor="end">${value}</text>`,
  );
  const hours = ticksOf('UTC', from, to, MAX_TICKS).map(
    ({ at, label }) =>
      `<text class="soft" x="${c(x(at))}" y="${BOTTOM + 28}" text-anchor="middle">${label.padEnd(5, ':00')}</text>`,
  );
  const open = windows.map(
    (one) =>
      `<rect x="${c(x(one.from))}" y="${BOTTOM + 5}" width="${c(x(one.to) - x(one.from))}" height="6" fill="var(--w0)"/>`,
  );
  const line = (steps: readonly Step[]) => {
    const [first, ...rest] = steps;
    const moves = rest.map(({ at, value }) => `H${c(x(at))} V${c(y(value))}`);
    return `M${LEFT} ${c(y(first?.value ?? 0))} ${moves.join(' ')} H${WIDTH - RIGHT}`;
  };
  const area = (steps: readonly Step[]) => `${line(steps)} V${BOTTOM} H${LEFT} Z`;
  const legend = [
    { left: LEFT, fill: 'fill="var(--area)" fill-opacity="0.3"', name: 'nodes' },
    { left: LEFT + 64, fill: 'fill="var(--w3)"', name: 'pods of work, one to a node' },
    { left: LEFT + 268, fill: 'fill="var(--w0)"', name: 'window' },
  ].map(
    ({ left, fill, name }) =>
      `<rect x="${left}" y="27" width="12" height="10" ${fill}/><text class="soft" x="${left + 17}" y="36">${name}</text>`,
  );
  const body = [
    `<text class="name" x="${LEFT}" y="17">${escapeMarkup(title)}</text>`,
    ...legend,
    ...levels,
    ...hours,
    ...open,
    `<path class="steps" d="${area(nodes)}"/><path class="edge" d="${line(nodes)}"/>`,
    `<path d="${area(work)}" fill="var(--w3)" fill-opacity="0.75"/>`,
  ].join('');
  const ground = `<style>${PICTURE_STYLE}</style><rect width="100%" height="100%" fill="var(--ground)"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" role="img" aria-label="${escapeMarkup(title)}">${ground}${body}</svg>\n`;
}
