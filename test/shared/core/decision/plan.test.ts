import { planNodePool } from '../../../../shared/core/decision/plan';
import { configOf } from '../../../fakes/fake-runtime';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/plan.txt`);
const at = (iso: string) => Date.parse(iso);
const stepsOf = (schedule: string, from: string, to: string, more = 'leadTime: 0s,') =>
  configOf(`  web: {max: 9, ${more} schedules: [${schedule}]}\n`)
    .headrooms.flatMap((pool) => planNodePool(pool, at(from), at(to)))
    .map((step) => [new Date(step.at).toISOString(), step.replicas] as const);

describe('planNodePool', () => {
  test("KEDA's sample gives 24 windows of 7 minutes in a day", () => {
    const steps = stepsOf(
      '{timezone: Asia/Seoul, start: 03 * * * *, end: 10 * * * *, desiredReplicas: "5"}',
      '2026-11-16T00:00:00Z',
      '2026-11-17T00:00:00Z',
    );
    const opened = steps.flatMap(([time, replicas], i) => (replicas === 5 ? [[time, steps[i + 1]?.[0]] as const] : []));
    expect(opened).toHaveLength(24);
    for (const [start, end] of opened) expect(at(end ?? '') - at(start)).toBe(7 * 60_000);
  });

  // The steps are in plan.txt.
  test.each([
    {
      name: 'a weekday start with a daily end in Prague is closed all weekend',
      schedule: 'timezone: Europe/Prague, start: 30 6 * * 1-5, end: 10 22 * * *',
      span: ['2026-11-13T12:00:00Z', '2026-11-16T12:00:00Z'],
    },
    {
      name: 'a start at 02:30 in New York opens at 03:00 EDT on the day without that time',
      schedule: 'timezone: America/New_York, start: 30 2 * * *, end: 0 5 * * *',
      span: ['2026-03-08T05:00:00Z', '2026-03-08T12:00:00Z'],
    },
    {
      name: 'the lead time opens early',
      schedule: 'timezone: UTC, start: 0 8 * * *, end: 0 9 * * *',
      span: ['2026-11-16T00:00:00Z', '2026-11-17T00:00:00Z'],
      more: 'leadTime: 5m,',
    },
  ])('$name', ({ name, schedule, span: [from = '', to = ''], more }) => {
    const steps = stepsOf(`{${schedule}, desiredReplicas: 5}`, from, to, more);
    said(name, steps.map(([at, replicas]) => `${at} ${replicas}`).join('\n'));
  });

  test('a year of minutes is planned whole', () => {
    const steps = stepsOf(
      '{timezone: UTC, start: 0 * * * *, end: 30 * * * *, desiredReplicas: 5}',
      '2026-01-01T00:00:00Z',
      '2027-01-01T00:00:00Z',
    );
    expect(steps).toHaveLength(365 * 24 * 2);
  });
});
