import { coordinate as c, escapeMarkup, PICTURE_STYLE } from '../../shared/drawing/markup';

const WIDTH = 960;
const LEFT = 56;
const RIGHT = 16;
const TITLE = 30;
const HEAD = 30;
const PLOT = 130;
const FOOT = 26;
const HOURS = [0, 3, 6, 9, 12, 15, 18, 21, 24];

/** The days of one kind over 24 hours; values are at equal distances from midnight on, NaN where unknown. */
export interface DaysPicture {
  readonly name: string;
  readonly demand: readonly Float64Array[];
  readonly rise: readonly Float64Array[];
  /** What is proposed: room, or the nodes of a floor. */
  readonly proposed: Float64Array;
  /** A floor is compared with demand, room with the rise. */
  readonly floor: boolean;
}

/** The history of one NodePool with what is proposed for it. */
export interface HistoryPicture {
  readonly title: string;
  readonly kinds: readonly DaysPicture[];
}

/** All days over 24 hours, with the rise, the proposal and what it misses, as one self-contained file. */
export function suggestionSvg(pictures: readonly HistoryPicture[]): string {
  let top = 0;
  const parts = pictures.map(({ title, kinds }) => {
    const name = `<text class="name" x="8" y="${c(top + 20)}">${escapeMarkup(title)}</text>`;
    top += TITLE;
    const plots = kinds.flatMap(({ name: kind, demand, rise, proposed, floor }) => {
      const [aboutDemand, aboutRise] = floor
        ? [' and the proposed floor (green)', '']
        : ['', ', the proposed room (green) and what it misses (orange)'];
      const [demandTitle, riseTitle] = [
        `${kind}: demand of ${demand.length} days${aboutDemand}, in nodes`,
        `${kind}: rise within the lead time${aboutRise}, in nodes`,
      ];
      const above = plot(top, demandTitle, demand, floor ? proposed : undefined);
      const below = plot(top + HEAD + PLOT + FOOT, riseTitle, rise, floor ? undefined : proposed);
      top += 2 * (HEAD + PLOT + FOOT);
      return [above, below];
    });
    return name + plots.join('');
  });
  const style = `${PICTURE_STYLE}\nsvg .one { fill: none; stroke: var(--area); stroke-width: 1; stroke-opacity: 0.4; }\nsvg .missed { fill: none; stroke: var(--change); stroke-width: 2; }\nsvg .room { fill: var(--w2); fill-opacity: 0.18; stroke: var(--w2); stroke-width: 1.5; }`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top + 8}" width="${WIDTH}" role="img" aria-label="history and proposal"><style>${style}</style><rect width="100%" height="100%" fill="var(--ground)"/>${parts.join('')}</svg>\n`;
}

function plot(top: number, title: string, days: readonly Float64Array[], proposed?: Float64Array): string {
  const peak = Math.ceil(Math.max(1, ...[...days, ...(proposed ? [proposed] : [])].map(highest)));
  const bottom = top + HEAD + PLOT;
  const x = (index: number, length: number) => LEFT + (index / length) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => bottom - (value / peak) * PLOT;
  const path = (values: ArrayLike<number>, isDrawn: (value: number, index: number) => boolean) => {
    const moves: string[] = [];
    let last: number | undefined;
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] as number;
      const from = c(x(index, values.length));
      if (!isDrawn(value, index)) {
        if (last !== undefined) moves.push(`H${from}`);
        last = undefined;
      } else if (last === undefined || value !== last) {
        moves.push(last === undefined ? `M${from} ${c(y(value))}` : `H${from}V${c(y(value))}`);
        last = value;
      }
    }
    return `${moves.join('')}${last === undefined ? '' : `H${c(x(1, 1))}`}`;
  };
  const known = (value: number) => !Number.isNaN(value);
  const lines = days.map((values) => `<path class="one" d="${path(values, known)}"/>`);
  const isMissed = (value: number, index: number) => value > (proposed?.[index] ?? Number.NaN) + 1e-6;
  const missed = days.map((values) => path(values, isMissed)).filter((d) => d !== '');
  const room = proposed ? `<path class="room" d="${path(proposed, known)}V${bottom}H${LEFT}Z"/>` : '';
  const levels = [0, peak / 2, peak].map(
    (value) =>
      `<line class="line" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${c(y(value))}" y2="${c(y(value))}"/><text class="soft" x="${LEFT - 8}" y="${c(y(value) + 4)}" text-anchor="end">${c(value)}</text>`,
  );
  const hours = HOURS.map(
    (hour) =>
      `<text class="soft" x="${c(x(hour, 24))}" y="${bottom + 16}" text-anchor="${hour === 24 ? 'end' : 'middle'}">${String(hour).padStart(2, '0')}:00</text>`,
  );
  const marked = missed.map((d) => `<path class="missed" d="${d}"/>`);
  const heading = `<text class="soft" x="${LEFT}" y="${c(top + 20)}">${escapeMarkup(title)}</text>`;
  return [heading, ...levels, ...hours, room, ...lines, ...marked].join('');
}

function highest(values: Float64Array): number {
  return values.reduce((top, value) => (value > top ? value : top), 0);
}
