import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeTerminal, folderWith, runCli } from '../../cli/run-cli';
import { call } from '../simulator/kube/serve-store';
import { type StartedConsole, startConsole } from './start-console';

const CONFIG = `
cluster: { name: my-cluster, region: ap-northeast-2, liveSchedules: true }
nodePools:
  service:
    max: 20
    base: 1
    leadTime: 5m
    unit: { node: { cpu: 1, memory: 2Gi } }
    schedules:
      - { name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6 }
`;
const EARLIER = `
nodePools:
  service:
    schedules:
      - { name: lunch, timezone: Asia/Seoul, start: 15 11 * * *, end: 30 13 * * *, desiredReplicas: 6 }
`;
const HEARTBEAT = { source: 'headstart.schedule', 'detail-type': 'Headstart Heartbeat' };
const OVERRIDE = { headroom: 'service', atLeast: 4, for: '30m', reason: 'test', by: 'ana' };

let sandbox: StartedConsole;
let folder: string;
let kubeconfig: string;

beforeAll(async () => {
  folder = folderWith({
    'headroom.yaml': CONFIG,
    'earlier.yaml': EARLIER,
    'heartbeat.json': JSON.stringify(HEARTBEAT),
    'override.json': JSON.stringify(OVERRIDE),
  });
  // Nobody looks, so its clock stands still: 11:22 in Seoul.
  sandbox = await startConsole('--config', join(folder, 'headroom.yaml'), '--start', '2026-03-02');
  kubeconfig = /KUBECONFIG=(\S+)/.exec(sandbox.output)?.[1] ?? '';
});

afterAll(() => sandbox?.end());

/** Runs a command whose machine is in November, against a sandbox in March. */
function run(line: string) {
  const words = line.split(' ').map((word) => (/\.(json|yaml)$/.test(word) ? join(folder, word) : word));
  const common = ['--config', join(folder, 'headroom.yaml'), '--kubeconfig', kubeconfig];
  return runCli([...words, ...common], fakeTerminal({ width: 120 }));
}

test.each([
  { line: 'status', says: 'my-cluster at Mon 2 Mar 11:22 Asia/Seoul' },
  { line: 'plan --live', says: '24 h from Mon 2 Mar 11:22 Asia/Seoul' },
  // With the start of that day at 11:15, the window would be open by now.
  { line: 'apply earlier.yaml --dry-run', says: 'Mon 2 Mar' },
  { line: 'handle override.json --dry-run', says: 'until 2026-03-02T02:52Z' },
  { line: 'inflate service --nodes 4 --for 30m --reason test --no-wait', says: 'until 11:52' },
  { line: 'handle heartbeat.json', says: '"at": "2026-03-02T02:22:00.000Z"' },
])('$line takes the time of the sandbox', async ({ line, says }) => {
  const { code, out, err } = await run(line);
  expect([code, err.split('\n').filter((one) => /404|failed|skew/i.test(one))]).toEqual([0, []]);
  expect(out).toContain(says);
});

test('doctor finds no fault with the clock', async () => {
  const { out } = await run('doctor');
  expect(out).not.toMatch(/clock.*(ahead|behind)/);
  expect(out).toMatch(/fine: .*clock/);
});

test('an Event that is written by one API is listed by both, each by its own names', async () => {
  const [, server = ''] = /server: (\S+)/.exec(readFileSync(kubeconfig, 'utf8')) ?? [];
  const newer = `${server}/apis/events.k8s.io/v1/namespaces/headroom/events`;
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'seen', namespace: 'headroom' },
    eventTime: '2026-03-02T02:22:00.000000Z',
    reportingController: 'headstart.dev/headstart',
    reportingInstance: 'headstart',
    action: 'Reconcile',
    type: 'Normal',
    reason: 'Tried',
    note: 'by a test',
    regarding: { kind: 'Deployment', name: 'headroom-service', namespace: 'headroom' },
  };
  const post = () =>
    call(newer, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) });
  expect(await post()).toMatchObject({ status: 201, body: { kind: 'Event', note: 'by a test' } });
  expect((await post()).status).toBe(409);
  const where = new URLSearchParams({ fieldSelector: 'reason=Tried,regarding.name=headroom-service' });
  const listed = await call(`${newer}?${where}`, {});
  expect(listed.body).toMatchObject({
    kind: 'EventList',
    apiVersion: 'events.k8s.io/v1',
    items: [{ note: 'by a test' }],
  });
  const core = await call(`${server}/api/v1/namespaces/headroom/events?fieldSelector=reason%3DTried`, {});
  expect(core.body).toMatchObject({
    items: [
      { message: 'by a test', involvedObject: { name: 'headroom-service' }, reportingComponent: expect.any(String) },
    ],
  });
});
