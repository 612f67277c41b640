import { defaultZone } from '../drawing/local-time';
import { escapeMarkup, PICTURE_STYLE } from '../drawing/markup';
import { timeSvg } from '../drawing/time-svg';
import type { Period } from './history';
import type { Report } from './report';

const [WIDTH, HEIGHT] = [960, 280];

/** The size and what was ready of it, a picture for each NodePool, with gaps where there is no data. */
export function reportSvg({ clusterName, from, to, pools }: Report): string {
  const parts = pools.map(({ name, pool, periods }, index) => {
    const seen = periods.filter(({ at }) => at >= from && at < to);
    const picture = timeSvg({ from, to, timezone: defaultZone(pool.windows) }, name, [
      { name: 'ready', colour: 'var(--w2)', points: pointsOf(seen, ({ ready }) => ready.min) },
      { name: 'size', colour: 'var(--area)', points: pointsOf(seen, ({ desired }) => desired.max) },
    ]);
    return `<g transform="translate(0 ${index * HEIGHT})"><text class="name" x="8" y="20">${escapeMarkup(name)}</text><g transform="translate(0 26)">${picture}</g></g>`;
  });
  const label = escapeMarkup(`headroom of ${clusterName}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT * pools.length}" width="${WIDTH}" role="img" aria-label="${label}"><style>${PICTURE_STYLE}</style><rect width="100%" height="100%" fill="var(--ground)"/>${parts.join('')}</svg>\n`;
}

/** Where the value changes; NaN where there is none. */
function pointsOf(periods: readonly Period[], of: (period: Period) => number) {
  const points: { at: number; value: number }[] = [];
  for (const [index, period] of periods.entries()) {
    const value = of(period);
    if (value !== points.at(-1)?.value) points.push({ at: period.at, value });
    const end = period.at + period.ms;
    if (periods[index + 1]?.at !== end) points.push({ at: end, value: Number.NaN });
  }
  return points;
}
