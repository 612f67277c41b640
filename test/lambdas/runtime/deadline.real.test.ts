import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { BUNDLE_FILE, bundleTo } from '../../../infra/bundling/bundling';
import { heartbeat, tickEvent } from '../../../shared/core/events/heartbeat-and-edges';
import { configOf } from '../../fakes/fake-runtime';
import { json, type LoopbackServer, loopbackServer, type Seen, TEST_CA } from '../../fakes/loopback-server';
import { tempFolder } from '../../fakes/temp-folder';

/** What Lambda allows the function; shorter than deployed, so that the suite is. */
const LIMIT_MS = 8_000;
const config = configOf('  web: {max: 9, base: 1, interruptions: {}}\n  batch: {max: 9, base: 1, interruptions: {}}\n');
const folder = tempFolder();
/** EKS, which does not answer either. */
let silent: LoopbackServer;
/** They wait for seconds, so that all of them are begun together. */
let invoked: { readonly [name in 'hangingPatches' | 'hangingCluster' | 'reconcile' | 'override']: Promise<Invoked> };

beforeAll(async () => {
  for (const entry of ['runtime/reconcile', 'runtime/interruption', 'runtime/inflate'])
    bundleTo(join(folder, entry), entry, { config });
  silent = await loopbackServer(() => {});
  const notices = { Records: [notice('web'), notice('batch')] };
  const override = { headroom: 'web', atLeast: 3, for: '30m', reason: 'test', by: 'test' };
  const isPatch = ({ method }: Seen) => method === 'PATCH';
  invoked = {
    hangingPatches: invoke(
      'runtime/interruption',
      notices,
      (seen) => isPatch(seen) && seen.url.includes('headroom-web'),
    ),
    hangingCluster: invoke('runtime/interruption', notices, () => true),
    reconcile: invoke('runtime/reconcile', tickEvent(heartbeat, new Date().toISOString()), isPatch),
    override: invoke('runtime/inflate', override, isPatch),
  };
});
afterAll(async () => {
  await silent.close();
});

/** A cluster with a NodeClaim in each NodePool and no headroom yet. */
function respond({ method, url, body }: Seen, response: ServerResponse): void {
  const claims = ['web', 'batch'].map((nodePool) => ({
    metadata: { name: nodePool, labels: { 'karpenter.sh/nodepool': nodePool } },
    status: { providerID: `aws:///ap-northeast-2a/i-${nodePool}` },
  }));
  if (method !== 'GET') json(response, 200, { ...JSON.parse(body), metadata: { resourceVersion: '1' } });
  else json(response, 200, { items: url.includes('/nodeclaims') ? claims : [] });
}

interface Invoked {
  readonly result?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
  /** What was left of Lambda's limit when the handler was done. */
  readonly leftMs: number;
  readonly log: string;
}

/** Runs the bundle that is deployed, in a process of its own, with the context that Lambda hands to it and a cluster that hangs. */
async function invoke(entry: string, event: unknown, hangs: (request: Seen) => boolean): Promise<Invoked> {
  const server = await loopbackServer((request, response) => {
    if (!hangs(request)) respond(request, response);
  }, true);
  const script = join(folder, entry, `invoke-${new URL(server.url).port}.mjs`);
  writeFileSync(
    script,
    `import { handler } from './${BUNDLE_FILE}';
    const end = Date.now() + ${LIMIT_MS};
    const getRemainingTimeInMillis = () => end - Date.now();
    const done = (outcome) => console.log(JSON.stringify({ ...outcome, leftMs: getRemainingTimeInMillis() }));
    handler(${JSON.stringify(event)}, { getRemainingTimeInMillis }).then(
      (result) => done({ result }),
      ({ name, message }) => done({ error: { name, message } }),
    ).finally(() => process.exit());`,
  );
  const child = spawn(process.execPath, [script], {
    env: {
      HEADSTART_OWNER: '123456789012/eu-west-1/demo/headroom/headstart-demo',
      HEADSTART_ENDPOINT: server.url,
      AWS_ENDPOINT_URL_EKS: silent.url,
      HEADSTART_CA: TEST_CA.toString('base64'),
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  await server.close();
  const lines = output.trim().split('\n');
  return { ...JSON.parse(lines.pop() ?? ''), log: lines.join('\n') };
}

const notice = (nodePool: string) => ({
  messageId: nodePool,
  body: JSON.stringify({
    version: '0',
    id: nodePool,
    source: 'aws.ec2',
    'detail-type': 'EC2 Spot Instance Interruption Warning',
    time: new Date().toISOString(),
    detail: { 'instance-id': `i-${nodePool}`, 'instance-action': 'terminate' },
  }),
});

test('hanging PATCHes end in partial failures before Lambda kills the function', async () => {
  const { result, leftMs, log } = await invoked.hangingPatches;
  expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: 'web' }] });
  expect(leftMs).toBeGreaterThan(0);
  expect(log).toMatch(/"level":"error".*headroom web: PATCH .*headroom-web: TooSlow: .*no response within/);
});

test('a cluster that hangs altogether fails the whole batch before Lambda kills the function', async () => {
  const { result, leftMs } = await invoked.hangingCluster;
  expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: 'web' }, { itemIdentifier: 'batch' }] });
  expect(leftMs).toBeGreaterThan(0);
});

test('a reconcile that hangs fails with an error line, and its kind, before Lambda kills the function', async () => {
  const { error, leftMs, log } = await invoked.reconcile;
  expect(error).toMatchObject({ name: 'ClusterTooSlow', message: expect.stringMatching(/headroom web: PATCH /) });
  expect(leftMs).toBeGreaterThan(0);
  expect(log).toMatch(/"level":"error"/);
});

test('an override that hangs is answered with an error before Lambda kills the function', async () => {
  const { error, leftMs } = await invoked.override;
  expect(error?.message).toMatch(/headroom web: PATCH /);
  expect(leftMs).toBeGreaterThan(0);
});
