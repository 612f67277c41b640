import { type Config, runtimeConfig } from '../../../shared/core/config/config';
import { handle } from '../../../shared/core/handle';
import type { Runtime } from '../../../shared/core/ports/ports';
import { configIn } from '../../fakes/loaded-config';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { golden } from '../../golden/golden';
import { NOW, runCli } from '../run-cli';
import { inFolder, session, typed, useAws } from '../session';

const BEFORE = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  default:
    max: 8
    leadTime: 5m
    unit: {node: {cpu: 2}}
    schedules: [{name: lunch, timezone: UTC, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 3}]
  old: {max: 4, base: 1}
`;
const AFTER = BEFORE.replace('cpu: 2', 'cpu: 4')
  .replace('desiredReplicas: 3', 'desiredReplicas: 5')
  .replace('  old:', '  new:');
inFolder({
  'before.yaml': BEFORE,
  'after.yaml': AFTER,
  'namespace.yaml': BEFORE.replace('region: ap-northeast-2', 'region: ap-northeast-2, namespace: spare'),
  'pools-after.yaml': BEFORE.replace('base: 1', 'base: 2, pool: {family: [m7i], role: KarpenterNodeRole}'),
  'pools.yaml': BEFORE.replace('base: 1', 'base: 1, pool: {family: [m7i], role: KarpenterNodeRole}'),
});

const said = golden(`${__dirname}/diff.txt`);

let server: LoopbackServer;
let deployed: (request: unknown) => Promise<unknown>;
beforeAll(async () => {
  server = await loopbackServer(async (request, response) =>
    json(response, 200, await deployed(JSON.parse(request.body))),
  );
});
afterAll(() => server.close());
useAws(() => server.url);
beforeEach(() => {
  // The function's own answer, from the config as it lies beside its code.
  const config = JSON.parse(JSON.stringify(runtimeConfig(configIn('before.yaml')))) as Config;
  deployed = (request) => handle(request, { config, now: () => NOW } as unknown as Runtime);
});

describe('headstart diff', () => {
  test('shows the sizes of the coming day, the objects that a deploy changes, and whose pods it replaces', async () => {
    said(await typed('diff -c after.yaml'));
    const { out } = await runCli(['diff', '-c', 'after.yaml', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      nodePools: {
        default: { kind: 'changed', differences: [{ before: 3, after: 5 }] },
        new: { kind: 'added' },
        old: { kind: 'removed' },
      },
      objects: [{ kind: 'changed', replacesPods: true }, { kind: 'removed' }, { kind: 'added' }],
    });
  });

  test('shows that another namespace moves every object', async () => {
    said(await typed('diff -c namespace.yaml'));
  });

  test('shows no change for a config of which the functions hold the same', async () => {
    said(await session(['diff -c before.yaml', 'diff -c pools.yaml']));
  });

  test('knows the nodes and their price from the pool block, which the functions do not hold', async () => {
    said(await typed('diff -c pools-after.yaml'));
  });

  test("names a function that is not Headstart's, knows no such question, or cannot be reached", async () => {
    deployed = async () => ({ at: new Date(NOW).toISOString(), decisions: [] });
    const foreign = await typed('diff -c after.yaml');
    deployed = async () => ({ rejected: 'override has an unknown field config' });
    const older = await typed('diff -c after.yaml');
    process.env.AWS_ENDPOINT_URL = 'http://127.0.0.1:1';
    said([foreign, older, await typed('diff -c after.yaml')].join('\n'));
  });
});
