// What suggest says of difficult demand, and what that covers in the four weeks after: npx tsx bench/learning/suggest-stress.mts

import { constantFigures, figuresOf, headroomBy } from '../../lab/learning/backtest';
import { type Demand, MINUTE, riseOf } from '../../lab/learning/demand';
import { suggestFor } from '../../lab/suggest/suggestion';
import { loadConfig } from '../../shared/core/config/read/load';
import { toLocal } from '../../shared/core/windows/zone';

const DAY_MINUTES = 1_440;
const DAYS = 28;
/** A Monday; the clocks of Europe and America change in the weeks after. */
const FROM = Date.UTC(2026, 8, 28);
const ZONE = 'Europe/Berlin';
const SETTINGS = { cover: 0.99, most: 5, learnDays: DAYS };
const CONFIG = `
cluster: { name: shop, region: eu-central-1 }
nodePools:
  default: { max: 100, leadTime: 5m, unit: { node: { cpu: 2, memory: 4Gi } } }
`;

/** The local midnight of the first day, in minutes. */
const MONDAY = FROM / MINUTE;

/** Demand by day and minute of the local day. */
type Shape = (day: number, minute: number, at: number) => number;

let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return (state >>> 0) / 2 ** 32;
}

const noise = () => random() + random() - 1;
const isBusy = (day: number, minute: number) => day % 7 < 5 && minute >= 540 && minute < 1_080;
const shop: Shape = (day, minute) => (isBusy(day, minute) ? 25 : 5);
const inZone = (timezone: string, at: number): number => {
  const local = toLocal(timezone, at) / MINUTE - MONDAY;
  return shop(Math.floor(local / DAY_MINUTES), ((local % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES, at) - 5;
};
const HOLIDAYS = [9, 17, 32, 45];
let walk = 50;
const spikes = new Set(Array.from({ length: 90 }, () => Math.floor(random() * 56 * 288)));

const CASES: readonly {
  readonly name: string;
  readonly shape: Shape;
  readonly every?: number;
  readonly scale?: number;
}[] = [
  { name: 'weekday shop, clock change', shape: shop },
  { name: 'holidays', shape: (day, minute, at) => (HOLIDAYS.includes(day) ? 5 : shop(day, minute, at)) },
  { name: 'growth of 5 % a week', shape: (day, minute, at) => shop(day, minute, at) * 1.05 ** (day / 7) },
  { name: 'growth of 20 % a week', shape: (day, minute, at) => shop(day, minute, at) * 1.2 ** (day / 7) },
  { name: 'level doubled ten days ago', shape: (day, minute, at) => shop(day, minute, at) * (day < 18 ? 1 : 2) },
  {
    name: 'a shift that ended two weeks ago',
    shape: (day, minute, at) => shop(day, minute, at) + (day < 14 && minute >= 1_320 ? 15 : 0),
  },
  {
    name: 'one jump of 60',
    shape: (day, minute, at) => shop(day, minute, at) + (day === 22 && minute >= 180 && minute < 240 ? 60 : 0),
  },
  { name: 'Mondays only', shape: (day, minute) => (day % 7 === 0 && minute >= 540 && minute < 720 ? 25 : 5) },
  { name: 'hourly job', shape: (_, minute) => (minute % 60 < 10 ? 25 : 5) },
  {
    name: 'outage of 20 hours',
    shape: (day, minute, at) => (day === 16 && minute < 1_200 ? 0 : shop(day, minute, at)),
  },
  { name: 'hourly data', shape: shop, every: 60 },
  { name: 'millicores', shape: shop, scale: 1_000 },
  { name: 'two zones', shape: (_, __, at) => 5 + inZone(ZONE, at) + inZone('America/New_York', at) / 2 },
  { name: 'random walk', shape: () => (walk = Math.min(95, Math.max(5, walk + noise() * 1.5))) },
  {
    name: 'flat with random spikes',
    shape: (day, minute) => 10 + (spikes.has(day * 288 + Math.floor(minute / 5)) ? 20 : 0),
  },
];

const loaded = loadConfig([{ file: 'headroom.yaml', text: CONFIG }]);
if (!loaded.ok) throw new Error('the config of this script is not valid');
const { config } = loaded;

console.log('| demand | what it says | proposal | covers then | covers in the four weeks after | ÷ constant |');
console.log('|---|---|---|---|---|---|');
for (const { name, shape, every = 1, scale = 1 } of CASES) {
  const values = new Float64Array(2 * DAYS * DAY_MINUTES).map((_, index) => {
    const at = FROM + index * MINUTE;
    const local = toLocal(ZONE, at) / MINUTE - MONDAY;
    const value = shape(Math.floor(local / DAY_MINUTES), ((local % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES, at);
    return Math.max(0, value === 0 ? 0 : Math.round(value + noise() * 0.8)) * scale;
  });
  const learned = values.subarray(0, DAYS * DAY_MINUTES).filter((_, index) => index % every === 0);
  const times = Float64Array.from(learned, (_, index) => FROM + index * every * MINUTE);
  const after: Demand = { from: FROM + DAYS * DAY_MINUTES * MINUTE, values: values.subarray(DAYS * DAY_MINUTES) };
  try {
    const first = suggestFor('default', { times, values: learned }, config, SETTINGS);
    const { lesson, learned: then } =
      first.advice === 'none'
        ? suggestFor('default', { times, values: learned }, config, { ...SETTINGS, base: 0.95 })
        : first;
    const rise = riseOf(after, first.leadMinutes);
    const figures = figuresOf(headroomBy(lesson.plan, after), rise);
    const windows = lesson.windows.map(({ window }) => `${window.startText} to ${window.endText}: ${window.replicas}`);
    const size = [`base ${lesson.base}`, ...windows].join('; ');
    const growth = first.lesson.growth ? `, growth ${Math.round(first.lesson.growth.perWeek * 100)} %` : '';
    const cells = [
      name,
      `${first.lesson.verdict}${growth}`,
      first.advice === 'none' ? `nothing; with --base 95: ${size}` : size,
      percent(then.share),
      percent(figures.share),
      (figures.hours / constantFigures(rise, figures.share).hours).toFixed(2),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  } catch (error) {
    console.log(`| ${name} | refused: ${(error as Error).message} | | | | |`);
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
