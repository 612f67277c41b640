import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { entryFiles, entryInputs } from '../../../infra/bundling/build-entry';
import { BUNDLE_FILE, bundleTo, configText } from '../../../infra/bundling/bundling';
import type { Config } from '../../../shared/core/config/config';
import { configIn } from '../../fakes/loaded-config';
import { tempFolder } from '../../fakes/temp-folder';

const HANDLERS = ['reconcile', 'alarm', 'interruption', 'announce', 'inflate'].map((name) => `runtime/${name}`);
const LIVE_HANDLERS = HANDLERS.map((entry) => `${entry}-live`);
/** What YAML and schema of the live schedules may take. */
const MAX_LIVE_CHUNK = 330_000;
const CUSTOM_RESOURCES = [
  'cluster-endpoint',
  'cluster-objects',
  'deploy-reconcile',
  'set-discovery-tags',
  'drop-admin',
  'relay',
].map((name) => `deploy/${name}`);
/** What reads the config file and has no business in a function. */
const DEPLOY_ONLY = ['zod', 'yaml', 'cron-parser', 'luxon', 'aws-cdk-lib', '@kubernetes/client-node'];
/** What the SDK would load in a browser. */
const NEVER_LOADED = /bowser/;
/** What only a person's override or question needs. */
const FOR_PEOPLE = /\/(parse-override|status|highest-window|closing)\.ts$/;

const folder = tempFolder();

const config = configIn('headroom.yaml');
const bundles = HANDLERS.map((entry) => {
  const bundle = join(folder, entry);
  bundleTo(bundle, entry, { config });
  return { entry, bundle, metafile: entryInputs(entry) };
});

describe.each(bundles)('the bundle of $entry', ({ entry, bundle, metafile }) => {
  test('holds nothing that only a deploy needs', () => {
    const packages = new Set(Object.keys(metafile.inputs).map(packageOf));
    expect(DEPLOY_ONLY.filter((name) => packages.has(name))).toEqual([]);
    const unwanted = /\/instance-names\.ts$|\/pricing\//;
    expect(Object.keys(metafile.inputs).filter((input) => unwanted.test(input))).toEqual([]);
  });

  test('holds nothing that is never loaded', () => {
    const written = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
    expect(written.filter((input) => NEVER_LOADED.test(input))).toEqual([]);
  });

  test('loads what people need only where people come in', () => {
    const atStart = [...staticInputs(metafile, `bundle/${BUNDLE_FILE}`)];
    expect(atStart.some((input) => FOR_PEOPLE.test(input))).toBe(entry === 'runtime/inflate');
  });

  test('loads no SDK client before one is asked for', () => {
    const atStart = staticInputs(metafile, `bundle/${BUNDLE_FILE}`);
    expect(atStart).toContain(`lambdas/${entry}.ts`);
    expect([...atStart].filter((input) => input.includes('@aws-sdk/client-'))).toEqual([]);
  });

  test('reads one file at a cold start', () => {
    const imports = metafile.outputs[`bundle/${BUNDLE_FILE}`]?.imports ?? [];
    expect(imports.filter(({ kind, external }) => kind === 'import-statement' && !external)).toEqual([]);
  });

  test('starts as an ES module', () => {
    const script = `import(${JSON.stringify(join(bundle, BUNDLE_FILE))}).then(({handler}) => console.log(typeof handler))`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: 'function', stderr: '' });
  });
});

describe('with live schedules', () => {
  const starts = (entry: string) => staticInputs(entryInputs(entry), `bundle/${BUNDLE_FILE}`);
  const live = (inputs: Iterable<string>) => [...inputs].filter((input) => /\/live\//.test(input));

  test.each(HANDLERS)('%s has no code for them unless they are configured', (entry) => {
    expect(live(Object.keys(entryInputs(entry).inputs))).toEqual([]);
  });

  test.each(LIVE_HANDLERS)('%s starts without YAML and schema', (entry) => {
    const packages = new Set([...starts(entry)].map(packageOf));
    expect(DEPLOY_ONLY.filter((name) => packages.has(name))).toEqual([]);
    expect(live(starts(entry))).not.toEqual([]);
  });

  test('reconcile alone reads their ConfigMap', () => {
    const code = (entry: string) => entryFiles(entry).map(({ contents }) => Buffer.from(contents).toString());
    const readers = [...HANDLERS, ...LIVE_HANDLERS].filter((entry) => code(entry).join('').includes('/configmaps/'));
    expect(readers).toEqual(['runtime/reconcile-live']);
  });

  test('YAML and schema are one chunk, without the languages that nobody asked for', () => {
    const { outputs } = entryInputs('runtime/reconcile-live');
    const chunks = Object.values(outputs).filter(({ inputs }) =>
      Object.keys(inputs).some((one) => packageOf(one) === 'yaml'),
    );
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.bytes).toBeLessThan(MAX_LIVE_CHUNK);
  });
});

describe.each([...HANDLERS, ...LIVE_HANDLERS, ...CUSTOM_RESOURCES])('the bundle of %s', (entry) => {
  test('finds everything that it imports in itself or in Node.js', () => {
    const { outputs } = entryInputs(entry);
    const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
    expect(outside.map(({ path }) => path).filter((path) => !isBuiltin(path))).toEqual([]);
  });

  test('takes from built-in modules only what it uses, for an import would load them whole', () => {
    const code = entryFiles(entry).map(({ contents }) => Buffer.from(contents).toString());
    expect(code.filter((text) => /\bfrom ?["']node:/.test(text))).toEqual([]);
    expect(code.join('')).toContain('process.getBuiltinModule("node:');
  });
});

test('a bundle made again is the same, so that the hash of the asset is stable', () => {
  const again = join(folder, 'again');
  jest.isolateModules(() => {
    const fresh = jest.requireActual<typeof import('../../../infra/bundling/bundling')>(
      '../../../infra/bundling/bundling',
    );
    fresh.bundleTo(again, 'runtime/reconcile', { config });
  });
  expect(contentsOf(again)).toEqual(contentsOf(join(folder, 'runtime/reconcile')));
});

test('the config beside the bundle has no deploy-time parts, and the rest unchanged', () => {
  const [first, ...others] = config.headrooms;
  if (!first) throw new Error('headroom.yaml has no NodePool');
  const full: Config = {
    ...config,
    karpenter: { manage: true },
    headrooms: [{ ...first, pool: { family: ['t3'] } }, ...others],
  };
  expect(JSON.parse(configText(full))).toEqual(JSON.parse(JSON.stringify(config)));
  expect(JSON.parse(readFileSync(join(folder, 'runtime/reconcile', 'config.json'), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(config)),
  );
});

function packageOf(input: string): string | undefined {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
}

/** The inputs that are evaluated when the file is loaded, without what is imported on demand. */
function staticInputs(metafile: Metafile, file: string, seen = new Set<string>()): Set<string> {
  const output = metafile.outputs[file];
  if (!output || seen.has(file)) return new Set();
  seen.add(file);
  const chunks = output.imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
  return new Set([
    ...Object.keys(output.inputs),
    ...chunks.flatMap(({ path }) => [...staticInputs(metafile, path, seen)]),
  ]);
}

function contentsOf(bundle: string): Record<string, string> {
  return Object.fromEntries(readdirSync(bundle).map((file) => [file, readFileSync(join(bundle, file), 'utf8')]));
}
