import { localDay } from './local-time';
import { coordinate as c, escapeMarkup, levelLines } from './markup';
import { midnightsOf, ticksOf } from './time-axis';

const WIDTH = 960;
const HEIGHT = 240;
const LEFT = 48;
const RIGHT = 16;
const TOP = 34;
const BOTTOM = HEIGHT - 30;

/** A value over time, in steps. */
export interface TimeLine {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly { readonly at: number; readonly value: number }[];
}

export interface TimeFrame {
  readonly from: number;
  readonly to: number;
  readonly timezone: string;
}

const DAY = 86_400_000;
/** The width of a day label; where days are narrower, some have none. */
const DAY_LABEL = 80;

export function timeSvg({ from, to, timezone }: TimeFrame, title: string, lines: readonly TimeLine[]): string {
  const x = (at: number) => LEFT + ((at - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const values = lines
    .flatMap(({ points }) => points.map(({ value }) => value))
    .filter((value) => !Number.isNaN(value));
  const peak = values.reduce((highest, value) => Math.max(highest, value), 1);
  const y = (value: number) => BOTTOM - (value / peak) * (BOTTOM - TOP);
  const midnights = midnightsOf(timezone, from, to);
  const every = Math.ceil(DAY_LABEL / (x(from + DAY) - x(from)));
  const days = midnights.map(
    (at, index) =>
      `<line class="day" x1="${c(x(at))}" x2="${c(x(at))}" y1="${TOP}" y2="${BOTTOM}"/>${index % every === 0 && x(at) < WIDTH - 90 ? `<text x="${c(x(at) + 4)}" y="${BOTTOM + 28}" class="soft">${localDay(timezone, at)}</text>` : ''}`,
  );
  const hours = ticksOf(timezone, from, to, 24).map(
    ({ at, label }) => `<text class="soft" x="${c(x(at))}" y="${BOTTOM + 14}" text-anchor="middle">${label}</text>`,
  );
  const levels = levelLines(peak, y, LEFT, WIDTH - RIGHT);
  // The first is drawn last, so that it is on top where lines meet.
  const paths = [...lines].reverse().map(({ colour, points }) => {
    return `<path d="${stepsOf(points, x, y)}" fill="none" stroke="${colour}" stroke-width="2"/>`;
  });
  const [names, colours] = [lines.map(({ name }) => name), lines.map(({ colour }) => colour)];
  return svg(title, [...days, ...hours, levels, ...paths, legend(names, colours)].join(''));
}

/** A line in steps up to the right edge, with a gap from each NaN to the next value. */
function stepsOf(points: TimeLine['points'], x: (at: number) => number, y: (value: number) => number): string {
  let known = false;
  const moves = points.map(({ at, value }, index) => {
    const [before, left] = [known, index === 0 ? LEFT : x(at)];
    known = !Number.isNaN(value);
    if (!known) return before ? `H${c(left)}` : '';
    return before ? `H${c(left)} V${c(y(value))}` : `M${c(left)} ${c(y(value))}`;
  });
  return `${moves.join(' ')}${known ? ` H${WIDTH - RIGHT}` : ''}`;
}

function legend(names: readonly string[], colours: readonly string[]): string {
  let left = LEFT;
  return names
    .map((name, index) => {
      const at = left;
      left += name.length * 7 + 44;
      return `<line x1="${at}" x2="${at + 22}" y1="14" y2="14" stroke="${colours[index]}" stroke-width="3"/><text x="${at + 28}" y="18">${escapeMarkup(name)}</text>`;
    })
    .join('');
}

function svg(title: string, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT + 6}" width="${WIDTH}" role="img" aria-label="${escapeMarkup(title)}">${body}</svg>`;
}
