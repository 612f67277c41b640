import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configOf } from '../../fakes/fake-runtime';

const folder = mkdtempSync(join(tmpdir(), 'headstart-compose-'));
const before = process.env;
const config = configOf('  web: {max: 9, base: 1}\n');

beforeEach(() => {
  jest.resetModules();
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  process.env = {
    HEADSTART_OWNER: '123456789012/eu-west-1/demo/headroom/headstart-demo',
    HEADSTART_ENDPOINT: 'https://127.0.0.1:1',
    HEADSTART_CA: Buffer.from('ca').toString('base64'),
    LAMBDA_TASK_ROOT: folder,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
});
afterEach(() => {
  process.env = before;
});
afterAll(() => rmSync(folder, { recursive: true }));

async function compose() {
  const { runtime: service } = await import('../../../lambdas/runtime/compose');
  return service;
}

test('a function acts by the config beside it, for its owner, by the clock of its machine', async () => {
  const runtime = await (await compose())();
  expect(runtime.config).toEqual(config);
  expect(runtime.owner).toBe('123456789012/eu-west-1/demo/headroom/headstart-demo');
  const [earliest, now, latest] = [Date.now(), runtime.now(), Date.now()];
  expect(now).toBeGreaterThanOrEqual(earliest);
  expect(now).toBeLessThanOrEqual(latest);
});

test('a config that lies elsewhere is read there', async () => {
  const elsewhere = join(folder, 'other.json');
  writeFileSync(elsewhere, JSON.stringify({ ...config, headrooms: [] }));
  process.env.HEADSTART_CONFIG_FILE = elsewhere;
  expect((await (await compose())()).config.headrooms).toEqual([]);
});

test('without an owner nothing starts, and the next invocation tries again', async () => {
  const { HEADSTART_OWNER, ...rest } = process.env;
  process.env = rest;
  const runtime = await compose();
  await expect(runtime()).rejects.toThrow(
    'HEADSTART_OWNER is required: whose headroom this is, as the CDK app sets it',
  );
  process.env = { ...rest, HEADSTART_OWNER };
  expect((await runtime()).owner).toBe(HEADSTART_OWNER);
});

test('a process composes once, and each invocation has its own deadline', async () => {
  const runtime = await compose();
  const [first, second] = [await runtime(), await runtime()];
  expect(second.config).toBe(first.config);
  expect(second.ports.cluster).not.toBe(first.ports.cluster);
});
