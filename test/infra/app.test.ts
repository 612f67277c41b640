import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { addStacks } from '../../infra/add-stacks';
import { UnusableConfigError } from '../../infra/load-app-config';
import { newApp } from '../../infra/new-app';
import { karpenterStackName, stackName } from '../../infra/stack-names';
import { loadConfigFiles } from '../../shared/adapters/files/config-files';
import { formatProblem } from '../../shared/core/config/yaml/problem';
import { tempFolder } from '../fakes/temp-folder';
import { NOW } from './synthesized';

const folder = tempFolder();

const config = (name: string, region: string, rest = '', pool = 'max: 4') => `
cluster: { name: ${name}, region: ${region}${rest} }
nodePools:
  default: { ${pool} }
`;

let made = 0;
function files(contents: Readonly<Record<string, string>>): (name: string) => string {
  made += 1;
  const here = join(folder, `files-${made}`);
  mkdirSync(here);
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(here, name), text);
  return (name) => join(here, name);
}

function synth(paths: readonly string[], env?: string, wave?: number) {
  made += 1;
  const app = newApp({ outdir: join(folder, `out-${made}`), context: { 'aws:cdk:bundling-stacks': [] } });
  const warnings: string[] = [];
  addStacks(app, {
    files: paths,
    ...(env && { env }),
    ...(wave && { wave }),
    now: NOW,
    warn: (line) => warnings.push(line),
  });
  const stacks = app.synth().stacks.map(({ id, stackName: name, environment, template, dependencies }) => ({
    id,
    name,
    needs: dependencies.map((needed) => needed.id).filter((needed) => !needed.endsWith('.assets')),
    environment,
    text: JSON.stringify(template),
  }));
  return { warnings, stacks };
}

function whyNot(paths: readonly string[], env?: string, wave?: number): string {
  try {
    synth(paths, env, wave);
  } catch (error) {
    if (error instanceof UnusableConfigError) return error.message;
    throw error;
  }
  return 'no error';
}

describe('a pattern', () => {
  const at = files({
    'base.yaml': 'nodePools: { default: { max: 4 } }\n',
    'eu.yaml': 'extends: base.yaml\ncluster: { name: eu, region: eu-west-1, wave: 1 }\n',
    'us.yaml': 'extends: base.yaml\ncluster: { name: us, region: us-east-1, wave: 2 }\n',
  });
  const names = (...args: Parameters<typeof synth>) => synth(...args).stacks.map(({ name }) => name);

  test('adds the stacks of each cluster, without the base that they extend', () => {
    expect(names([at('*.yaml')])).toEqual(['Headstart-eu-eu-west-1', 'Headstart-us-us-east-1']);
  });

  test('adds the stacks of one wave', () => {
    expect(names([at('*.yaml')], undefined, 2)).toEqual(['Headstart-us-us-east-1']);
  });

  test('that finds nothing says what to write', () => {
    expect(whyNot([at('*.yml')])).toBe(`-c config=${at('*.yml')} matches no config; check the path`);
    expect(whyNot([at('*.yaml')], undefined, 3)).toBe(
      'no cluster has cluster.wave: 3; write it in their configs, or another wave',
    );
  });
});

describe('stacks', () => {
  test('each cluster has one, in its region and, where given, its account', () => {
    const at = files({
      'a.yaml': config('shop', 'eu-central-1'),
      'b.yaml': config('shop', 'us-east-1', ', account: "123456789012"'),
    });
    const { stacks } = synth([at('a.yaml'), at('b.yaml')]);
    expect(stacks.map(({ name, environment }) => [name, environment.region, environment.account])).toEqual([
      ['Headstart-shop-eu-central-1', 'eu-central-1', 'unknown-account'],
      ['Headstart-shop-us-east-1', 'us-east-1', '123456789012'],
    ]);
  });

  test('what Karpenter lives on is a second one, which a deploy of all makes first', () => {
    const at = files({
      'a.yaml': `${config('shop', 'eu-central-1')}karpenter: { manage: true }\n`,
      'b.yaml': config('ops', 'eu-central-1'),
    });
    expect(synth([at('a.yaml'), at('b.yaml')]).stacks.map(({ name, needs }) => [name, needs])).toEqual([
      ['Headstart-ops-eu-central-1', []],
      ['Headstart-shop-eu-central-1-karpenter', []],
      ['Headstart-shop-eu-central-1', ['Headstart-shop-eu-central-1-karpenter']],
    ]);
  });

  test('the same cluster name and region in two accounts are two', () => {
    const at = files({
      'a.yaml': config('shop', 'eu-central-1', ', account: "111111111111"'),
      'b.yaml': config('shop', 'eu-central-1', ', account: "222222222222"'),
    });
    const { stacks } = synth([at('a.yaml'), at('b.yaml')]);
    expect(stacks.map(({ id }) => id)).toEqual([
      'Headstart-shop-eu-central-1',
      'Headstart-shop-eu-central-1-222222222222',
    ]);
    expect(new Set(stacks.map(({ name }) => name)).size).toBe(1);
  });

  test.each([
    { name: 'China', region: 'cn-north-1', partition: 'aws-cn', others: /arn:aws:|arn:aws-us-gov:/ },
    { name: 'GovCloud', region: 'us-gov-west-1', partition: 'aws-us-gov', others: /arn:aws:|arn:aws-cn:/ },
    { name: 'the European Sovereign Cloud', region: 'eusc-de-east-1', partition: 'aws-eusc', others: /arn:aws:/ },
    { name: 'an isolated region', region: 'us-iso-east-1', partition: 'aws-iso', others: /arn:aws:/ },
  ])('$name has ARNs of its own partition', ({ region, partition, others }) => {
    const at = files({
      'a.yaml': config('shop', region, '', 'max: 4, interruptions: {}, alarms: [{alarmName: x, add: 1}]'),
    });
    const text = synth([at('a.yaml')]).stacks[0]?.text ?? '';
    expect(text).toContain(`arn:${partition}:eks:${region}:`);
    expect(text).not.toMatch(others);
  });

  test.each([
    { name: 'underscores', cluster: 'my_cluster' },
    { name: 'the longest name', cluster: `${'a'.repeat(99)}_` },
  ])('the stack of a cluster with $name has a name that CloudFormation takes', ({ cluster }) => {
    const about = (name: string) => ({
      name,
      region: 'ap-northeast-2',
      namespace: 'headroom',
      access: 'entry' as const,
    });
    for (const nameOf of [stackName, karpenterStackName]) {
      expect(nameOf(about(cluster))).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,127}$/);
      expect(nameOf(about(cluster))).not.toBe(nameOf(about(cluster.replace('_', '-'))));
    }
    expect(karpenterStackName(about(cluster))).toMatch(/-karpenter$/);
  });
});

