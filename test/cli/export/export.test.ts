import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import { golden } from '../../golden/golden';
import { fakeTerminal } from '../run-cli';
import { inFolder, typed } from '../session';

const CONFIG = `
cluster: {name: shop, region: eu-central-1}
nodePools:
  default: {max: 4, base: 1}
`;
const folder = inFolder({
  'headroom.yaml': CONFIG,
  'edited.yaml': CONFIG.replace('base: 1', 'base: 2'),
  'manual.yaml': CONFIG.replace('eu-central-1}', 'eu-central-1, access: manual}'),
  'protected.yaml': `${CONFIG}stack: {terminationProtection: true}\n`,
  'manage.yaml': `${CONFIG}karpenter: {manage: true}\n`,
  'pool.yaml': CONFIG.replace('base: 1', 'base: 1, pool: {family: [m7i], role: KarpenterNodeRole}'),
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const said = golden(`${__dirname}/export.txt`);

async function exportTo(out: string, config = 'headroom.yaml', more = '', terminal = fakeTerminal()) {
  const text = await typed(`export -c ${config} --out "${out}" ${more}`.trimEnd(), terminal);
  return text.replace(/\d+ resources\) and \d+/, '<n> resources) and <n>');
}

function written(out: string) {
  const template = JSON.parse(readFileSync(join(out, 'headstart.template.json'), 'utf8'));
  const functions: { Type: string; Properties: { Code: unknown } }[] = Object.values(template.Resources);
  const code = functions
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => Properties.Code);
  return { template, code, assets: readdirSync(join(out, 'assets')).sort() };
}

describe('export', () => {
  let first: string;
  beforeAll(async () => {
    first = await exportTo('first');
  });

  test('writes a template that takes every function from the bucket that a parameter names', () => {
    expect(first).not.toContain('[exit');
    const { template, code, assets } = written('first');
    expect(template.Parameters).toEqual({
      AssetsBucket: { Type: 'String', Description: expect.any(String) },
      AssetsPrefix: { Type: 'String', Default: 'headstart/', Description: expect.any(String) },
    });
    const expected = assets.map((file) => ({
      S3Bucket: { Ref: 'AssetsBucket' },
      S3Key: { 'Fn::Join': ['', [{ Ref: 'AssetsPrefix' }, file]] },
    }));
    expect(code.length).toBeGreaterThan(3);
    expect(new Set(code.map((one) => JSON.stringify(one)))).toEqual(
      new Set(expected.map((one) => JSON.stringify(one))),
    );
  });

  test('needs no CDK bootstrap', () => {
    const { template } = written('first');
    expect(template.Rules).toBeUndefined();
    expect(JSON.stringify(template)).not.toMatch(/cdk-bootstrap|BootstrapVersion|cdk-hnb659fds/);
  });

  test('writes the same bytes again, and other functions where the config was edited', async () => {
    cpSync('first', 'again', { recursive: true });
    const before = contentsOf('again');
    await exportTo('again');
    expect(contentsOf('again')).toEqual(before);

    const stays = join('again', 'assets', 'notes.txt');
    writeFileSync(stays, 'mine');
    await exportTo('again', 'edited.yaml');
    const { assets, code } = written('again');
    expect(assets.filter((file) => file.endsWith('.zip') && !before.has(file))).not.toEqual([]);
    expect(assets.filter((file) => file.endsWith('.zip'))).toHaveLength(
      new Set(code.map((one) => JSON.stringify(one))).size,
    );
    expect(existsSync(stays)).toBe(true);
  });

  test('prints the commands that deploy it, and the one that protects its stack, which no template can', async () => {
    said('with a bucket', await exportTo('it is here', 'headroom.yaml', '--s3-bucket my-artifacts'));
    said('with termination protection', await exportTo('protected', 'protected.yaml'));
  });

  test('with manual access, writes what to apply by hand, under the name that the output prints', async () => {
    await exportTo('manual', 'manual.yaml');
    const { Value, Description } = written('manual').template.Outputs.AccessManualApply;
    const [, file = ''] = /^kubectl apply --server-side -f (\S+)$/.exec(Value) ?? [];
    expect(Description).toBe('Run this first, in the folder that headstart export wrote');
    const documents = parseAllDocuments(readFileSync(join('manual', file), 'utf8'));
    expect(documents.map((document) => document.toJS())).toEqual(
      JSON.parse(JSON.stringify(clusterObjects('headroom'))),
    );
    await exportTo('manual');
    expect(existsSync(join('manual', file))).toBe(false);
  });

  test('--again has a deploy do everything once more: each custom resource is called, and the deploying role is new', async () => {
    const later = fakeTerminal({ now: () => Date.parse('2026-11-16T11:00:01Z') });
    await exportTo('afresh', 'headroom.yaml', '--again', later);
    const [before, after] = [written('first'), written('afresh')].map(({ template }) => template.Resources);
    const changed = Object.keys(before).filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
    const types = changed.map((id) => before[id].Type);
    expect(types.filter((type) => type.startsWith('Custom::'))).toEqual([
      'Custom::HeadstartClusterEndpoint',
      'Custom::HeadstartClusterObjects',
      'Custom::HeadstartDeployReconcile',
    ]);
    expect(types.filter((type) => type === 'AWS::IAM::Role')).toHaveLength(1);
  });

  test.each(['manage.yaml', 'pool.yaml'])('refuses %s, says why and what to do, and writes nothing', async (config) => {
    said(await exportTo('refused', config));
    expect(existsSync('refused')).toBe(false);
  });

  test('a folder that cannot be written is named', async () => {
    mkdirSync('blocked');
    writeFileSync(join('blocked', 'assets'), 'a file');
    said(await exportTo('blocked'));
  });
});

function contentsOf(out: string): ReadonlyMap<string, string> {
  const files = readdirSync(join(out, 'assets')).map((file) => join('assets', file));
  return new Map(
    [...files, 'headstart.template.json'].map((file) => [
      file.replace('assets/', ''),
      readFileSync(join(out, file), 'base64'),
    ]),
  );
}
