// What suggest proposes, night by night, for windows whose rhythm changes: npm run bench -- retire
import { cpuUsage } from 'node:process';
import { figuresOf, headroomBy } from '../../lab/learning/backtest';
import { between, type Demand, MINUTE, riseOf } from '../../lab/learning/demand';
import { mergeInto } from '../../lab/suggest/merge-config';
import { suggestFor } from '../../lab/suggest/suggestion';
import type { Config } from '../../shared/core/config/config';
import { loadConfig } from '../../shared/core/config/read/load';
import { dollars } from '../../shared/drawing/amounts';
import { writeSection } from '../results';

const DAY_MINUTES = 1_440;
const DAY = DAY_MINUTES * MINUTE;
const DAYS = 28;
/** A Monday. */
const FROM = Date.UTC(2026, 8, 7);
const CHANGE = FROM + DAYS * DAY;
const END = CHANGE + DAYS * DAY;
const SETTINGS = { cover: 0.95, most: 5, learnDays: DAYS, timezone: 'UTC' };
const PRICE = 0.2;
const BY_HAND = '[{ name: day, timezone: UTC, start: 0 9 * * *, end: 0 19 * * *, desiredReplicas: 21 }]';
const configOf = (schedules: string) =>
  `cluster: { name: shop, region: us-east-1 }\nnodePools: { default: { max: 100, leadTime: 5m, unit: { node: { cpu: 2 } }, schedules: ${schedules} } }\n`;

let state = 7;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return (state >>> 0) / 2 ** 32;
}

/** A pod more or less. */
const noise = () => (random() + random() - 1) * 0.8;
const peak = (minute: number, hour: number, size: number) =>
  minute >= hour * 60 && minute < hour * 60 + 90 ? size : 0;
let jump = 0;
const jumps = () => {
  if (random() < 1 / 60) jump = Math.floor(random() * 4);
  return jump;
};

interface Rhythm {
  readonly name: string;
  readonly demand: (minute: number, changed: boolean) => number;
  readonly schedules?: string;
}

const RHYTHMS: readonly Rhythm[] = [
  {
    name: 'one of two ends',
    demand: (at, changed) => 5 + peak(at, 12, changed ? 0 : 20) + peak(at, 18, 12) + noise(),
  },
  { name: 'shrinks from 20 to 8', demand: (at, changed) => 5 + peak(at, 12, changed ? 8 : 20) + noise() },
  { name: 'moves by an hour', demand: (at, changed) => 5 + peak(at, changed ? 13 : 12, 20) + noise() },
  { name: 'turns flat', demand: (at, changed) => 5 + (changed ? 0 : peak(at, 12, 20) + noise()) },
  { name: 'is noise, with a window by hand', demand: () => 5 + jumps(), schedules: BY_HAND },
];

const { user } = cpuUsage();
let nights = 0;
const rows = RHYTHMS.flatMap(rowsOf);
const milliseconds = (cpuUsage().user - user) / 1_000 / nights;
const head = [
  '| rhythm | in place | night | verdict | proposed | node-hours a week | saved a week | covers after that, before → after |',
  '|---|---|---|---|---|---|---|---|',
];
writeSection('retire', [...head, ...rows].join('\n'), 'docs/suggest.md');
console.log([...head, ...rows, `${milliseconds.toFixed(0)} ms of CPU for a night`].join('\n'));

/** What is proposed in the nights after the change, each merged and deployed at once. */
function rowsOf({ name, demand: shape, schedules }: Rhythm): readonly string[] {
  const values = new Float64Array((END - FROM) / MINUTE).map((_, index) =>
    Math.max(0, Math.round(shape(index % DAY_MINUTES, FROM + index * MINUTE >= CHANGE))),
  );
  const demand: Demand = { from: FROM, values };
  let text = configOf(schedules ?? '[]');
  if (!schedules) text = mergeInto(text, [suggestionAt(CHANGE, demand, text)]).text;
  const shown: string[] = [];
  for (let night = CHANGE + DAY; night < END; night += DAY) {
    const one = suggestionAt(night, demand, text);
    nights += 1;
    const next = mergeInto(text, [one]).text;
    if (next === text) continue;
    const [before, after] = [text, next].map((file) => figured(file, between(demand, night, END)));
    const cells = [
      ...[name, sizes(text), (night - CHANGE) / DAY, one.lesson.verdict, sizes(next)],
      `${before?.hours} → ${after?.hours}`,
      dollars(((before?.hours ?? 0) - (after?.hours ?? 0)) * PRICE),
      `${before?.share} → ${after?.share}`,
    ];
    shown.push(`| ${cells.join(' | ')} |`);
    text = next;
  }
  return shown;
}

function suggestionAt(night: number, demand: Demand, text: string) {
  const { from, values } = between(demand, night - DAYS * DAY, night);
  const times = Float64Array.from(values, (_, index) => from + index * MINUTE);
  return suggestFor('default', { times, values: values.slice() }, loaded(text), SETTINGS);
}

function figured(text: string, after: Demand) {
  const [own] = loaded(text).headrooms;
  if (!own) return undefined;
  const { share, hours } = figuresOf(headroomBy({ ...own, floor: false }, after), riseOf(after, own.leadMinutes));
  return { share: `${Math.floor(share * 100)} %`, hours: Math.round((hours * 7 * DAY_MINUTES) / after.values.length) };
}

function sizes(text: string): string {
  const [own] = loaded(text).headrooms;
  const windows = (own?.windows ?? []).flatMap((one) =>
    one.kind === 'cron' ? [`\`${one.startText}\` to \`${one.endText}\`: ${one.replicas}`] : [],
  );
  return [...(own?.base || windows.length === 0 ? [`base ${own?.base}`] : []), ...windows].join('; ');
}

function loaded(text: string): Config {
  const result = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!result.ok) throw new Error('the config of this script is not valid');
  return result.config;
}
