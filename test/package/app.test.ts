import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { context as FLAGS } from '../../cdk.json';
import { addStacks } from '../../infra/add-stacks';
import { newApp } from '../../infra/new-app';
import { runCommand } from '../cluster/harness/process/run-command';
import { packed } from './harness/packed';

process.env.CDK_VALIDATION = 'false';
const ROOT = join(__dirname, '..', '..');
const NOW = '2026-11-01T00:00:00Z';
/** An app as somebody would write it, but for the time and the flags that make its output comparable. */
const app = (imports: string, file: string) => `${imports}
const app = new App({ outdir: process.argv[2], context: ${JSON.stringify(FLAGS)} });
addStacks(app, { files: ['${file}'], now: new Date('${NOW}'), warn: () => {} });
app.synth();
`;
const ESM = `import { App } from 'aws-cdk-lib';
import { addStacks } from 'headstart';`;
const CJS = `const { App } = require('aws-cdk-lib');
const { addStacks } = require('headstart');`;

describe.each([
  { kind: 'an ES module', file: 'app.mjs', imports: ESM },
  { kind: 'CommonJS', file: 'app.cjs', imports: CJS },
])('an app that is $kind', ({ file, imports }) => {
  test.each(['headroom.yaml', 'examples/full.yaml'])(
    'synthesizes %s as a checkout does, byte for byte, code of the functions included',
    async (config) => {
      const folder = packed().withCdk;
      const [theirs, ours] = ['package', 'checkout'].map((name) => join(packed().root, 'out', file, config, name));
      writeFileSync(join(folder, file), app(imports, config));
      await runCommand({ program: 'node', args: [file, theirs ?? ''], cwd: folder });
      const checkout = newApp({ outdir: ours ?? '' });
      addStacks(checkout, { files: [join(ROOT, config)], now: new Date(NOW), warn: () => {} });
      checkout.synth();
      expect(contentsOf(theirs ?? '')).toEqual(contentsOf(ours ?? ''));
      expect(contentsOf(theirs ?? '').size).toBeGreaterThan(10);
    },
  );
});

/** Templates and the files of every asset, by path. The tree is the app's own and names its folder. */
function contentsOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const compared = paths.filter((path) => /\.template\.json$|\.assets\.json$|\/asset\./.test(path));
  return new Map(compared.map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]));
}

describe.each(['bundler', 'nodenext'])('with moduleResolution %s', (moduleResolution) => {
  const compile = (...flags: readonly string[]) => {
    const folder = join(packed().withCdk, `types-${moduleResolution}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'app.ts'), TYPED);
    const args = [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      ...['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false', '--target', 'es2023'],
      ...['--module', moduleResolution === 'bundler' ? 'preserve' : 'nodenext', '--moduleResolution', moduleResolution],
      ...['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node', 'app.ts', ...flags],
    ];
    return spawnSync('node', args, { cwd: folder, encoding: 'utf8' }).stdout;
  };

  test('a typed app compiles with every library checked, and the compiler sees what is wrong', () => {
    expect(compile()).toBe('');
  });

  test('nothing of ours is wrong with exact optional properties, which aws-cdk-lib itself does not satisfy', () => {
    const said = compile('--exactOptionalPropertyTypes');
    expect(said).toContain('aws-cdk-lib');
    expect(said).not.toContain('node_modules/headstart');
  });
});

const TYPED = `import { App, type Stack } from 'aws-cdk-lib';
import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import type { ICluster } from 'aws-cdk-lib/aws-eks';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { addStacks, type Config, defineConfig, Headstart, HeadstartStack } from 'headstart';

const app = new App();
const [stack] = addStacks(app, { files: ['headroom.yaml'] });
const functionName: string | undefined = stack?.headstart.functions.inflate.function.functionName;
export function mine(config: Config, scope: Stack): Headstart {
  const family: readonly string[] | undefined = config.headrooms[0]?.pool?.family;
  return new Headstart(scope, 'Headroom', { config, alarmTopic: new Topic(scope, functionName ?? family?.[0] ?? '') });
}
export const isStack = stack instanceof HeadstartStack;
export const asCode = (scope: Stack, cluster: ICluster, vpc: IVpc) =>
  new Headstart(scope, 'Code', { cluster, vpc, config: { nodePools: { web: { max: 8, base: '25%' } } } }).metricReady('web');
export const checked: Config = defineConfig({ cluster: { name: 'shop', region: 'eu-west-1' }, nodePools: { web: {} } });
// @ts-expect-error: a key that no NodePool has
defineConfig({ cluster: { name: 'shop', region: 'eu-west-1' }, nodePools: { web: { mx: 8 } } });

// @ts-expect-error: a misspelled option
addStacks(app, { files: [], envv: 'staging' });
// @ts-expect-error: a config of the wrong shape
new HeadstartStack(app, 'x', { config: { cluster: 1 } });
type Pool = NonNullable<Config['headrooms'][number]['pool']>;
// @ts-expect-error: a value that the schema does not take
export const pool: Pool = { family: [1] };
type Karpenter = NonNullable<Config['karpenter']>;
// @ts-expect-error: a key that the schema does not know
export const karpenter: Karpenter = { manage: true, mange: true };
`;
