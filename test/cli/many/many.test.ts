import { mkdirSync, writeFileSync } from 'node:fs';
import { overClusters } from '../../../cli/many/over-clusters';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { golden } from '../../golden/golden';
import { fakeTerminal, runCli } from '../run-cli';
import { inFolder, session, useAws } from '../session';

const ACCOUNTS = ['111111111111', '222222222222', '333333333333', '444444444444'];
const REGIONS = ['eu-west-1', 'us-east-1', 'ap-northeast-1', 'sa-east-1', 'eu-central-1'];
/** Twenty clusters: five regions in each of four accounts. */
const CLUSTERS = ACCOUNTS.flatMap((account, index) =>
  REGIONS.map((region) => ({ name: `shop${index + 1}-${region.slice(0, 2)}-${region.at(-3)}`, region, account })),
);
const BASE = `
cluster: {namespace: headroom}
nodePools:
  web:
    max: 12
    leadTime: 5m
    unit: {floor: {cpu: 4}}
    schedules: [{name: lunch, timezone: UTC, start: 30 11 * * *, end: 30 13 * * *, addNodes: 4}]
  ci: {max: 6}
`;
const at = '2026-11-16T11:00:00.000Z';

inFolder({ 'headroom.yaml': 'cluster: {name: shop, region: eu-west-1}\nnodePools: {web: {max: 8}}\n' });
const said = golden(`${__dirname}/many.txt`);

beforeAll(() => {
  mkdirSync('clusters');
  writeFileSync('clusters/base.yaml', BASE);
  for (const { name, region, account } of CLUSTERS)
    writeFileSync(
      `clusters/${name}.yaml`,
      `extends: base.yaml\ncluster: {name: ${name}, region: ${region}, account: "${account}"}\n`,
    );
  writeFileSync('clusters/shop1-eu-t.staging.yaml', 'nodePools: {web: {max: 1}}\n');
  mkdirSync('broken');
  writeFileSync('broken/base.yaml', BASE);
  writeFileSync(
    'broken/a.yaml',
    'extends: base.yaml\ncluster: {name: a, region: eu-west-1}\nnodePools: {ci: {remove: true}}\n',
  );
  writeFileSync(
    'broken/b.yaml',
    'extends: base.yaml\ncluster: {name: b, region: eu-west-1}\nnodePools: {web: {max: many, bse: 1}}\n',
  );
  mkdirSync('empty');
});

const [DOWN, DENIED, ELSEWHERE, SHORT] = ['shop1-us-t', 'shop2-ap-t', 'shop3-sa-t', 'shop4-eu-t'];

let server: LoopbackServer;
let atOnce = 0;
let mostAtOnce = 0;
let delayMs = 0;
beforeAll(async () => {
  server = await loopbackServer(async (request, response) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    atOnce -= 1;
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    const role = url.searchParams.get('RoleArn');
    if (role !== null) {
      response.end(assumed(role));
      return;
    }
    const name = /functions\/headstart-(.*)-inflate/.exec(url.pathname)?.[1] ?? '';
    const { status, body, type } = answer(name, String(request.headers.authorization), JSON.parse(request.body));
    json(response, status, body, type === undefined ? {} : { 'x-amzn-errortype': type });
  });
});
afterAll(() => server.close());
useAws(() => server.url);
beforeEach(() => {
  [mostAtOnce, delayMs] = [0, 0];
  server.forget();
});

/** The access key names the account, so that the function of another one does not exist. */
function assumed(role: string): string {
  const account = role.split(':')[4] ?? '';
  return `<AssumeRoleResponse><AccessKeyId>ASIA${account}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></AssumeRoleResponse>`;
}

function answer(name: string, authorization: string, request: Record<string, unknown>) {
  const cluster = CLUSTERS.find((one) => one.name === name);
  const error = (status: number, type: string, Message: string) => ({ status, type, body: { Message } });
  if (name === ELSEWHERE || !authorization.includes(`Credential=ASIA${cluster?.account}/`))
    return error(404, 'ResourceNotFoundException', 'Function not found');
  if (name === DENIED) return error(403, 'AccessDeniedException', 'not authorized to perform lambda:InvokeFunction');
  if (name === DOWN) return error(503, 'ServiceException', 'service unavailable');
  const ready = name === SHORT ? 1 : 4;
  const web = { headroom: 'web', wanted: 4, replicas: 4, ready, shortfall: 4 - ready, reasons: ['lunch'] };
  const intents = { alarms: {}, surges: {} };
  if (request.status) return { status: 200, type: undefined, body: { at, status: [{ ...web, intents }] } };
  const decision = { ...web, from: 2, change: 'resized' };
  return { status: 200, type: undefined, body: { at, decisions: [decision] } };
}

const wide = () => fakeTerminal({ width: 160 });
const MANY = "-c 'clusters/*.yaml' --role headstart-operator";
const writes = () => server.seen.filter(({ body }) => body.includes('"for"') || body.includes('"release"'));

test('status shows twenty clusters in one table, trouble first, and each error in its row', async () => {
  said(await session([`status ${MANY}`, `status --check ${MANY}`], wide));
});

