import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { loadConfigFiles } from '../../../../shared/adapters/files/config-files';
import type { Config } from '../../../../shared/core/config/config';
import { loadConfig } from '../../../../shared/core/config/read/load';
import { configJsonSchema } from '../../../../shared/core/config/schema/json-schema';
import { formatProblem } from '../../../../shared/core/config/yaml/problem';
import { nodePoolManifests } from '../../../../shared/core/karpenter/node-pools';

type Schema = ReturnType<typeof configJsonSchema>;

const read = (file: string) => ({ file, text: readFileSync(`examples/${file}`, 'utf8') });
const FILES = ['full.yaml', 'full.staging.yaml', 'full.dev.yaml', 'clusters/shop-eu.yaml'];
const SETS = [
  { name: 'production', files: ['full.yaml'] },
  { name: 'staging', files: ['full.yaml', 'full.staging.yaml'] },
  { name: 'dev', files: ['full.yaml', 'full.dev.yaml'] },
];

function load(files: readonly string[]): Config {
  const loaded = loadConfig(files.map(read));
  if (!loaded.ok) throw new Error(loaded.problems.map(formatProblem).join('\n'));
  return loaded.config;
}

test.each(SETS)('$name loads without a problem and without a warning', ({ files }) => {
  const loaded = loadConfig(files.map(read));
  const said = loaded.ok ? loaded.warnings : loaded.problems;
  expect(said.map(formatProblem)).toEqual([]);
  expect(loaded.ok).toBe(true);
});

test.each(['shop-eu', 'shop-us'])('the example of many clusters loads %s on top of its base', (name) => {
  const loaded = loadConfigFiles(`examples/clusters/${name}.yaml`);
  expect(loaded).toMatchObject({ ok: true, config: { cluster: { name, liveSchedules: true } } });
});

test.each(SETS)('$name generates a NodePool and an EC2NodeClass for each of the five purposes', ({ files }) => {
  const made = nodePoolManifests(load(files)).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  for (const purpose of ['default', 'service', 'monitoring', 'cicd', 'system-critical'])
    expect(made).toEqual(expect.arrayContaining([`NodePool/${purpose}`, `EC2NodeClass/${purpose}`]));
});

test('overlays change names, sizes and what is created', () => {
  const [production, staging, dev] = SETS.map(({ files }) => load(files));
  expect([production, staging, dev].map((config) => config?.cluster.name)).toEqual([
    'shop',
    'shop-staging',
    'shop-dev',
  ]);
  const lunch = (config: Config | undefined) =>
    config?.headrooms.find(({ name }) => name === 'service')?.windows.find(({ name }) => name === 'lunch')?.replicas;
  expect([lunch(production), lunch(staging), lunch(dev)]).toEqual([10, 3, undefined]);
  expect(dev?.karpenter).toMatchObject({ identity: 'irsa', queue: 'shop-dev', nodeAccess: 'aws-auth' });
});

test('every key that the schema knows occurs in the full example, its overlays or the example of many clusters', () => {
  const known = keysOf(configJsonSchema());
  const used = new Set(FILES.flatMap((file) => usedKeys(configJsonSchema(), parse(read(file).text))));
  expect(known.length).toBeGreaterThan(150);
  expect(known.filter((key) => !used.has(key))).toEqual([]);
});

test('docs/karpenter.md names every key of the karpenter and pool blocks', () => {
  const docs = readFileSync('docs/karpenter.md', 'utf8');
  const top = /^\.(karpenter|nodePools\.\*\.pool)\.(\w+)$/;
  const keys = keysOf(configJsonSchema()).flatMap((path) => top.exec(path)?.[2] ?? []);
  expect(keys.length).toBeGreaterThan(40);
  expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(docs))).toEqual([]);
});

/** Every key of a schema as a path; `defaults` may set what a NodePool may, so both count as one place. */
function keysOf(schema: Schema, path = ''): string[] {
  const inner = [...branches(schema), ...children(schema)].flatMap((child) => keysOf(child, `${path}.*`));
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    if (key === 'defaults') return ['.defaults'];
    return [`${path}.${key}`, ...keysOf(child as Schema, `${path}.${key}`)];
  });
  return [...new Set([...own, ...inner])];
}

function usedKeys(schema: Schema, value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = [
    ...branches(schema).flatMap((branch) => usedKeys(branch, value, `${path}.*`)),
    ...children(schema).flatMap((child) => Object.values(value).flatMap((one) => usedKeys(child, one, `${path}.*`))),
  ];
  const own = Object.entries(value).flatMap(([key, one]) => {
    const child = schema.properties?.[key] as Schema | undefined;
    if (!child) return [];
    if (key === 'defaults') return ['.defaults', ...usedKeys(child, one, '.nodePools.*')];
    return [`${path}.${key}`, ...usedKeys(child, one, `${path}.${key}`)];
  });
  return [...own, ...inner];
}

function branches(schema: Schema): Schema[] {
  return [...(schema.anyOf ?? []), ...(schema.allOf ?? [])] as Schema[];
}

/** What the entries of a map or the items of a list look like. */
function children(schema: Schema): Schema[] {
  return [schema.items, schema.additionalProperties].filter(
    (child): child is Schema => typeof child === 'object' && child !== null && !Array.isArray(child),
  );
}
