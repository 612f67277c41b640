import { writeFileSync } from 'node:fs';
import { checkAccount } from '../../../cli/doctor/checks/check-account';
import type { AccountFacts } from '../../../cli/doctor/facts/read-account';
import type { Feed } from '../../../cli/doctor/facts/read-feeds';
import { commandsFor } from '../../../cli/input/commands';
import { kubeconfigFor } from '../../../lab/simulator/kube/rest/kubeconfig';
import { wantedSources } from '../../../shared/core/config/wanted-sources';
import { compileSchedules } from '../../../shared/core/schedules/schedules';
import { loadedConfig } from '../../fakes/loaded-config';
import { json, type LoopbackServer, loopbackServer, type Seen } from '../../fakes/loopback-server';
import { golden } from '../../golden/golden';
import { fakeTerminal, NOW } from '../run-cli';
import { inFolder, typed, useAws } from '../session';

const TEXT = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  default:
    max: 10
    leadTime: 5m
    interruptions: {max: 2}
    alarms: [{alarmName: p95, add: 2}]
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}
`;

const config = loadedConfig(TEXT);
const planned = compileSchedules(config, { now: NOW, max: 100 }).schedules.map(({ name }) => name);
const CLUSTER = {
  status: 'ACTIVE',
  endpoint: 'https://shop.example',
  certificateAuthority: { data: 'Q0E=' },
  accessConfig: { authenticationMode: 'API' },
};
const CHANGER = 'arn:aws:iam::123456789012:role/headstart/CLUSTER1/0a1b/Headstart-shop-Change';
/** Under a path that an aspect put before ours, as docs/deploy.md shows. */
const PLATFORM = 'arn:aws:iam::123456789012:role/platform/headstart/CLUSTER1/0a1b/Headstart-shop-Helm';
const ADMIN = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy';
const ROLE = 'arn:aws:iam::123456789012:role/inflate';

const AT = { config, now: NOW, commands: commandsFor({}, fakeTerminal()) };
const ALARM_FEED: Feed = {
  functionName: 'headstart-shop-alarm',
  target: 'arn:aws:lambda:ap-northeast-2:123456789012:function:headstart-shop-alarm',
  rules: [
    {
      name: 'Shop-AlarmsRule-1',
      state: 'ENABLED',
      sources: ['aws.cloudwatch'],
      detailTypes: ['CloudWatch Alarm State Change'],
      alarmNames: ['p95'],
    },
  ],
};
const NOTICE_FEED: Feed = {
  functionName: 'headstart-shop-interruption',
  target: 'arn:aws:sqs:ap-northeast-2:123456789012:queue',
  rules: wantedSources(config).map(({ source, detailType, cause }) => ({
    name: `rule-of-${cause}`,
    state: 'ENABLED',
    sources: [source],
    detailTypes: [detailType],
    alarmNames: [],
  })),
};

function healthyAccount(): AccountFacts {
  return {
    functionName: 'headstart-shop-inflate',
    inflate: { ok: true, value: { state: 'Active', lastUpdate: 'Successful', role: ROLE } },
    schedules: {
      ok: true,
      value: ['heartbeat', ...planned].map((name) => ({ name, group: 'Shop-Group', state: 'ENABLED' })),
    },
    feeds: { alarm: { ok: true, value: ALARM_FEED }, interruption: { ok: true, value: NOTICE_FEED } },
    alarms: { ok: true, value: ['p95'] },
    cluster: { ok: true, value: { server: 'https://shop.example', authenticationMode: 'API' } },
    accessGroups: { ok: true, value: ['headstart:headroom'] },
    accessPolicies: { ok: true, value: [{ role: CHANGER, policies: [] }] },
  };
}

function rolePolicies(arn: string, since: number): Partial<AccountFacts> {
  return { accessPolicies: { ok: true, value: [{ role: CHANGER, policies: [{ arn, since }] }] } };
}
const HOUR = 3_600_000;
const ok = <T>(value: T) => ({ ok: true as const, value });
const inflate = (more: object) => ({ inflate: ok({ state: 'Active', lastUpdate: 'Successful', role: ROLE, ...more }) });
const schedules = (names: readonly string[], stateOf = (_name: string) => 'ENABLED') => ({
  schedules: ok(names.map((name) => ({ name, group: 'g', state: stateOf(name) }))),
});
const alarmFeed = (feed: Feed) => ({ feeds: { ...healthyAccount().feeds, alarm: ok(feed) } });
const alarmRule = (more: object) =>
  alarmFeed({ ...ALARM_FEED, rules: ALARM_FEED.rules.map((rule) => ({ ...rule, ...more })) });
const noticeFeed = (more: object) => ({
  feeds: { ...healthyAccount().feeds, interruption: ok({ ...NOTICE_FEED, ...more }) },
});

describe('checkAccount', () => {
  const said = golden(`${__dirname}/account.txt`);
  const findings = (change: Partial<AccountFacts>) =>
    checkAccount({ ...healthyAccount(), ...change }, AT).flatMap((checked) => checked.findings);

  test.each<[string, Partial<AccountFacts>]>([
    ['a healthy account', {}],
    ['cluster admin of a deploy that may still be running', rolePolicies(ADMIN, NOW - HOUR)],
    ['an older policy that is not cluster admin', rolePolicies(ADMIN.replace('ClusterAdmin', 'View'), 0)],
  ])('finds nothing in %s', (_name, change) => {
    expect(findings(change)).toEqual([]);
  });

  test.each<[string, Partial<AccountFacts>]>([
    ['no function', { inflate: ok(undefined), accessGroups: { ok: false, why: 'no function', notFound: false } }],
    ['a function that cannot run', inflate({ state: 'Failed', lastUpdate: 'Failed' })],
    ['a function that was idle for weeks', inflate({ state: 'Inactive' })],
    ['a role that is cluster admin outside a deploy', rolePolicies(ADMIN, NOW - HOUR - 1)],
    ['no heartbeat', schedules([])],
    [
      'a schedule that is disabled',
      schedules(['heartbeat', ...planned], (name) => (name === 'heartbeat' ? 'DISABLED' : 'ENABLED')),
    ],
    ['no rule for notices', noticeFeed({ rules: [] })],
    ['the one notice that no rule sends', noticeFeed({ rules: NOTICE_FEED.rules.slice(0, -1) })],
    ['an alarm that no rule names', alarmRule({ alarmNames: ['p99'] })],
    ['a rule that is disabled', alarmRule({ state: 'DISABLED' })],
    ['a queue that nobody reads', noticeFeed({ off: 'event source mapping 1: Disabled' })],
    ['a function for alarms that does not exist', alarmFeed({ functionName: 'headstart-shop-alarm', rules: [] })],
    ['an alarm that does not exist', { alarms: ok([]) }],
    [
      'a cluster without access entries',
      { cluster: ok({ server: 'https://shop.example', authenticationMode: 'CONFIG_MAP' }) },
    ],
    [
      'a cluster that was created again',
      { ...inflate({ endpoint: 'https://older.example' }), accessGroups: ok(undefined) },
    ],
    ['a role that is not let in', { accessGroups: ok(undefined) }],
  ])('finds %s, and nothing else', (_name, change) => {
    const [{ severity, about, problem, evidence, fix } = {}, ...others] = findings(change);
    said(`${severity}: ${about} ${problem}\n  seen  ${evidence}\n  fix   ${fix}`);
    expect(others).toEqual([]);
  });

  test('finds each schedule that is missing', () => {
    expect(findings(schedules(['heartbeat'])).map(({ about }) => about)).toEqual(
      planned.map((name) => `schedule ${name}`),
    );
  });
});

/** An account as AWS shows it, with rules that CloudFormation named in its own way. */
function answerOf({ url, headers, body }: Seen): object | undefined {
  const { functionName, target = '', rules } = ALARM_FEED;
  if (url.includes('/event-source-mappings'))
    return { EventSourceMappings: [{ EventSourceArn: NOTICE_FEED.target, State: 'Enabled', UUID: '1' }] };
  if (url.includes(`/functions/${functionName}/`)) return { FunctionArn: target };
  if (url.includes('/functions/'))
    return {
      State: 'Active',
      LastUpdateStatus: 'Successful',
      Role: ROLE,
      Environment: { Variables: { HEADSTART_ENDPOINT: CLUSTER.endpoint } },
    };
  if (url.includes('/access-policies')) {
    const second = url.includes('nextToken=two');
    const policyArn = second ? ADMIN : ADMIN.replace('ClusterAdmin', 'View');
    return {
      associatedAccessPolicies: [{ policyArn, associatedAt: NOW / 1_000 }],
      ...(!second && { nextToken: 'two' }),
    };
  }
  if (url.endsWith('/access-entries')) {
    const others = ['ana', 'team-headstart/ana'].map((name) => `arn:aws:iam::123456789012:role/${name}`);
    return { accessEntries: [...others, CHANGER, PLATFORM] };
  }
  if (url.includes('/access-entries/')) return { accessEntry: { kubernetesGroups: ['headstart:headroom'] } };
  if (url.startsWith('/clusters/')) return { cluster: CLUSTER };
  if (url.startsWith('/schedules')) {
    const second = url.includes('NextToken=two');
    const names = second ? planned : ['heartbeat'];
    const Schedules = names.map((Name) => ({ Name, GroupName: 'g', State: 'ENABLED' }));
    return { Schedules, ...(!second && { NextToken: 'two' }) };
  }
  const all = [...rules, ...NOTICE_FEED.rules];
  switch (headers['x-amz-target']) {
    case 'AWSEvents.ListRuleNamesByTarget': {
      const { TargetArn, NextToken } = JSON.parse(body);
      const names = (TargetArn === target ? rules : NOTICE_FEED.rules).map(({ name }) => name);
      const isLast = NextToken === 'two' || names.length === 1;
      return isLast ? { RuleNames: names.slice(-1) } : { RuleNames: names.slice(0, -1), NextToken: 'two' };
    }
    case 'AWSEvents.DescribeRule': {
      const rule = all.find(({ name }) => name === JSON.parse(body).Name);
      const pattern = {
        source: rule?.sources,
        'detail-type': rule?.detailTypes,
        detail: { alarmName: rule?.alarmNames },
      };
      return { State: rule?.state, EventPattern: JSON.stringify(pattern) };
    }
    case 'GraniteServiceVersion20100801.DescribeAlarms':
      return { MetricAlarms: [{ AlarmName: 'p95', StateValue: 'OK', StateUpdatedTimestamp: NOW / 1_000 }] };
    default:
      return undefined;
  }
}

describe('headstart doctor --aws', () => {
  const said = golden(`${__dirname}/doctor-aws.txt`);
  let server: LoopbackServer;
  beforeAll(async () => {
    server = await loopbackServer((request, response) => {
      const answer = answerOf(request);
      json(response, answer ? 200 : 400, answer ?? { message: 'unexpected' });
    });
  });
  afterAll(() => server.close());
  useAws(() => server.url);
  inFolder({ 'headroom.yaml': TEXT });
  const doctor = (words: string) => typed(`doctor ${words}`.trim(), fakeTerminal({ width: 120 }));

  test('reads the account with signed calls and finds it healthy, whatever its rules are called', async () => {
    const asked = server.seen.length;
    said(await doctor('--aws'));
    const signed = server.seen.slice(asked).filter(({ url }) => url.startsWith('/schedules'));
    expect(signed).toHaveLength(2);
    for (const { headers } of signed) expect(headers.authorization).toContain('/ap-northeast-2/scheduler/aws4_request');
  });

  test('without credentials it fails and names what it did not check', async () => {
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
    Object.assign(process.env, { AWS_CONFIG_FILE: '/none', AWS_SHARED_CREDENTIALS_FILE: '/none' });
    said(await doctor('--aws'));
  });

  test('with neither a kubeconfig nor credentials it fails too: only the config was checked', async () => {
    said(await doctor(''));
  });

  test('finds a kubeconfig whose server is not the endpoint that EKS names', async () => {
    const other = await loopbackServer((_request, response) => json(response, 200, { items: [] }));
    writeFileSync('kubeconfig', kubeconfigFor(other.url));
    const [, text = ''] = /(error: kubeconfig [\s\S]*?)\n\n/.exec(await doctor('--aws --kubeconfig kubeconfig')) ?? [];
    said(text);
    await other.close();
  });
});
