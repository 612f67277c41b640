import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { folderWith, runCli } from '../../cli/run-cli';

jest.setTimeout(900_000);

const DAY_MINUTES = 1_440;
const WEEK_MINUTES = 7 * DAY_MINUTES;
const DAYS = 9;
const STEP = 5;
const LEAD = 5;
/** A Monday. */
const START = Date.UTC(2026, 10, 2);
const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
const UNITS = { room: '{ node: { cpu: 2, memory: 4Gi } }', more: '{ floor: { cpu: 4, memory: 16Gi } }' };

interface Written {
  readonly start: string;
  readonly end: string;
  readonly desiredReplicas: number;
}

/** Demand every five minutes: jumps at times of the day, some of them only on weekdays, and jumps at any time. */
const series = fc.record({
  level: fc.integer({ min: 0, max: 6 }),
  daily: fc.array(
    fc.record({
      at: fc.nat(287),
      steps: fc.integer({ min: 1, max: 90 }),
      size: fc.integer({ min: 1, max: 25 }),
      weekdays: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  once: fc.array(
    fc.record({
      at: fc.nat(DAYS * 288 - 1),
      steps: fc.integer({ min: 1, max: 20 }),
      size: fc.integer({ min: 1, max: 40 }),
    }),
    { maxLength: 30 },
  ),
  max: fc.constantFrom(8, 30, 100),
});

type Series = typeof series extends fc.Arbitrary<infer T> ? T : never;

function valuesOf({ level, daily, once }: Series): readonly number[] {
  return Array.from({ length: DAYS * 288 }, (_, step) => {
    const [day, inDay] = [Math.floor(step / 288), step % 288];
    const regular = daily.filter(
      ({ at, steps, weekdays }) => inDay >= at && inDay < at + steps && (!weekdays || day % 7 < 5),
    );
    const others = once.filter(({ at, steps }) => step >= at && step < at + steps);
    return [...regular, ...others].reduce((sum, { size }) => sum + size, level);
  });
}

/** The size in each minute of a week, worked out from the cron expressions by hand. */
function weekOf(base: number, schedules: readonly Written[]): readonly number[] {
  const week = new Array<number>(WEEK_MINUTES).fill(base);
  for (const { start, end, desiredReplicas } of schedules) {
    const [startMinute = '', startHour = '', , , days = ''] = start.split(' ');
    const [endMinute = '', endHour = ''] = end.split(' ');
    const hours = startHour === '*' ? Array.from({ length: 24 }, (_, hour) => hour) : [Number(startHour)];
    for (const day of daysOf(days))
      for (const hour of hours) {
        const from = day * DAY_MINUTES + hour * 60 + Number(startMinute);
        const length =
          startHour === '*'
            ? (Number(endMinute) - Number(startMinute) + 60) % 60
            : (Number(endHour) * 60 + Number(endMinute) - hour * 60 - Number(startMinute) + DAY_MINUTES) % DAY_MINUTES;
        for (let minute = from - LEAD; minute < from + (length || DAY_MINUTES); minute += 1) {
          const at = (minute + WEEK_MINUTES) % WEEK_MINUTES;
          week[at] = Math.max(week[at] as number, desiredReplicas);
        }
      }
  }
  return week;
}

function daysOf(text: string): readonly number[] {
  if (text === '*') return [0, 1, 2, 3, 4, 5, 6];
  return text.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map((name) => WEEKDAYS.indexOf(name));
    return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7);
  });
}

/** The share of the rise within the lead time that finds room. */
function shareOf(values: readonly number[], week: readonly number[]): number {
  const minutes = values.slice(0, -1).flatMap((value) => new Array<number>(STEP).fill(value));
  let [covered, total] = [0, 0];
  minutes.forEach((value, minute) => {
    const rise = Math.max(...minutes.slice(minute, minute + LEAD + 1)) - value;
    covered += Math.min(rise, week[minute % WEEK_MINUTES] as number);
    total += rise;
  });
  return total === 0 ? 1 : covered / total;
}

async function suggested(one: Series, shape: keyof typeof UNITS) {
  const values = valuesOf(one);
  const rows = values.map((value, step) => `${new Date(START + step * STEP * 60_000).toISOString()},default,${value}`);
  return { values, ...(await written(`time,pool,pods\n${rows.join('\n')}\n`, one.max, shape)) };
}

/** What is printed of a proposal, the plan of the file that it is written to, and that file. */
async function written(trace: string, max: number, shape: keyof typeof UNITS) {
  const config = `cluster: { name: c, region: eu-west-2 }\nnodePools:\n  default: { max: ${max}, leadTime: 5m, price: 0.1, unit: ${UNITS[shape]} }\n`;
  const folder = folderWith({ 'headroom.yaml': config, 't.csv': trace });
  const file = join(folder, 'headroom.yaml');
  const words = ['-c', file, '--demand', join(folder, 't.csv'), '--timezone', 'UTC', '--shape', shape];
  const { code, out, err } = await runCli(['suggest', ...words, '--anyway', '--write', '--json']);
  if (code !== 0) throw new Error(err);
  const plan = JSON.parse((await runCli(['plan', '-c', file, '--to', '7d', '--json'])).out);
  const { proposal } = JSON.parse(out).nodePools.default;
  return { proposal, plan: plan.figures.default, pool: parse(readFileSync(file, 'utf8')).nodePools.default };
}

/** The cost of a plan; room is also worked out from what was written. */
function expectSameCost({ proposal, plan, pool }: Awaited<ReturnType<typeof written>>, shape: keyof typeof UNITS) {
  expect(proposal).toMatchObject({ nodeHours: plan.nodeHours, cost: plan.cost });
  const week = weekOf(pool.base ?? 0, pool.schedules ?? []);
  if (shape === 'room') expect(proposal.nodeHours).toBeCloseTo(week.reduce((sum, size) => sum + size, 0) / 60, 5);
  return week;
}

test.each([
  { shape: 'room', numRuns: 150 },
  { shape: 'more', numRuns: 50 },
] as const)(
  'the printed cost of the proposal is that of the plan of the written file: $shape',
  async ({ shape, numRuns }) => {
    await fc.assert(
      fc.asyncProperty(series, async (one) => {
        const { values, ...found } = await suggested(one, shape);
        const week = expectSameCost(found, shape);
        expect(found.pool.max).toBe(one.max);
        if (shape === 'room') expect(found.proposal.share).toBeCloseTo(shareOf(values, week), 9);
      }),
      { numRuns },
    );
  },
);

// TRACES=FOLDER npm run test:long -- cost
const { TRACES = '' } = process.env;
const traces = TRACES === '' ? [] : readdirSync(TRACES).filter((name) => name.endsWith('.csv'));
for (const name of traces)
  test.each(['room', 'more'] as const)(`the same for ${name}: %s`, async (shape) => {
    expectSameCost(await written(readFileSync(join(TRACES, name), 'utf8'), 100, shape), shape);
  });
