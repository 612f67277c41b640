import { parseEvent } from '../../../shared/core/events/parse-event';
import { demo } from '../demo-config';
import { configOf, synthesized } from '../synthesized';

const made = synthesized(demo);

describe('schedules', () => {
  const all = Object.values(made.all('AWS::Scheduler::Schedule')).map(({ Properties }) => Properties);
  const isDaily = ({ Name }: { readonly Name: string }) => Name.startsWith('daily-');
  const schedules = all.filter((one) => !isDaily(one));
  const facts = schedules.map(({ ScheduleExpression, ScheduleExpressionTimezone, Description }) => ({
    expression: ScheduleExpression,
    timezone: ScheduleExpressionTimezone,
    description: Description,
  }));

  test('every window edge has one in its own time zone, and equal edges share one', () => {
    const timezone = 'Asia/Seoul';
    expect(facts).toEqual([
      {
        expression: 'cron(25 11 ? * MON-FRI *)',
        timezone,
        description:
          'service: lunch opens 11:30, asked for at 11:25 Asia/Seoul; ci: builds opens 11:30, asked for at 11:25 Asia/Seoul',
      },
      {
        expression: 'at(2026-11-26T23:57:00)',
        timezone,
        description: 'service: sale opens 2026-11-27T00:02, asked for at 2026-11-26T23:57:00 Asia/Seoul',
      },
      {
        expression: 'cron(30 13 ? * MON-FRI *)',
        timezone,
        description: 'service: lunch closes 13:30 Asia/Seoul',
      },
      {
        expression: 'at(2026-11-28T00:00:00)',
        timezone,
        description: 'service: sale closes 2026-11-28T00:00 Asia/Seoul',
      },
      {
        expression: 'cron(0 18 ? * MON-FRI *)',
        timezone,
        description: 'ci: builds closes 18:00 Asia/Seoul',
      },
      { expression: 'cron(0 6 29 2 ? *)', timezone: 'UTC', description: 'ci: leap closes 06:00 UTC' },
      {
        expression: 'rate(1 minute)',
        timezone: 'UTC',
        description: 'heartbeat: reconciles every NodePool',
      },
    ]);
  });

  test('synth says which edge is left to the heartbeat, and why', () => {
    expect(made.infos).toEqual([
      'ci: leap opens */4 0 29 2 *, asked for 5m before UTC: left to the heartbeat (up to 1m late), because its days cannot be named, and 15 times on every day are too many',
    ]);
  });

  test('each fires on the minute, in the group, once: the next heartbeat is the retry', () => {
    for (const { FlexibleTimeWindow, GroupName, Name, State, Target } of schedules) {
      expect({ FlexibleTimeWindow, GroupName, State }).toEqual({
        FlexibleTimeWindow: { Mode: 'OFF' },
        GroupName: '<SchedulesGroup>',
        State: 'ENABLED',
      });
      expect(Name).toMatch(/^[0-9a-zA-Z-_.]{1,64}$/);
      expect(Target).toEqual({
        Arn: '<ReconcileFunction.Arn>',
        RoleArn: '<SchedulesRole.Arn>',
        Input: expect.any(String),
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
      });
    }
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

  test('inflate is asked for the status and cluster admin is looked for daily; a call that fails is a dead letter', () => {
    const shared = {
      RoleArn: '<SchedulesRole.Arn>',
      RetryPolicy: { MaximumEventAgeInSeconds: 3_600, MaximumRetryAttempts: 10 },
      DeadLetterConfig: { Arn: '<FailuresQueue.Arn>' },
    };
    const dropAdmin = {
      clusterName: 'demo',
      region: 'eu-central-1',
      principalArn: '<AccessObjectsChangeRole.Arn>',
      policyArn: 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy',
    };
    const daily = all.filter(isDaily);
    expect(daily.map(({ ScheduleExpression }) => ScheduleExpression)).toEqual(['rate(1 day)', 'rate(1 day)']);
    expect(daily.map(({ Target }) => ({ ...Target, Input: JSON.parse(Target.Input) }))).toEqual([
      { ...shared, Arn: '<InflateFunction.Arn>', Input: { status: true } },
      { ...shared, Arn: '<AccessObjectsFunctionHandlerFunction.Arn>', Input: { dropAdmin } },
    ]);
  });

  test('without access entries there is no cluster admin to look for', () => {
    const manual = configOf('{cluster: {name: a, region: eu-west-1, access: manual}, nodePools: {x: {max: 1}}}');
    const names = Object.values(synthesized(manual).all('AWS::Scheduler::Schedule')).map(
      ({ Properties }) => Properties.Name,
    );
    expect(names).toEqual(['heartbeat', 'daily-status']);
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

  test('a slower heartbeat is as slow as written', () => {
    const slow = synthesized(
      configOf('{cluster: {name: a, region: eu-west-1}, heartbeat: 5m, nodePools: {x: {max: 1}}}'),
    );
    const expressions = Object.values(slow.all('AWS::Scheduler::Schedule')).map(
      ({ Properties }) => Properties.ScheduleExpression,
    );
    expect(expressions).toEqual(['rate(5 minutes)', 'rate(1 day)', 'rate(1 day)']);
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
