import { join } from 'node:path';
import { checkAccount } from '../../../cli/doctor/checks/check-account';
import type { AccountFacts } from '../../../cli/doctor/facts/account-facts';
import type { Config } from '../../../shared/core/config/config';
import { loadConfig } from '../../../shared/core/config/load';
import { compileSchedules } from '../../../shared/core/schedules/schedules';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
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
const ROLE = 'arn:aws:iam::123456789012:role/inflate';

function healthyAccount(): AccountFacts {
  return {
    functionName: 'headstart-shop-inflate',
    inflate: { ok: true, value: { state: 'Active', lastUpdate: 'Successful', role: ROLE, stack: 'Shop' } },
    schedules: {
      ok: true,
      value: ['heartbeat', ...planned].map((name) => ({ name, group: 'Shop-Group', state: 'ENABLED' })),
    },
    rules: { ok: true, value: [{ name: 'Shop-Spot', state: 'ENABLED' }] },
    alarms: { ok: true, value: [] },
    cluster: { ok: true, value: { authenticationMode: 'API' } },
    accessGroups: { ok: true, value: ['headstart:headroom'] },
  };
}

describe('checkAccount', () => {
  test('finds nothing in a healthy account', () => {
    expect(checkAccount(healthyAccount(), config, NOW).flatMap(({ findings }) => findings)).toEqual([]);
  });

  test.each<{ name: string; change: Partial<AccountFacts>; config?: Config; about: string; problem: string }>([
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
      name: 'no rules',
      change: { rules: { ok: true, value: [] } },
      about: 'event rules',
      problem: 'are missing, so alarms and interruptions do not reach Headstart',
    },
    {
      name: 'an alarm that does not exist',
      change: {},
      config: configOf(TEXT.replace('interruptions: {max: 2}', 'alarms: [{alarmName: p95, add: 2}]')),
      about: 'alarm p95',
      problem: 'does not exist, so it never boosts the headroom of default',
    },
    {
      name: 'a cluster without access entries',
      change: { cluster: { ok: true, value: { authenticationMode: 'CONFIG_MAP' } } },
      about: 'cluster shop',
      problem: 'does not support access entries',
    },
    {
      name: 'a role that is not let in',
      change: { accessGroups: { ok: true, value: undefined } },
      about: `role ${ROLE}`,
      problem: 'is not mapped to the group headstart:headroom',
    },
  ])('finds $name', ({ change, config: other = config, about, problem }) => {
    const findings = checkAccount({ ...healthyAccount(), ...change }, other, NOW).flatMap((one) => one.findings);
    expect(findings).toMatchObject([{ about, problem }]);
  });

  test('finds each schedule that is missing', () => {
    const schedules = { ok: true as const, value: [{ name: 'heartbeat', group: 'g', state: 'ENABLED' }] };
    const findings = checkAccount({ ...healthyAccount(), schedules }, config, NOW).flatMap((one) => one.findings);
    expect(findings.map(({ about }) => about)).toEqual(planned.map((name) => `schedule ${name}`));
  });
});

describe('headstart doctor --aws', () => {
  const before = { ...process.env };
  let server: LoopbackServer;
  beforeAll(async () => {
    server = await loopbackServer(({ url, headers }, response) => {
      if (url.includes('/functions/'))
        return json(response, 200, {
          Configuration: { State: 'Active', LastUpdateStatus: 'Successful', Role: ROLE },
          Tags: { 'aws:cloudformation:stack-name': 'Shop' },
        });
      if (url.includes('/access-entries/'))
        return json(response, 200, { accessEntry: { kubernetesGroups: ['headstart:headroom'] } });
      if (url.startsWith('/clusters/')) return json(response, 200, { cluster: CLUSTER });
      if (url.startsWith('/schedules')) {
        const second = url.includes('NextToken=two');
        const names = second ? planned : ['heartbeat'];
        const Schedules = names.map((Name) => ({ Name, GroupName: 'g', State: 'ENABLED' }));
        return json(response, 200, { Schedules, ...(!second && { NextToken: 'two' }) });
      }
      if (headers['x-amz-target'] === 'AWSEvents.ListRules')
        return json(response, 200, { Rules: [{ Name: 'Shop-Spot', State: 'ENABLED' }] });
      return json(response, 400, { message: 'unexpected' });
    });
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: server.url,
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'example',
    });
  });
  afterAll(async () => {
    await server.close();
    for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
    Object.assign(process.env, before);
  });

  test('reads the account with signed calls and finds it healthy', async () => {
    const file = join(folderWith({ 'headroom.yaml': TEXT }), 'headroom.yaml');
    const { code, out, err } = await runCli(['doctor', '-c', file, '--aws'], fakeTerminal({ width: 200 }));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'fine: config, function, schedules, event rules, CloudWatch alarms, EKS cluster, access entry',
        'not checked: the cluster: add --kubeconfig FILE',
        'no problems found',
        '',
      ].join('\n'),
    );
    const signed = server.seen.filter(({ url }) => url.startsWith('/schedules'));
    expect(signed).toHaveLength(2);
    for (const { headers } of signed) expect(headers.authorization).toContain('/ap-northeast-2/scheduler/aws4_request');
  });
});
