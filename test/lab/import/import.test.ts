import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith, runCli } from '../../cli/run-cli';
import { importText } from './import-text';
import { BETA, CODECENTRIC, DELIVERYHERO, INFLATE, INFLATE_DEPLOYMENT, KEDA_SAMPLE, PROVISIONER } from './samples';

jest.setTimeout(60_000);

describe('headstart import', () => {
  test('writes a file, does not replace one by accident, and says what is next', async () => {
    const folder = folderWith({ 'input.yaml': KEDA_SAMPLE });
    const [input, out] = [join(folder, 'input.yaml'), join(folder, 'headroom.yaml')];
    const first = await runCli(['import', 'keda', input, '--out', out, '--cluster', 'shop', '--region', 'eu-west-1']);
    expect(first.out).toMatch(
      /wrote .*headroom.yaml: 1 NodePool, \d+ settings not carried over \(see the comments\); next: `npx headstart plan -c .*`/,
    );
    expect(readFileSync(out, 'utf8')).toContain('name: shop');
    const again = await runCli(['import', 'keda', input, '--out', out]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already exists; add --force') });
    expect((await runCli(['import', 'keda', input, '--out', out, '--force'])).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain(`and cluster.region, then run \`npx headstart plan -c ${out}\`.`);
    const printed = await runCli(['import', 'keda', input]);
    expect(printed.out).toContain('and cluster.region, then run `npx headstart plan`.');
    expect(existsSync(out)).toBe(true);
  });

  test.each([
    { name: 'a file that is not there', text: undefined, says: 'does not exist; pass a YAML file' },
    {
      name: 'a template',
      text: 'a: {{ .Values.x }}\n b: {{ y }}',
      says: 'is a Helm template; run helm template and import the output',
    },
    { name: 'broken YAML', text: 'a: [', says: 'is not YAML' },
    {
      name: 'nothing to carry over',
      text: 'kind: Service\nmetadata: {name: web}',
      says: 'Service web in input.yaml: is neither a ScaledObject nor the target of one',
    },
  ])('refuses $name', async ({ text, says }) => {
    const folder = folderWith(text === undefined ? {} : { 'input.yaml': text });
    const { code, out, err } = await runCli(['import', 'keda', join(folder, 'input.yaml')]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(says);
  });

  test('says first why the object was refused that could have been headroom', async () => {
    const side = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: web}\n---\n';
    const work =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: shop}\nspec: {template: {spec: {containers: [{name: shop, image: shop:1}]}}}\n';
    const { code, err } = await importText('pause', side + work);
    expect(code).toBe(1);
    expect(err.split('\n')[1]).toContain('Deployment shop');
    expect(err.split('\n')[2]).toContain('Namespace web');
  });

  test.each([
    { name: 'YOUR_CLUSTER_NAME', edit: 'cluster.name' },
    { name: '{$USER}-shop', edit: 'cluster.name' },
  ])('flags $name, which is a placeholder, and takes it for no name of a cluster', async ({ name, edit }) => {
    const { out } = await importText('provisioner', PROVISIONER.replaceAll('discovery: shop', `discovery: "${name}"`));
    expect(out).toContain(`# Edit ${edit}`);
    expect(out).toMatch(
      /# Edit nodePools\.service\.pool\.subnets\[0\]\.tags.*: it is ".*", a placeholder; write the value itself\./,
    );
  });

  test.each([
    { source: 'pause', text: KEDA_SAMPLE.replace('name: web', 'name: inflate'), better: 'keda' },
    { source: 'keda', text: PROVISIONER, better: 'provisioner' },
    { source: 'provisioner', text: DELIVERYHERO, better: 'overprovisioner' },
    { source: 'overprovisioner', text: INFLATE_DEPLOYMENT, better: 'pause' },
  ])('import $source names import $better where that is the right one', async ({ source, text, better }) => {
    const { code, err, file } = await importText(source, text);
    expect(code).toBe(1);
    expect(err).toContain(
      `${file}: nothing that import ${source} can import; run \`npx headstart import ${better} ${file}\``,
    );
  });

  test.each([
    { name: 'keda', text: INFLATE },
    { name: 'overprovisioner', text: DELIVERYHERO },
    { name: 'overprovisioner', text: CODECENTRIC },
    { name: 'pause', text: INFLATE_DEPLOYMENT },
    { name: 'provisioner', text: `${PROVISIONER}---${BETA}` },
  ])('finds out by itself that files are for import $name', async ({ name, text }) => {
    const [found, named] = [await importText(undefined, text), await importText(name, text)];
    expect(found.code).toBe(0);
    expect(found.pools).toEqual(named.pools);
  });

  test('joins a NodePool and its headroom, and keeps other entries apart', async () => {
    const inflate = INFLATE_DEPLOYMENT.replace(
      '{key: team, operator: In, values: [team1]}',
      '{key: karpenter.sh/nodepool, operator: In, values: [service]}',
    );
    const { out, pools } = await importText(
      undefined,
      `${PROVISIONER}---\n${inflate}---${KEDA_SAMPLE}---\nkind: Service\nmetadata: {name: web}`,
    );
    expect(pools).toMatchObject([
      { name: 'service', base: 1, unit: { kind: 'floor' }, pool: { family: ['t3', 't3a'] } },
      { name: 'default', windows: [{}, {}] },
    ]);
    expect(out).toContain('#   Service web in input.yaml');
  });

  test('takes its options after the name of a source, and without one', async () => {
    const folder = folderWith({ 'input.yaml': KEDA_SAMPLE });
    const [input, out] = [join(folder, 'input.yaml'), join(folder, 'headroom.yaml')];
    for (const source of [['keda'], []]) {
      const run = await runCli([
        'import',
        ...source,
        input,
        '--nodepool',
        'web',
        '--cluster',
        'shop',
        '--out',
        out,
        '--force',
      ]);
      expect(run).toMatchObject({ code: 0, out: expect.stringContaining(`wrote ${out}`) });
      expect(readFileSync(out, 'utf8')).toMatch(/name: shop[\s\S]*\n {2}web:/);
    }
  });

  test('prints its remarks for programs too', async () => {
    const { out } = await importText('keda', KEDA_SAMPLE, '--json');
    const { remarks, notCarriedOver } = JSON.parse(out);
    expect(remarks).toContainEqual({
      path: 'nodePools.default.unit',
      text: expect.stringContaining('the target Deployment web was not given'),
    });
    expect(notCarriedOver).toContainEqual(expect.objectContaining({ path: 'spec.minReplicaCount' }));
  });

  test.each([
    {
      name: 'a key of a merge',
      text: 'kind: ScaledObject\nmetadata: {name: a}\nx: &x {scaleTargetRef: {name: inflate}}\nspec:\n  <<: *x\n  triggers: [{type: cron, metadata: {timezone: UTC, start: 0 6 * * *, end: 0 7 * * *, desiredReplicas: 3}}]',
      is: { windows: [{ replicas: 3 }] },
    },
  ])('reads $name as Kubernetes does', async ({ text, is }) => {
    const { pools } = await importText('keda', text);
    expect(pools).toMatchObject([is]);
  });

  test.each([
    { name: 'where the YAML is broken', text: 'kind: A\nb:\n  - [', says: /input\.yaml:3:\d+: is not YAML: / },
    {
      name: 'a template that happens to be YAML',
      text: 'kind: Deployment\nspec: {replicas: {{ .Values.n }}}',
      says: /input\.yaml:2:\d+: is a Helm template/,
    },
    {
      name: 'an alias without an anchor',
      text: 'a: *gone',
      says: /input\.yaml:1:4: the alias \*gone has no anchor in this document; write its value out/,
    },
  ])('says $name', async ({ text, says }) => {
    const { code, err } = await importText(undefined, text);
    expect(code).toBe(1);
    expect(err).toMatch(says);
  });

  test.each([
    { option: '--cluster', value: 'my cluster', says: '--cluster is "my cluster"; write the name of the EKS cluster' },
    { option: '--region', value: 'mars', says: '--region is "mars"; write the AWS region' },
  ])('says that $option is wrong, not a file that nobody has', async ({ option, value, says }) => {
    const { code, err } = await importText('keda', KEDA_SAMPLE, option, value);
    expect(code).toBe(1);
    expect(err).toContain(says);
    expect(err).not.toContain('headroom.yaml');
  });
});
