import { dayLabel, localTime, withBareMoments } from './local-time';
import { coordinate as c, escapeMarkup, levelLines, windowColour } from './markup';
import type { PlanModel, PlannedStep, PoolPlan, WindowPlan } from './plan-model';
import { plannedText } from './size-text';
import { cut, textWidth } from './text-width';
import { midnightsOf, ticksOf } from './time-axis';

const WIDTH = 960;
/** For phones: the same text size on a narrower picture. */
const NARROW = 380;
const RIGHT = 12;
const RULER = 34;
const LANE = 22;
const CHART = 118;
const MAX_LABEL = 24;
const CHARACTER = 7;
/** Room for `09`, and for `09:30`. */
const LABEL_ROOM = [24, 42];

interface Frame {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly width: number;
  readonly x: (at: number) => number;
}

/** Whether a NodePool never changes, so that there is nothing to draw. */
export function isSteady({ steps }: PoolPlan, before?: PoolPlan): boolean {
  return (
    steps.length === 1 &&
    (before === undefined || (before.steps.length === 1 && before.figures.peak === steps[0]?.most))
  );
}

/** One NodePool's picture, wide and for a phone, for a page that has the style; `before` is drawn as a dashed line. */
export function poolSvg(pool: PoolPlan, model: PlanModel, before?: PoolPlan): string {
  return [WIDTH, NARROW]
    .map((width) => {
      const frame = frameOf(model, width);
      const open = svgOpen(poolHeight(pool, frame), width, `headroom of ${pool.name}`);
      return `${open}${drawPool(pool, frame, before)}</svg>`;
    })
    .join('\n');
}

function svgOpen(height: number, width: number, title: string): string {
  const size = width === WIDTH ? 'wide' : 'narrow';
  return `<svg xmlns="http://www.w3.org/2000/svg" class="${size}" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${escapeMarkup(title)}">`;
}

/** One time axis and one left margin for all NodePools. */
function frameOf({ from, to, pools }: PlanModel, width: number): Frame {
  const labels = pools.flatMap(lanes).map((window) => textWidth(labelOf(window)) * CHARACTER + 20);
  const zones = pools.map(({ timezone }) => textWidth(timezone) * CHARACTER + 20);
  const left = width === NARROW ? 34 : Math.max(44, ...labels, ...zones);
  return { from, to, left, width, x: (at) => left + ((at - from) / (to - from)) * (width - left - RIGHT) };
}

/** In the narrow picture labels are above their bars. */
function laneHeight({ width }: Frame): number {
  return width === NARROW ? LANE + 16 : LANE;
}

function lanes({ windows }: PoolPlan): readonly WindowPlan[] {
  return windows.filter(({ spans }) => spans.length > 0);
}

function poolHeight(pool: PoolPlan, frame: Frame): number {
  return RULER + lanes(pool).length * laneHeight(frame) + CHART;
}

function drawPool(pool: PoolPlan, frame: Frame, before?: PoolPlan): string {
  const { from, to } = frame;
  const chartTop = RULER + lanes(pool).length * laneHeight(frame) + 8;
  const bottom = chartTop + CHART - 16;
  const peak = Math.max(1, pool.figures.peak, before?.figures.peak ?? 0);
  const y = (replicas: number) => bottom - (replicas / peak) * (CHART - 24);
  return [
    rulerOf(pool.timezone, frame, bottom),
    ...lanes(pool).map((window, index) => laneOf(window, index, pool.timezone, frame)),
    levelLines(peak, y, frame.left, frame.width - RIGHT),
    `<path class="steps" d="${stepPath(pool.steps, frame, y)} V${c(bottom)} H${c(frame.x(from))} Z"/>`,
    before ? `<path class="before" d="${stepPath(before.steps, frame, y, ({ most }) => most)}"/>` : '',
    `<path class="edge" d="${stepPath(pool.steps, frame, y)}"/>`,
    ...pool.steps.map((step, index) => added(step, pool.steps[index + 1]?.at ?? to, frame, y)),
    ...pool.steps.map((step, index) => hover(step, pool.steps[index + 1]?.at ?? to, pool, frame, chartTop)),
  ].join('');
}

