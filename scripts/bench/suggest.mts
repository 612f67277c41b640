// What learned windows would have done on recorded demand: npm run bench:suggest -- FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { argv } from 'node:process';
import { readCsv } from '../../cli/suggest/read-csv';
import type { Config } from '../../shared/core/config/config';
import {
  clairvoyantFigures,
  constantFigures,
  type Figures,
  figuresOf,
  headroomBy,
} from '../../shared/learning/backtest';
import { between, endOf, MINUTE, riseOf } from '../../shared/learning/demand';
import { historyOf } from '../../shared/learning/history';
import { learn, relearned } from '../../shared/learning/learn';

const DAY = 86_400_000;
const RELEARNED_FROM_DAYS = 7;
const OPTIONS = { leadMinutes: 5, cover: 0.99, most: 5, timezone: 'UTC', shapes: ['room'] } as const;
const VERDICTS = { clear: 'clear rhythm', weak: 'weak, not to be trusted', none: 'no rhythm' };

const folder = argv[2];
if (!folder) throw new Error('pass the folder of traces, files with time,pool,pods: npm run bench:suggest -- FOLDER');

console.log(
  '| trace | learned on the first half | that, held | re-learned every night | constant, same share | ratio | clairvoyant |',
);
console.log('|---|---|---|---|---|---|---|');
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.csv'))
  .sort())
  console.log(rowOf(join(folder, file)));

function rowOf(path: string): string {
  const store = readCsv([readFileSync(path)], { nodePools: [] } as unknown as Config, { file: path, start: 0 });
  const { demand } = historyOf(store.samplesOf(store.names[0] ?? ''));
  // A trace that ends at 23:59 has that day.
  const [from, end] = [Math.ceil(demand.from / DAY) * DAY, Math.floor((endOf(demand) + MINUTE) / DAY) * DAY];
  const half = from + Math.floor((end - from) / DAY / 2) * DAY;
  if (half - from < RELEARNED_FROM_DAYS * DAY - DAY) return `| ${basename(path, '.csv')} | too short |`;
  const test = between(demand, half, end);
  const rise = riseOf(test, OPTIONS.leadMinutes);
  const lesson = learn(between(demand, from, half), { ...OPTIONS, always: true });
  const once = figuresOf(headroomBy(lesson.plan, test), rise);
  const nightly = figuresOf(relearned(between(demand, demand.from, end), half, RELEARNED_FROM_DAYS, OPTIONS), rise);
  const constant = constantFigures(rise, nightly.share);
  const cells = [
    basename(path, '.csv'),
    VERDICTS[lesson.verdict],
    text(once),
    text(nightly),
    `${constant.size}: ${text(constant)}`,
    (nightly.hours / constant.hours).toFixed(2),
    text(clairvoyantFigures(rise)),
  ];
  return `| ${cells.join(' | ')} |`;
}

function text({ share, hours }: Figures): string {
  return `${(share * 100).toFixed(1)} %, ${Math.round(hours).toLocaleString('en-US')} h`;
}
