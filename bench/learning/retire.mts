// What suggest says, night by night, of windows whose rhythm changes: npx tsx bench/learning/retire.mts

import { figuresOf, headroomBy } from '../../lab/learning/backtest';
import { between, type Demand, MINUTE, riseOf } from '../../lab/learning/demand';
import { mergeInto } from '../../lab/suggest/merge-config';
import { suggestFor } from '../../lab/suggest/suggestion';
import type { Config } from '../../shared/core/config/config';
import { loadConfig } from '../../shared/core/config/read/load';

const DAY = 1_440 * MINUTE;
const WEEKS = 28;
/** A Monday. */
const FROM = Date.UTC(2026, 8, 7);
const CHANGE = FROM + WEEKS * DAY;
const END = CHANGE + WEEKS * DAY;
const SETTINGS = { cover: 0.99, most: 5, learnDays: WEEKS };
const HAND = '[{ name: day, timezone: UTC, start: 0 9 * * *, end: 0 19 * * *, desiredReplicas: 21 }]';
const configOf = (schedules: string) => `
cluster: { name: shop, region: us-east-1 }
nodePools:
  default:
    max: 100
    leadTime: 5m
    price: 0.2
    unit: { node: { cpu: 2, memory: 4Gi } }
    schedules: ${schedules}
`;

let state = 7;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return (state >>> 0) / 2 ** 32;
}

type Shape = (minute: number, changed: boolean) => number;

const noise = () => (random() + random() - 1) * 0.8;
const within = (minute: number, hour: number, size: number) =>
  minute >= hour * 60 && minute < hour * 60 + 90 ? size : 0;
let jump = 0;
const jumps = () => {
  if (random() < 1 / 60) jump = Math.floor(random() * 4);
  return jump;
};

const CASES: readonly { readonly name: string; readonly shape: Shape; readonly schedules?: string }[] = [
  { name: 'ends', shape: (m, changed) => 5 + within(m, 12, changed ? 0 : 20) + within(m, 18, 12) + noise() },
  { name: 'ends, and was the only one', shape: (m, changed) => 5 + within(m, 12, changed ? 0 : 20) + noise() },
  { name: 'shrinks from 20 to 8', shape: (m, changed) => 5 + within(m, 12, changed ? 8 : 20) + noise() },
  { name: 'moves by an hour', shape: (m, changed) => 5 + within(m, changed ? 13 : 12, 20) + noise() },
  { name: 'turns flat', shape: (m, changed) => 5 + (changed ? 0 : within(m, 12, 20) + noise()) },
  { name: 'is noise, with a window by hand', shape: () => 5 + jumps(), schedules: HAND },
];

console.log('| rhythm | windows in place | night | proposal | node-hours/week | $/week | covers before | and after |');
console.log('|---|---|---|---|---|---|---|---|');
for (const { name, shape, schedules } of CASES) {
  const values = new Float64Array((END - FROM) / MINUTE).map((_, index) =>
    Math.max(0, Math.round(shape(index % 1_440, FROM + index * MINUTE >= CHANGE))),
  );
  const demand: Demand = { from: FROM, values };
  let text = configOf(schedules ?? '[]');
  if (!schedules) text = mergeInto(text, [suggestionAt(CHANGE, demand, text)]).text;
  let shown = 0;
  for (let night = CHANGE; night <= END; night += DAY) {
    const one = suggestionAt(night, demand, text);
    if (one.advice !== 'change' && one.advice !== 'retire') continue;
    const next = mergeInto(text, [one]).text;
    if (next === text) continue;
    const [before, after] = [text, next].map((file) => figured(file, between(demand, night, END)));
    console.log(
      `| ${[name, sizes(text), (night - CHANGE) / DAY, `${one.lesson.verdict} ${one.advice}: ${sizes(next)}`, `${before?.hours} → ${after?.hours}`, before?.share, after?.share].join(' | ')} |`,
    );
    text = next;
    shown += 1;
  }
  if (shown === 0) console.log(`| ${name} | ${sizes(text)} | - | stays |`);
}

function suggestionAt(night: number, demand: Demand, text: string) {
  const { from, values } = between(demand, night - WEEKS * DAY, night);
  const times = Float64Array.from(values, (_, index) => from + index * MINUTE);
  return suggestFor('default', { times, values: values.slice() }, loaded(text), SETTINGS);
}

function figured(text: string, after: Demand) {
  const [own] = loaded(text).headrooms;
  if (!own || after.values.length === 0) return undefined;
  const { share, hours } = figuresOf(headroomBy({ ...own, floor: false }, after), riseOf(after, own.leadMinutes));
  return { share: share.toFixed(3), hours: Math.round((hours * 10_080) / after.values.length) };
}

function sizes(text: string): string {
  const [own] = loaded(text).headrooms;
  const windows = (own?.windows ?? []).flatMap((one) =>
    one.kind === 'cron' ? [`${one.startText} to ${one.endText}: ${one.replicas}`] : [],
  );
  return [`base ${own?.base}`, ...windows].join('; ');
}

function loaded(text: string): Config {
  const result = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
}