describe('overlays', () => {
  const at = files({
    'a.yaml': config('shop', 'eu-central-1'),
    'a.staging.yaml': 'cluster: { name: shop-staging }',
    'b.yaml': config('ops', 'eu-central-1'),
  });

  test('are put on top of the files that have one', () => {
    const { stacks } = synth([at('a.yaml'), at('b.yaml')], 'staging');
    expect(stacks.map(({ name }) => name).sort()).toEqual([
      'Headstart-ops-eu-central-1',
      'Headstart-shop-staging-eu-central-1',
    ]);
  });

  test('that no file has are an error', () => {
    expect(whyNot([at('b.yaml')], 'production')).toMatch(/b\.production\.yaml:1:1: does not exist; /);
  });
});

describe('a config that cannot be used', () => {
  test('stops the synth with every line that headstart validate prints', () => {
    const at = files({ 'a.yaml': config('shop', 'nowhere', '', 'max: 4, base: 9'), 'b.yaml': 'cluster: 5' });
    const lines = ['a.yaml', 'b.yaml'].flatMap((name) => {
      const loaded = loadConfigFiles(at(name));
      return loaded.ok ? [] : loaded.problems.map(formatProblem);
    });
    expect(lines.length).toBeGreaterThan(2);
    expect(whyNot([at('a.yaml'), at('b.yaml')]).split('\n')).toEqual(lines);
  });

  test.each([
    { name: 'no file', paths: [], message: /^no config file: write one, such as -c config=headroom\.yaml$/ },
    { name: 'a file that is not there', paths: ['nowhere.yaml'], message: /^nowhere\.yaml:1:1: does not exist; / },
  ])('$name', ({ paths, message }) => {
    expect(whyNot(paths)).toMatch(message);
  });

  test('the same cluster twice', () => {
    const at = files({ 'a.yaml': config('shop', 'eu-central-1') });
    expect(whyNot([at('a.yaml'), at('a.yaml'), at('a.yaml')])).toBe(
      'cluster shop in eu-central-1 is configured twice; write it once',
    );
  });

  test('synth says which NodePool an overlay takes out', () => {
    const at = files({
      'a.yaml': `${config('a', 'eu-west-1')}  ci: { max: 1 }\n`,
      'a.staging.yaml': 'nodePools:\n  ci: { remove: true }\n',
    });
    const { warnings } = synth([at('a.yaml')], 'staging');
    expect(warnings).toEqual([
      `warning: ${at('a.staging.yaml')}:2:3: nodePools.ci is removed (remove: true); the next deploy deletes its headroom`,
    ]);
  });

  test('warnings are passed on and stop nothing', () => {
    const windows = '[{timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, desiredReplicas: 1}]';
    const at = files({ 'a.yaml': config('shop', 'eu-central-1', '', `max: 4, leadTime: 0s, schedules: ${windows}`) });
    const { warnings, stacks } = synth([at('a.yaml')]);
    expect(warnings).toEqual([
      expect.stringMatching(/^warning: .*a\.yaml:4:\d+: nodePools\.default\.leadTime is 0s: /),
    ]);
    expect(stacks).toHaveLength(1);
  });
});

test('the app itself exits with 1 and prints the problems alone, without a stack trace', () => {
  const at = files({ 'a.yaml': config('shop', 'nowhere') });
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'infra/app.ts'], {
    encoding: 'utf8',
    env: {
      ...process.env,
      CDK_CONTEXT_JSON: JSON.stringify({ config: at('a.yaml') }),
      CDK_OUTDIR: join(folder, 'out-app'),
    },
  });
  const loaded = loadConfigFiles(at('a.yaml'));
  const lines = loaded.ok ? [] : loaded.problems.map(formatProblem);
  expect({ status, stderr, stdout }).toEqual({ status: 1, stderr: `${lines.join('\n')}\n`, stdout: '' });
});

test('cdk.json pins every feature flag that this CDK release recommends, and the app has no others', () => {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const { config: file, ...flags } = context;
  expect(file).toBe('headroom.yaml');
  expect(flags).toEqual(CURRENTLY_RECOMMENDED_FLAGS);
  const app = newApp({ outdir: join(folder, 'out-flags') });
  for (const [flag, value] of Object.entries(flags)) expect(app.node.tryGetContext(flag)).toEqual(value);
});