/** Days, and below them hours at their ticks, whose lines go through the picture. */
function rulerOf(timezone: string, { from, to, x, left, width }: Frame, bottom: number): string {
  const midnights = midnightsOf(timezone, from, to);
  const room = x(from + 86_400_000) - x(from);
  const size = room > 76 ? 'full' : 'narrow';
  const dayAt = (at: number) => `<text x="${c(x(at) + 4)}" y="12">${dayLabel(timezone, at, size)}</text>`;
  const first = x(midnights[0] ?? to) - x(from) > 80 ? dayAt(from) : '';
  const days = midnights.map((at) => {
    const line = `<line class="day" x1="${c(x(at))}" x2="${c(x(at))}" y1="31" y2="${c(bottom)}"/><line class="day" x1="${c(x(at))}" x2="${c(x(at))}" y1="0" y2="16"/>`;
    return x(at) > width - RIGHT - Math.min(room, 76) ? line : line + dayAt(at);
  });
  const choices = LABEL_ROOM.map((room) => ticksOf(timezone, from, to, Math.floor((width - left - RIGHT) / room)));
  const ticks = choices.find(([tick]) => tick?.label.length === 2) ?? choices.at(-1) ?? [];
  const hours = ticks.map(
    ({ at, label }) =>
      `<line class="tick" x1="${c(x(at))}" x2="${c(x(at))}" y1="31" y2="${c(bottom)}"/><text class="soft" x="${c(x(at))}" y="28" text-anchor="middle">${label}</text>`,
  );
  const zone = width === NARROW ? '' : `<text class="soft" x="8" y="28">${escapeMarkup(timezone)}</text>`;
  return `${zone}${first}${days.join('')}${(to - from) / 86_400_000 > 8 ? '' : hours.join('')}`;
}

function labelOf({ name, size }: WindowPlan): string {
  return `${cut(name, MAX_LABEL)}: ${size}`;
}

function laneOf(window: WindowPlan, index: number, timezone: string, frame: Frame): string {
  const { x, width } = frame;
  const colour = windowColour(index);
  const above = width === NARROW ? 16 : 0;
  const labelTop = RULER + index * laneHeight(frame);
  const top = labelTop + above;
  const bar = (from: number, to: number, opacity: string, title: string) =>
    `<rect x="${c(x(from))}" y="${top + 2}" width="${c(Math.max(1, x(to) - x(from)))}" height="16" fill="${colour}"${opacity}><title>${escapeMarkup(title)}</title></rect>`;
  const bars = window.spans.map(({ leadFrom, from, to }) => {
    const when = `${localTime(timezone, from)} to ${localTime(timezone, to)}`;
    const lead = `lead time of ${window.name} from ${localTime(timezone, leadFrom)}`;
    return `${from > leadFrom ? bar(leadFrom, from, ' fill-opacity="0.35"', lead) : ''}${to > from ? bar(from, to, '', `${labelOf(window)}\n${when}\n${window.rule}`) : ''}`;
  });
  return `<text x="8" y="${labelTop + 14}" style="fill:${colour}">${escapeMarkup(labelOf(window))}</text>${bars.join('')}`;
}

function stepPath(
  steps: readonly PlannedStep[],
  { from, to, x }: Frame,
  y: (replicas: number) => number,
  size = ({ replicas }: PlannedStep) => replicas,
): string {
  const [first, ...rest] = steps;
  const moves = rest.map((step) => `H${c(x(step.at))} V${c(y(size(step)))}`);
  return `M${c(x(from))} ${c(y(first ? size(first) : 0))} ${moves.join(' ')} H${c(x(to))}`;
}

/** Nodes that a relative window adds: a separate box with their number. */
function added(step: PlannedStep, until: number, { x }: Frame, y: (replicas: number) => number): string {
  const { at, replicas, uncounted, most } = step;
  if (uncounted === undefined) return '';
  const [left, width, top] = [x(at), Math.max(1, x(until) - x(at)), y(most)];
  const box = `<rect class="added" x="${c(left)}" y="${c(top)}" width="${c(width)}" height="${c(y(replicas) - top)}"/>`;
  return `${box}<text x="${c(left + width / 2)}" y="${c(top + 14)}" text-anchor="middle">+${uncounted}</text>`;
}

/** An invisible rectangle over each step, whose tooltip shows its reasons. */
function hover(step: PlannedStep, until: number, { timezone, name }: PoolPlan, { x }: Frame, top: number): string {
  const when = `${localTime(timezone, step.at)} to ${localTime(timezone, until)}`;
  const title = `${name}: ${plannedText(step)} from ${when}\n${withBareMoments(step.reasons.join('\n'), timezone, step.at)}`;
  return `<rect x="${c(x(step.at))}" y="${c(top)}" width="${c(x(until) - x(step.at))}" height="${CHART - 16}" fill="transparent"><title>${escapeMarkup(title)}</title></rect>`;
}
