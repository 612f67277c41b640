import { dayLabel, localTime } from './local-time';
import { coordinate as c, escapeMarkup, PICTURE_STYLE, windowColour } from './markup';
import type { PlanModel, PlannedStep, PoolPlan, WindowPlan } from './plan-model';
import { factsOf, usageText } from './plan-text';
import { plannedText } from './size-text';
import { cut, textWidth } from './text-width';
import { midnightsOf, ticksOf } from './time-axis';

const WIDTH = 960;
const RIGHT = 12;
const RULER = 34;
const LANE = 22;
const CHART = 118;
const CAPTION = 44;
const FOOT = 22;
const GAP = 22;
const MAX_LABEL = 24;
const CHARACTER = 7;

interface Frame {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly x: (at: number) => number;
}

/** The whole plan as one picture, complete in itself. */
export function planSvg(model: PlanModel): string {
  let top = 8;
  const groups = model.pools.map((pool) => {
    const height = poolHeight(pool);
    const text = (y: number, kind: string, words: string) =>
      `<text x="8" y="${y}" class="${kind}">${escapeMarkup(words)}</text>`;
    const caption = text(top + 14, 'name', pool.name) + text(top + 34, 'soft', factsOf(pool));
    const foot = text(top + CAPTION + height + 14, 'soft', usageText(pool));
    const picture = `<g transform="translate(0 ${top + CAPTION})">${drawPool(pool, model)}</g>`;
    top += CAPTION + height + FOOT + GAP;
    return caption + picture + foot;
  });
  const ground = '<rect width="100%" height="100%" fill="var(--ground)"/>';
  return `${svgOpen(top, `headroom of ${model.clusterName}`)}<style>${PICTURE_STYLE}</style>${ground}${groups.join('')}</svg>\n`;
}

/** One NodePool's picture, for a page that has the style; `before` is drawn as a dashed line. */
export function poolSvg(pool: PoolPlan, model: PlanModel, before?: PoolPlan): string {
  return `${svgOpen(poolHeight(pool), `headroom of ${pool.name}`)}${drawPool(pool, model, before)}</svg>`;
}

function svgOpen(height: number, title: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-label="${escapeMarkup(title)}">`;
}

function lanes({ windows }: PoolPlan): readonly WindowPlan[] {
  return windows.filter(({ spans }) => spans.length > 0);
}

function poolHeight(pool: PoolPlan): number {
  return RULER + lanes(pool).length * LANE + CHART;
}

function drawPool(pool: PoolPlan, { from, to }: Pick<PlanModel, 'from' | 'to'>, before?: PoolPlan): string {
  const left = Math.max(44, ...lanes(pool).map((window) => textWidth(labelOf(window)) * CHARACTER + 20));
  const frame: Frame = { from, to, left, x: (at) => left + ((at - from) / (to - from)) * (WIDTH - left - RIGHT) };
  const chartTop = RULER + lanes(pool).length * LANE + 8;
  const bottom = chartTop + CHART - 16;
  const peak = Math.max(1, pool.figures.peak, before?.figures.peak ?? 0);
  const y = (replicas: number) => bottom - (replicas / peak) * (CHART - 24);
  return [
    rulerOf(pool.timezone, frame, bottom),
    ...lanes(pool).map((window, index) => laneOf(window, index, pool.timezone, frame)),
    levelsOf(peak, y, frame),
    `<path class="steps" d="${stepPath(pool.steps, frame, y)} V${c(bottom)} H${c(frame.x(from))} Z"/>`,
    before ? `<path class="before" d="${stepPath(before.steps, frame, y, ({ most }) => most)}"/>` : '',
    `<path class="edge" d="${stepPath(pool.steps, frame, y)}"/>`,
    ...pool.steps.map((step, index) => added(step, pool.steps[index + 1]?.at ?? to, frame, y)),
    ...pool.steps.map((step, index) => hover(step, pool.steps[index + 1]?.at ?? to, pool, frame, chartTop)),
  ].join('');
}

function rulerOf(timezone: string, { from, to, x }: Frame, bottom: number): string {
  const midnights = midnightsOf(timezone, from, to);
  const room = x(from + 86_400_000) - x(from);
  const size = room > 76 ? 'full' : 'narrow';
  const dayAt = (at: number) => `<text x="${c(x(at) + 4)}" y="12">${dayLabel(timezone, at, size)}</text>`;
  const first = x(midnights[0] ?? to) - x(from) > 80 ? dayAt(from) : '';
  const days = midnights.map((at) => {
    const line = `<line class="day" x1="${c(x(at))}" x2="${c(x(at))}" y1="0" y2="${c(bottom)}"/>`;
    return x(at) > WIDTH - RIGHT - Math.min(room, 76) ? line : line + dayAt(at);
  });
  const hours = ticksOf(timezone, from, to, 28)
    .filter(({ at }) => x(at) < WIDTH - RIGHT - 14)
    .map(({ at, label }) => `<text class="soft" x="${c(x(at) + 4)}" y="28">${label}</text>`);
  return `${first}${days.join('')}${(to - from) / 86_400_000 > 8 ? '' : hours.join('')}`;
}

function labelOf({ name, size }: WindowPlan): string {
  return `${cut(name, MAX_LABEL)}: ${size}`;
}

function laneOf(window: WindowPlan, index: number, timezone: string, { x }: Frame): string {
  const colour = windowColour(index);
  const top = RULER + index * LANE;
  const bar = (from: number, to: number, opacity: string, title: string) =>
    `<rect x="${c(x(from))}" y="${top + 2}" width="${c(Math.max(1, x(to) - x(from)))}" height="16" fill="${colour}"${opacity}><title>${escapeMarkup(title)}</title></rect>`;
  const bars = window.spans.map(({ leadFrom, from, to }) => {
    const when = `${localTime(timezone, from)} to ${localTime(timezone, to)}`;
    const lead = `lead time of ${window.name} from ${localTime(timezone, leadFrom)}`;
    return `${from > leadFrom ? bar(leadFrom, from, ' fill-opacity="0.35"', lead) : ''}${to > from ? bar(from, to, '', `${labelOf(window)}\n${when}\n${window.rule}`) : ''}`;
  });
  return `<text x="8" y="${top + 14}" style="fill:${colour}">${escapeMarkup(labelOf(window))}</text>${bars.join('')}`;
}

function levelsOf(peak: number, y: (replicas: number) => number, { left }: Frame): string {
  const middle = peak >= 4 ? [Math.round(peak / 2)] : [];
  return [0, ...middle, peak]
    .map((level) => {
      const at = y(level);
      const line = `<line class="line" x1="${c(left)}" x2="${WIDTH - RIGHT}" y1="${c(at)}" y2="${c(at)}"/>`;
      return `${line}<text class="soft" x="${c(left - 8)}" y="${c(at + 4)}" text-anchor="end">${level}</text>`;
    })
    .join('');
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

/** What comes on top of the nodes that there are: a box of its own, with its number. */
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
  const title = `${name}: ${plannedText(step)} from ${when}\n${step.reasons.join('\n')}`;
  return `<rect x="${c(x(step.at))}" y="${c(top)}" width="${c(x(until) - x(step.at))}" height="${CHART - 16}" fill="transparent"><title>${escapeMarkup(title)}</title></rect>`;
}
