import { join } from 'node:path';
import { loadConfigFiles } from '../../../shared/adapters/files/config-files';
import { type Config, runtimeConfig } from '../../../shared/core/config/config';
import { handle } from '../../../shared/core/handle';
import type { Runtime } from '../../../shared/core/ports/ports';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { folderWith, NOW, runCli } from '../run-cli';

// Generous: the machine may be busy.
jest.setTimeout(60_000);

const BEFORE = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  default:
    max: 8
    unit: {node: {cpu: 2}}
    schedules: [{name: lunch, timezone: UTC, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 3}]
  old: {max: 4, base: 1}
`;
const AFTER = BEFORE.replace('cpu: 2', 'cpu: 4')
  .replace('desiredReplicas: 3', 'desiredReplicas: 5')
  .replace('  old:', '  new:');
const folder = folderWith({
  'before.yaml': BEFORE,
  'after.yaml': AFTER,
  'namespace.yaml': BEFORE.replace('region: ap-northeast-2', 'region: ap-northeast-2, namespace: spare'),
  'pools-after.yaml': BEFORE.replace('base: 1', 'base: 2, pool: {family: [m7i], role: KarpenterNodeRole}'),
  'pools.yaml': BEFORE.replace('base: 1', 'base: 1, pool: {family: [m7i], role: KarpenterNodeRole}'),
});

let server: LoopbackServer;
let deployed: (order: unknown) => Promise<unknown>;
const environment = { ...process.env };
beforeAll(async () => {
  server = await loopbackServer(async (request, response) =>
    json(response, 200, await deployed(JSON.parse(request.body))),
  );
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_LAMBDA: server.url,
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'example',
  });
});
afterAll(async () => {
  await server.close();
  for (const key of Object.keys(process.env)) if (!(key in environment)) delete process.env[key];
  Object.assign(process.env, environment);
});
beforeEach(() => {
  // The function's own answer, from the config as it lies beside its code.
  const config = JSON.parse(JSON.stringify(runtimeConfig(configOf('before.yaml')))) as Config;
  deployed = (order) => handle(order, { config, now: () => NOW } as unknown as Runtime);
});

function configOf(file: string): Config {
  const loaded = loadConfigFiles(join(folder, file));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

const diff = (file: string, ...args: readonly string[]) => runCli(['diff', '-c', join(folder, file), ...args]);
const asJson = async (file: string) => JSON.parse((await diff(file, '--json')).out);

describe('diff', () => {
  test('shows how the sizes of the coming day differ from those of the deployed config', async () => {
    const { nodePools } = await asJson('after.yaml');
    expect(nodePools).toMatchObject({
      default: { kind: 'changed', differences: [{ before: 3, after: 5 }] },
      new: { kind: 'added' },
      old: { kind: 'removed' },
    });
  });

  test('shows the objects that a deploy creates, deletes and changes, and whose pods it replaces', async () => {
    expect((await asJson('after.yaml')).objects).toEqual([
      {
        kind: 'changed',
        object: 'Deployment headroom/headroom-default',
        fields: ['spec.template.spec.containers'],
        replacesPods: true,
      },
      { kind: 'removed', object: 'Deployment headroom/headroom-old', fields: [], replacesPods: false },
      { kind: 'added', object: 'Deployment headroom/headroom-new', fields: [], replacesPods: false },
    ]);
  });

  test('another namespace moves every object', async () => {
    const objects: { kind: string; object: string }[] = (await asJson('namespace.yaml')).objects;
    const names = (kind: string) => objects.filter((one) => one.kind === kind).map(({ object }) => object);
    expect(names('added')).toEqual(expect.arrayContaining(['Namespace spare', 'Deployment spare/headroom-old']));
    expect(names('removed')).toEqual(
      expect.arrayContaining(['Namespace headroom', 'Deployment headroom/headroom-old']),
    );
    expect(names('changed')).toEqual([]);
  });

  test.each(['before.yaml', 'pools.yaml'])(
    '%s, of which the functions hold the same, changes nothing',
    async (file) => {
      const { code, out } = await diff(file);
      expect(code).toBe(0);
      expect(out).toContain('unchanged: default, old');
      expect(out).toContain('Kubernetes objects: no change');
    },
  );

  test('is drawn for people, with what was asked', async () => {
    const { out } = await diff('after.yaml');
    expect(out).toMatch(/^from function headstart-shop\S* in ap-northeast-2 to/);
    expect(out).toContain(
      '  ~ Deployment headroom/headroom-default: spec.template.spec.containers; its pods are replaced at once',
    );
    expect(out).toContain('  - Deployment headroom/headroom-old');
  });

  test('what the functions do not hold, the pool block, tells the nodes and their price', async () => {
    const { out } = await diff('pools-after.yaml');
    expect(out).toContain('24 → 48 node-hours (+24), $2.42 → $4.84 (+$2.42)');
    expect(out).toContain('cost: us-east-1 list price, 2026-07-06');
  });

  test("a function that is not Headstart's, or knows no such question, is named", async () => {
    deployed = async () => ({ at: new Date(NOW).toISOString(), decisions: [] });
    expect(await diff('after.yaml')).toMatchObject({ code: 2, err: expect.stringContaining('returned no config') });
    deployed = async () => ({ rejected: 'order has an unknown field config' });
    expect(await diff('after.yaml')).toMatchObject({ code: 1, err: expect.stringContaining('unknown field config') });
  });

  test('a function that cannot be reached is named, with advice that diff itself can follow', async () => {
    process.env.AWS_ENDPOINT_URL_LAMBDA = 'http://127.0.0.1:1';
    const { code, err } = await diff('after.yaml');
    process.env.AWS_ENDPOINT_URL_LAMBDA = server.url;
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/check the network and the region\n$/) });
  });
});
