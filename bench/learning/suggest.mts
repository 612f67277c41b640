// What learned windows would have done on recorded demand: npm run bench -- suggest FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { argv } from 'node:process';
import {
  clairvoyantFigures,
  constantFigures,
  type Figures,
  figuresOf,
  headroomBy,
  type Plan,
} from '../../lab/learning/backtest';
import { between, type Demand, endOf, MINUTE, riseOf } from '../../lab/learning/demand';
import { historyOf, type Samples } from '../../lab/learning/demand-history';
import { settled } from '../../lab/learning/hysteresis';
import { learn } from '../../lab/learning/learn';
import { constantFor } from '../../lab/learning/unseen-days';
import { readCsv } from '../../lab/suggest/history/read-csv';
import { suggestFor } from '../../lab/suggest/suggestion';
import type { Config } from '../../shared/core/config/config';

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const LEARN_MS = 28 * DAY;
const MIN_DAYS = 6;
const OPTIONS = { leadMinutes: 5, cover: 0.99, most: 5, timezone: 'UTC', shapes: ['room'] } as const;
const CONFIG = { nodePools: [], cluster: { region: '' } } as unknown as Config;

const folder = argv[2] ?? '';
if (!folder) throw new Error('pass the folder of traces, files with time,pool,pods: npm run bench -- suggest FOLDER');

console.log(
  '| trace | verdict | held | nightly | kept current (changes) | last week again | clairvoyant | constant | held, nightly, kept, last week ÷ constant |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.csv'))
  .sort())
  console.log(rowOf(join(folder, file)));

function rowOf(path: string): string {
  const store = readCsv([readFileSync(path)], CONFIG, { file: path, start: 0 });
  const samples = store.samplesOf(store.names[0] ?? '');
  const { demand } = historyOf(samples);
  // A trace that ends at 23:59 has that day.
  const [from, end] = [Math.ceil(demand.from / DAY) * DAY, Math.floor((endOf(demand) + MINUTE) / DAY) * DAY];
  const half = from + Math.floor((end - from) / DAY / 2) * DAY;
  if (half - from < MIN_DAYS * DAY) return `| ${basename(path, '.csv')} | too short |`;
  const test = between(demand, half, end);
  const rise = riseOf(test, OPTIONS.leadMinutes);
  const lesson = learn(between(demand, half - LEARN_MS, half), OPTIONS);
  const [nightly, kept] = walkForward(between(demand, demand.from, end), half);
  const cases = [headroomBy(lesson.plan, test), nightly, kept.headroom, weekBefore(demand, test)].map((headroom) =>
    figuresOf(headroom, rise),
  );
  // The constant of the ratio need not be whole, so that it covers exactly as much.
  const constantOf = constantFor(rise);
  const ratios = cases.map(({ share, hours }) => ((hours * 60) / (constantOf(share) * rise.length)).toFixed(2));
  const [held, again, settledCase, lastWeek] = cases.map(text);
  const constant = constantFigures(rise, cases[1]?.share ?? 0);
  const cells = [
    basename(path, '.csv'),
    verdictOf(samples, half),
    held,
    again,
    `${settledCase} (${kept.changes} of ${kept.nights})`,
    lastWeek,
    text(clairvoyantFigures(rise)),
    `${constant.size}: ${text(constant)}`,
    ratios.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What `suggest` says of a NodePool with room, from what was recorded until then. */
function verdictOf({ times, values }: Samples, until: number): string {
  const isKnown = (_: number, index: number) => (times[index] as number) <= until;
  const settings = { ...OPTIONS, shape: 'room' as const, learnDays: LEARN_MS / DAY };
  const known = { times: times.filter(isKnown), values: values.filter(isKnown) };
  return suggestFor('default', known, CONFIG, settings).lesson.verdict;
}

/** Learns every night from the four weeks before: once replacing all windows, once only where there is news. */
function walkForward(demand: Demand, from: number) {
  const nightly = new Float64Array(between(demand, from, endOf(demand)).values.length);
  const headroom = nightly.slice();
  let standing: Plan | undefined;
  let [changes, nights] = [0, 0];
  for (let night = from; night < endOf(demand); night += DAY) {
    const known = between(demand, night - LEARN_MS, night);
    const lesson = learn(known, OPTIONS);
    const kept: ReturnType<typeof settled> = standing ? settled(lesson, standing, known) : lesson;
    if (kept.news) changes += 1;
    standing = kept.plan;
    nights += 1;
    const [next, at] = [between(demand, night, night + DAY), (night - from) / MINUTE];
    nightly.set(headroomBy(lesson.plan, next), at);
    headroom.set(headroomBy(kept.plan, next), at);
  }
  return [nightly, { headroom, changes, nights }] as const;
}

/** Holds the rise of the same minute a week before. */
function weekBefore(demand: Demand, test: Demand): Float64Array {
  const before = between(demand, test.from - WEEK, endOf(test) - WEEK + OPTIONS.leadMinutes * MINUTE);
  const rise = riseOf(before, OPTIONS.leadMinutes);
  const missing = Math.max(0, (before.from - (test.from - WEEK)) / MINUTE);
  return test.values.map((_, minute) => rise[minute - missing] || 0);
}

function text({ share, hours }: Figures): string {
  return `${(share * 100).toFixed(1)} %, ${Math.round(hours).toLocaleString('en-US')} h`;
}