test('status --json prints one array, in the order of the files', async () => {
  const { out, code } = await runCli(['status', '-c', 'clusters/*.yaml', '--role', 'headstart-operator', '--json']);
  const rows = JSON.parse(out);
  expect(code).toBe(2);
  expect(rows.map(({ cluster }: { cluster: string }) => cluster)).toEqual(CLUSTERS.map(({ name }) => name).sort());
  expect(rows.find(({ cluster }: { cluster: string }) => cluster === SHORT)).toMatchObject({
    account: '444444444444',
    exitCode: 0,
    result: { status: [{ headroom: 'web', shortfall: 3 }] },
  });
  expect(rows.find(({ cluster }: { cluster: string }) => cluster === DOWN)).toMatchObject({
    exitCode: 2,
    error: expect.any(String),
  });
});

test('a role is assumed in the account of each config', async () => {
  await runCli(['status', '-c', 'clusters/*.yaml', '--role', 'headstart-operator']);
  const roles = server.seen.flatMap(({ url }) => new URL(url, 'http://x').searchParams.get('RoleArn') ?? []);
  expect(new Set(roles)).toEqual(new Set(ACCOUNTS.map((account) => `arn:aws:iam::${account}:role/headstart-operator`)));
});

test('clusters are asked side by side, at most ten at once', async () => {
  delayMs = 20;
  await runCli(['status', '-c', 'clusters/*.yaml', '--role', 'headstart-operator']);
  expect(mostAtOnce).toBeGreaterThan(1);
  expect(mostAtOnce).toBeLessThanOrEqual(10);
});

test('an overlay is merged over the clusters that have it', async () => {
  said(
    await session(
      [`inflate web --nodes 2 --for 30m --no-wait -e staging ${MANY}`, `validate 'clusters/*.yaml' -e prod`],
      () => fakeTerminal({ width: 160, interactive: true }),
    ),
  );
});

test('a wave is the clusters with this cluster.wave', async () => {
  mkdirSync('waves');
  for (const wave of [1, 2])
    writeFileSync(
      `waves/w${wave}.yaml`,
      `cluster: {name: shop${wave}-eu-t, region: eu-west-1, account: "${ACCOUNTS[wave - 1]}", wave: ${wave}}\nnodePools: {web: {max: 8}}\n`,
    );
  said(
    await session(
      [1, 3].map((wave) => `status --check -c 'waves/*.yaml' --wave ${wave} --role operator`),
      wide,
    ),
  );
});

describe('a write to many clusters', () => {
  test('is refused without a terminal and without --yes, before the first write', async () => {
    said(await session([`inflate web --more 2 --for 30m ${MANY}`], wide));
    expect(writes()).toEqual([]);
  });

  test('lists the clusters and their sizes and asks once; no writes nothing', async () => {
    said(
      await session([`inflate web --more 2 --for 30m ${MANY}`], () =>
        fakeTerminal({ width: 160, interactive: true, answers: ['n'] }),
      ),
    );
    expect(writes()).toEqual([]);
  });

  test('goes on where one fails, tries nothing twice, and shows the others', async () => {
    said(await session([`inflate web --more 2 --for 30m --no-wait --yes ${MANY}`, `release web --yes ${MANY}`], wide));
    const toDown = writes().filter(({ url }) => url.includes(DENIED));
    expect(toDown).toHaveLength(2);
  });

  test('leaves out clusters that have no such headroom, and says so before it asks', async () => {
    said(
      await session(["inflate ci --nodes 2 --for 30m -c 'broken/*.yaml'"], () =>
        fakeTerminal({ width: 160, interactive: true, answers: ['y'] }),
      ),
    );
    expect(writes()).toEqual([]);
  });
});

test('validate checks many files in one table, and what is wrong is named by its own file', async () => {
  said(await session(["validate 'clusters/*.yaml'", "validate 'broken/*.yaml'"], wide));
});

test('options of one cluster are refused for many, and so is a pattern that matches nothing', async () => {
  said(
    await session(
      [
        "status -c 'clusters/*.yaml' --kubeconfig kubeconfig --watch",
        "status -c 'empty/*.yaml'",
        "status -c 'nowhere/*/*.yaml'",
        "plan -c 'clusters/*.yaml'",
        "status -c 'broken/*.yaml' --role operator",
      ],
      wide,
    ),
  );
});

test('an answer that makes no sense is the error of its cluster, and the others are shown', async () => {
  const terminal = fakeTerminal({ redraws: true });
  const code = await overClusters({ config: 'clusters/shop1-*.yaml', json: true }, terminal, {
    run: ({ config }, { out }) => {
      out(JSON.stringify(config));
      return 0;
    },
    said: (config: string) => {
      if (config.includes('shop1-us')) throw new Error('no decision');
      return { text: 'fine', trouble: 0 };
    },
    alone: [],
    writes: () => 'something',
    yes: true,
  });
  const rows: readonly { readonly error?: string }[] = JSON.parse(terminal.text().out);
  expect([code, rows.length, rows.flatMap(({ error = [] }) => error)]).toEqual([2, 5, ['no decision']]);
});
