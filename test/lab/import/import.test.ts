import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodePoolManifests } from '../../../shared/core/karpenter/node-pools';
import { folderWith, runCli } from '../../cli/run-cli';
import { importText } from './import-text';
import { INFLATE_DEPLOYMENT, KEDA_SAMPLE, PROVISIONER } from './samples';

test('writes a file, does not replace one by accident, and says what is next', async () => {
  const folder = folderWith({ 'input.yaml': KEDA_SAMPLE });
  const [input, out] = [join(folder, 'input.yaml'), join(folder, 'headroom.yaml')];
  const first = await runCli(['import', 'keda', input, '--out', out, '--cluster', 'shop', '--region', 'eu-west-1']);
  expect(first.out.replaceAll(folder, '')).toBe(
    'wrote /headroom.yaml: 1 headroom, 6 settings not carried over (see the comments); next: `npx headstart plan -c /headroom.yaml`\n',
  );
  const again = await runCli(['import', 'keda', input, '--out', out]);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already exists; add --force') });
  // Options also without the name of a source.
  const words = ['import', input, '--nodepool', 'web', '--cluster', 'store', '--out', out, '--force'];
  expect((await runCli(words)).code).toBe(0);
  expect(readFileSync(out, 'utf8')).toMatch(/plan -c [\s\S]*name: store[\s\S]*\n {2}web:/);
});

test('lists an empty file beside others, and refuses one that is not there', async () => {
  const folder = folderWith({ 'a.yaml': INFLATE_DEPLOYMENT, 'b.yaml': '# later' });
  const { code, out } = await runCli(['import', join(folder, 'a.yaml'), join(folder, 'b.yaml')]);
  expect(code).toBe(0);
  expect(out).toContain('#   b.yaml: is empty, or has only comments\n');
  expect((await runCli(['import', join(folder, 'c.yaml')])).err).toContain('does not exist; pass a YAML file');
});

test('prints config, remarks and leftovers as JSON', async () => {
  const { out } = await importText('keda', KEDA_SAMPLE, '--json');
  const { config, remarks, notCarriedOver } = JSON.parse(out);
  expect(Object.keys(config.nodePools)).toEqual(['default']);
  expect(remarks).toContainEqual({
    path: 'nodePools.default.unit',
    text: expect.stringContaining('the target Deployment web was not given'),
  });
  expect(notCarriedOver).toContainEqual(expect.objectContaining({ path: 'spec.minReplicaCount' }));
});

test('makes an entry of each of two objects on one NodePool, the second floor as room', async () => {
  const long = 'a-node-pool-as-platform-teams-like-to-name-it';
  const { pools, out } = await importText(
    'keda',
    `${KEDA_SAMPLE}---\n${KEDA_SAMPLE.replace(/name: (\S+)/, 'name: $1-two')}`,
    '--nodepool',
    long,
  );
  expect(pools.map(({ name, nodePool, unit }) => [name.length <= 37, nodePool, unit.kind])).toEqual([
    [true, long, 'floor'],
    [true, long, 'node'],
  ]);
  expect(new Set(pools.map(({ name }) => name)).size).toBe(2);
  expect(out).toContain('room: a NodePool has at most one floor');
});

test.each([
  { option: '--cluster', value: 'my cluster', says: '--cluster is "my cluster"; write the name of the EKS cluster' },
  { option: '--region', value: 'mars', says: '--region is "mars"; write the AWS region' },
])('names $option where its value is refused, not a file that nobody has', async ({ option, value, says }) => {
  const { code, err } = await importText('keda', KEDA_SAMPLE, option, value);
  expect(code).toBe(1);
  expect(err).toContain(says);
  expect(err).not.toContain('headroom.yaml');
});

test('names the role after --cluster, and guesses no cluster then', async () => {
  const text = PROVISIONER.replace('  instanceProfile: KarpenterNodes\n', '');
  const { out, pools } = await importText('provisioner', text, '--cluster', 'store');
  expect(pools[0]?.pool?.role).toBe('KarpenterNodeRole-store');
  expect(out).not.toContain('from the discovery tags');
});

test('plans the same windows that KEDA had', async () => {
  const inflated = KEDA_SAMPLE.replace('"12"', '"0"').replace('name: web', 'name: inflate');
  const { out } = await importText('keda', inflated);
  const file = join(folderWith({ 'headroom.yaml': out }), 'headroom.yaml');
  const planned = await runCli(['plan', '-c', file, '--from', '2026-11-16T00:00', '--json']);
  const { steps } = JSON.parse(planned.out).nodePools.default;
  // 06:00 and 20:00 in Kolkata are 00:30Z and 14:30Z; five minutes of lead time come first.
  expect(steps.map(({ at, replicas }: { at: string; replicas: number }) => [at.slice(11, 16), replicas])).toEqual([
    ['00:00', 2],
    ['00:25', 10],
    ['14:30', 2],
  ]);
});

const key = (name: string, operator: string, values: string) =>
  `{key: karpenter.k8s.aws/instance-${name}, operator: ${operator}, values: [${values}]}`;
test.each([
  { name: 'nothing', given: '', keys: ['category In', 'generation Gt'] },
  { name: 'sizes alone', given: key('size', 'In', 'large'), keys: ['category In', 'generation Gt'] },
  { name: 'categories', given: key('category', 'In', 'c, m, i'), keys: ['category In'] },
  { name: 'a generation', given: key('generation', 'Gt', '"4"'), keys: ['category Exists', 'generation Gt'] },
  { name: 'families by exclusion', given: key('family', 'NotIn', 't2'), keys: [] },
])('a v1alpha5 Provisioner with $name gets the category and generation that Karpenter gave it', async (one) => {
  const text = `apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: default}\nspec: {requirements: [${one.given}]}`;
  const { config } = await importText('provisioner', text);
  const manifest = JSON.parse(JSON.stringify(config && nodePoolManifests(config)[1]));
  const requirements: { key: string; operator: string }[] = manifest.spec.template.spec.requirements;
  const found = requirements.flatMap(({ key: name, operator }) => {
    const [, about] = /-(category|generation)$/.exec(name) ?? [];
    return about === undefined ? [] : [`${about} ${operator}`];
  });
  expect(found.sort()).toEqual(one.keys);
});
