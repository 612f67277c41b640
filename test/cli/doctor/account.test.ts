import { join } from 'node:path';
import { checkAccount } from '../../../cli/doctor/checks/check-account';
import type { AccountFacts } from '../../../cli/doctor/facts/read-account';
import type { Feed } from '../../../cli/doctor/facts/read-feeds';
import { commandsFor } from '../../../cli/input/commands';
import { kubeconfigFor } from '../../../lab/simulator/kube/rest/kubeconfig';
import type { Config } from '../../../shared/core/config/config';
import { loadConfig } from '../../../shared/core/config/read/load';
import { wantedSources } from '../../../shared/core/config/wanted-sources';
import { compileSchedules } from '../../../shared/core/schedules/schedules';
import { json, type LoopbackServer, loopbackServer, type Seen } from '../../fakes/loopback-server';
import { fakeTerminal, folderWith, NOW, runCli } from '../run-cli';

// Generous: the machine may be busy.
jest.setTimeout(60_000);

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

function configOf(text: string): Config {
  const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

const config = configOf(TEXT);
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

function rolePolicies(arn: string, since: number): AccountFacts['accessPolicies'] {
  return { ok: true, value: [{ role: CHANGER, policies: [{ arn, since }] }] };
}

describe('checkAccount', () => {
  test('finds nothing in a healthy account', () => {
    expect(checkAccount(healthyAccount(), AT).flatMap(({ findings }) => findings)).toEqual([]);
  });

  test.each([
    { name: 'cluster admin of a deploy that may still be running', policies: rolePolicies(ADMIN, NOW - 3_600_000) },
    {
      name: 'an older policy that is not cluster admin',
      policies: rolePolicies(ADMIN.replace('ClusterAdmin', 'View'), 0),
    },
  ])('does not object to $name', ({ policies }) => {
    const facts = { ...healthyAccount(), accessPolicies: policies };
    expect(checkAccount(facts, AT).flatMap(({ findings }) => findings)).toEqual([]);
  });

  test('says the command that takes cluster admin off a role', () => {
    const facts = { ...healthyAccount(), accessPolicies: rolePolicies(ADMIN, 0) };
    expect(checkAccount(facts, AT).flatMap(({ findings }) => findings)).toMatchObject([
      {
        evidence: 'AmazonEKSClusterAdminPolicy since 1970-01-01T00:00:00.000Z',
        fix: `run \`aws eks disassociate-access-policy --cluster-name shop --region ap-northeast-2 --principal-arn ${CHANGER} --policy-arn ${ADMIN}\``,
      },
    ]);
  });

  test.each<{ name: string; change: Partial<AccountFacts>; about: string; problem: string }>([
    {
      name: 'no function',
      change: {
        inflate: { ok: true, value: undefined },
        accessGroups: { ok: false, why: 'no function', notFound: false },
      },
      about: 'function headstart-shop-inflate',
      problem: 'does not exist',
    },
    {
      name: 'a function that cannot run',
      change: { inflate: { ok: true, value: { state: 'Failed', lastUpdate: 'Failed', role: ROLE } } },
      about: 'function headstart-shop-inflate',
      problem: 'cannot run',
    },
    {
      name: 'a function that was idle for weeks',
      change: { inflate: { ok: true, value: { state: 'Inactive', lastUpdate: 'Successful', role: ROLE } } },
      about: 'function headstart-shop-inflate',
      problem: 'is not ready: after weeks without a call, the first one takes up to two minutes',
    },
    {
      name: 'a role that is cluster admin outside a deploy',
      change: { accessPolicies: rolePolicies(ADMIN, NOW - 3_600_001) },
      about: `role ${CHANGER}`,
      problem: 'is cluster admin outside a deploy',
    },
    {
      name: 'no heartbeat',
      change: { schedules: { ok: true, value: [] } },
      about: 'heartbeat',
      problem: 'has no schedule',
    },
    {
      name: 'a schedule that is disabled',
      change: {
        schedules: {
          ok: true,
          value: ['heartbeat', ...planned].map((name) => ({
            name,
            group: 'g',
            state: name === 'heartbeat' ? 'DISABLED' : 'ENABLED',
          })),
        },
      },
      about: 'schedule heartbeat',
      problem: 'is disabled',
    },
    {
      name: 'no rule for notices',
      change: {
        feeds: { ...healthyAccount().feeds, interruption: { ok: true, value: { ...NOTICE_FEED, rules: [] } } },
      },
      about: 'EventBridge',
      problem: 'has no rule that sends notices of capacityReservation, health, rebalance, spot to Headstart',
    },
    {
      name: 'the one notice that no rule sends',
      change: {
        feeds: {
          ...healthyAccount().feeds,
          interruption: { ok: true, value: { ...NOTICE_FEED, rules: NOTICE_FEED.rules.slice(0, -1) } },
        },
      },
      about: 'EventBridge',
      problem: 'has no rule that sends notices of spot to Headstart',
    },
    {
      name: 'an alarm that no rule names',
      change: {
        feeds: {
          ...healthyAccount().feeds,
          alarm: {
            ok: true,
            value: { ...ALARM_FEED, rules: ALARM_FEED.rules.map((rule) => ({ ...rule, alarmNames: ['p99'] })) },
          },
        },
      },
      about: 'EventBridge',
      problem: 'has no rule that sends state changes of p95 to Headstart',
    },
    {
      name: 'a rule that is disabled',
      change: {
        feeds: {
          ...healthyAccount().feeds,
          alarm: {
            ok: true,
            value: { ...ALARM_FEED, rules: ALARM_FEED.rules.map((rule) => ({ ...rule, state: 'DISABLED' })) },
          },
        },
      },
      about: 'rule Shop-AlarmsRule-1',
      problem: 'is disabled',
    },
    {
      name: 'a queue that nobody reads',
      change: {
        feeds: {
          ...healthyAccount().feeds,
          interruption: { ok: true, value: { ...NOTICE_FEED, off: 'event source mapping 1: Disabled' } },
        },
      },
      about: 'function headstart-shop-interruption',
      problem: 'does not read its queue',
    },
    {
      name: 'a function for alarms that does not exist',
      change: {
        feeds: {
          ...healthyAccount().feeds,
          alarm: { ok: true, value: { functionName: 'headstart-shop-alarm', rules: [] } },
        },
      },
      about: 'function headstart-shop-alarm',
      problem: 'does not exist or reads no queue, so state changes of p95 do not reach Headstart',
    },
    {
      name: 'an alarm that does not exist',
      change: { alarms: { ok: true, value: [] } },
      about: 'alarm p95',
      problem: 'does not exist, so it never boosts the headroom of default',
    },
    {
      name: 'a cluster without access entries',
      change: { cluster: { ok: true, value: { server: 'https://shop.example', authenticationMode: 'CONFIG_MAP' } } },
      about: 'cluster shop',
      problem: 'does not support access entries',
    },
    {
      name: 'a cluster that was created again, and nothing else',
      change: {
        inflate: {
          ok: true,
          value: { state: 'Active', lastUpdate: 'Successful', role: ROLE, endpoint: 'https://older.example' },
        },
        accessGroups: { ok: true, value: undefined },
      },
      about: 'cluster shop',
      problem: 'was deleted and created again after the stack was deployed, so the functions have no access to it',
    },
    {
      name: 'a role that is not let in',
      change: { accessGroups: { ok: true, value: undefined } },
      about: `role ${ROLE}`,
      problem: 'is not mapped to the group headstart:headroom',
    },
  ])('finds $name', ({ change, about, problem }) => {
    const findings = checkAccount({ ...healthyAccount(), ...change }, AT).flatMap((one) => one.findings);
    expect(findings).toMatchObject([{ about, problem }]);
  });

  test('says the command that repairs a cluster that was created again', () => {
    const inflate = { state: 'Active', lastUpdate: 'Successful', role: ROLE, endpoint: 'https://older.example' };
    const facts = { ...healthyAccount(), inflate: { ok: true as const, value: inflate } };
    expect(checkAccount(facts, AT).flatMap(({ findings }) => findings)).toMatchObject([
      {
        evidence: 'the functions were deployed for https://older.example, EKS says https://shop.example',
        fix: 'run `npx cdk deploy --all -c again=$(date +%s)`, or `npx headstart export --again` and deploy that',
      },
    ]);
  });

  test('finds each schedule that is missing', () => {
    const schedules = { ok: true as const, value: [{ name: 'heartbeat', group: 'g', state: 'ENABLED' }] };
    const findings = checkAccount({ ...healthyAccount(), schedules }, AT).flatMap((one) => one.findings);
    expect(findings.map(({ about }) => about)).toEqual(planned.map((name) => `schedule ${name}`));
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
  const before = { ...process.env };
  let server: LoopbackServer;
  beforeAll(async () => {
    server = await loopbackServer((request, response) => {
      const answer = answerOf(request);
      json(response, answer ? 200 : 400, answer ?? { message: 'unexpected' });
    });
  });
  beforeEach(() => {
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: server.url,
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'example',
    });
  });
  afterEach(() => {
    for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
    Object.assign(process.env, before);
  });
  afterAll(() => server.close());
  const file = join(folderWith({ 'headroom.yaml': TEXT }), 'headroom.yaml');
  const doctor = (...more: string[]) => runCli(['doctor', '-c', file, ...more], fakeTerminal({ width: 200 }));

  test('reads the account with signed calls and finds it healthy, whatever its rules are called', async () => {
    const asked = server.seen.length;
    const { code, out, err } = await doctor('--aws');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'fine: config, function, schedules, event rules, CloudWatch alarms, EKS cluster, access entry, access policies',
        'seen: access policies of 2 Headstart roles: Headstart-shop-Change has AmazonEKSViewPolicy and AmazonEKSClusterAdminPolicy; Headstart-shop-Helm has AmazonEKSViewPolicy and AmazonEKSClusterAdminPolicy',
        'not checked: the cluster; add --kubeconfig FILE',
        'no problems found in what was checked',
        '',
      ].join('\n'),
    );
    const signed = server.seen.slice(asked).filter(({ url }) => url.startsWith('/schedules'));
    expect(signed).toHaveLength(2);
    for (const { headers } of signed) expect(headers.authorization).toContain('/ap-northeast-2/scheduler/aws4_request');
  });

  test('without credentials it fails and names what it did not check', async () => {
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
    Object.assign(process.env, {
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: '/none',
      AWS_SHARED_CREDENTIALS_FILE: '/none',
    });
    const { code, out } = await doctor('--aws');
    expect(code).toBe(2);
    expect(out).toContain(
      'error: AWS account cannot be read, so these were not checked: function, schedules, event rules, CloudWatch alarms, EKS cluster, access entry, access policies\n',
    );
    expect(out).toContain('not checked: the AWS account\n');
    expect(out).not.toContain('no problems');
  });

  test('with neither a kubeconfig nor credentials it fails too: only the config was checked', async () => {
    const { code, out } = await doctor();
    expect(code).toBe(2);
    expect(out).toBe(
      [
        'fine: config',
        'not checked: the cluster; add --kubeconfig FILE',
        'not checked: the AWS account; add --aws',
        'no problems found in the config; nothing else was checked',
        '',
      ].join('\n'),
    );
  });

  test('finds a kubeconfig whose server is not the endpoint that EKS names', async () => {
    const other = await loopbackServer((_request, response) => json(response, 200, { items: [] }));
    const kubeconfig = join(folderWith({ kubeconfig: kubeconfigFor(other.url) }), 'kubeconfig');
    const { code, out } = await doctor('--aws', '--kubeconfig', kubeconfig);
    await other.close();
    expect(code).toBe(2);
    expect(out).toContain('error: kubeconfig is not for the cluster shop of the config');
    expect(out).toContain(`the kubeconfig has the server ${other.url}, EKS says https://shop.example\n`);
  });
});
