import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUNDLE_FILE, bundleTo } from '../../../infra/bundling/bundling';
import { heartbeat, tickEvent } from '../../../shared/core/events/heartbeat-and-edges';
import { configOf } from '../../fakes/fake-runtime';
import { json, loopbackServer, TEST_CA } from '../../fakes/loopback-server';
import { tempFolder } from '../../fakes/temp-folder';

const folder = tempFolder();

test('a heartbeat decides for windows in a time zone without the slow first use of Intl', async () => {
  const window = '{timezone: Asia/Seoul, start: 0 9 * * *, end: 0 18 * * *, desiredReplicas: 4}';
  bundleTo(folder, 'runtime/reconcile', { config: configOf(`  web: {max: 9, base: 1, schedules: [${window}]}\n`) });
  const sizes: number[] = [];
  const cluster = await loopbackServer(({ method, body }, response) => {
    const object = method === 'GET' ? { items: [] } : JSON.parse(body);
    if (method === 'PATCH') sizes.push(object.spec.replicas);
    json(response, 200, { ...object, metadata: { resourceVersion: '1' } });
  }, true);
  const script = join(folder, 'invoke.mjs');
  const invoke = (at: string) =>
    `Date.now = () => Date.parse('${at}'); await handler(${JSON.stringify(tickEvent(heartbeat, at))});`;
  writeFileSync(
    script,
    `import { handler } from './${BUNDLE_FILE}';
    Intl.DateTimeFormat = function () { throw new Error('Intl was used'); };
    ${invoke('2026-11-17T08:59:00Z')} ${invoke('2026-11-17T09:00:00Z')} process.exit();`,
  );
  const env = {
    TZ: ':UTC',
    HEADSTART_OWNER: '123456789012/eu-west-1/demo/headroom/headstart-demo',
    HEADSTART_ENDPOINT: cluster.url,
    HEADSTART_CA: TEST_CA.toString('base64'),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  try {
    await promisify(execFile)(process.execPath, [script], { env });
  } finally {
    await cluster.close();
  }
  // 17:59 and 18:00 in Seoul.
  expect(sizes).toEqual([4, 1]);
});
