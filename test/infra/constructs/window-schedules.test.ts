import { parseEvent } from '../../../shared/core/events/parse-event';
import { demo } from '../demo-config';
import { configOf, synthesized } from '../synthesized';

const made = synthesized(demo);

describe('schedules', () => {
  const all = Object.values(made.all('AWS::Scheduler::Schedule')).map(({ Properties }) => Properties);
  const isDaily = ({ Name }: { readonly Name: string }) => Name.startsWith('daily-');
  const schedules = all.filter((one) => !isDaily(one));
  test('synth says which edge is left to the heartbeat, and why', () => {
    expect(made.infos).toEqual([
      'ci: leap opens */4 0 29 2 *, requested 5m before UTC: left to the heartbeat (up to 1m late), because AWS cron would fire 30 times too often on some days, more than 12',
    ]);
  });

  test('what each sends is understood, with the time that it was due', () => {
    const due = '2026-11-27T02:25:00Z';
    for (const { Target, Name } of schedules)
      expect(parseEvent(JSON.parse(Target.Input.replace('<aws.scheduler.scheduled-time>', due)), 0)).toEqual({
        kind: 'tick',
        trigger: Name === 'heartbeat' ? 'heartbeat' : 'edge',
        at: Date.parse(due),
      });
  });

  test('none fires before the functions are let in', () => {
    const entries = Object.keys(made.resources).filter((id) => /Access[a-z]+Entry/.test(id));
    const [objects] = Object.keys(made.resources).filter(
      (id) => made.resources[id]?.Type === 'Custom::HeadstartClusterObjects',
    );
    const waiting = Object.values(made.resources).filter(({ Type }) => Type === 'AWS::Scheduler::Schedule');
    expect(entries).toHaveLength(4);
    for (const entry of entries) expect(made.resources[entry]?.DependsOn).toContain(objects);
    for (const { DependsOn } of waiting) expect(DependsOn).toEqual(expect.arrayContaining(entries));
  });

  test("a template full of the longest descriptions stays within CloudFormation's 1 MB", () => {
    const schedules = Array.from({ length: 240 }, (_, index) => {
      const time = (later: number) => `${index % 60} ${Math.floor(index / 60) + later} * * *`;
      const timezone = 'America/Argentina/ComodRivadavia';
      return { name: `${index}`.padEnd(60, 'n'), timezone, start: time(1), end: time(12), desiredReplicas: 1 };
    });
    // Windows that open together share a schedule, whose description names them all.
    const pool = { max: 1, leadTime: '5m', schedules };
    const nodePools = { one: pool, two: pool, three: pool, four: pool };
    const cluster = { name: 'a'.repeat(100), region: 'eu-west-1' };
    const { resources } = synthesized(configOf(JSON.stringify({ cluster, nodePools })));
    expect(Object.keys(resources)).toHaveLength(499);
    expect(JSON.stringify({ Resources: resources }, null, 1).length).toBeLessThan(1_000_000);
  });

  test('where the stack is full, the heartbeat does the rest, and synth says so', () => {
    const windows = Array.from({ length: 350 }, (_, index) => {
      const [hour, minute] = [Math.floor(index / 60), index % 60];
      const time = (later: number) => `${minute} ${hour + later} * * *`;
      return { name: `w${index}`, timezone: 'UTC', start: time(1), end: time(12), desiredReplicas: 1 };
    });
    const pool = { max: 1, leadTime: '5m', schedules: windows };
    const full = synthesized(
      configOf(JSON.stringify({ cluster: { name: 'a', region: 'eu-west-1' }, nodePools: { pool } })),
    );
    const scheduled = Object.keys(full.all('AWS::Scheduler::Schedule')).length;
    // One is left for CDK's note of its version, which only `cdk synth` adds.
    expect(Object.keys(full.resources)).toHaveLength(499);
    const left = full.infos.filter((info) => info.includes('left to the heartbeat'));
    // Besides the edges, the heartbeat and two that are daily.
    expect(scheduled - 3 + left.length).toBe(700);
    expect(left.at(-1)).toMatch(/^pool: w349 closes 17:49 UTC: left to the heartbeat .* has room for \d+ schedules$/);
  });
});
