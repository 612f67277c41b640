import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SCENARIOS } from '../../lab/simulator/scenarios/scenarios';
import { runCommand } from '../cluster/harness/process/run-command';
import { FAULT_KINDS } from '../faults/environment/fault-kinds';
import { packed } from './harness/packed';

const MAX_BYTES = 3_000_000;
const installed = (name: 'alone' | 'withCdk') => join(packed()[name], 'node_modules', 'headstart');

test('the tarball is under 3 MB', () => {
  expect(statSync(packed().tarball).size).toBeLessThan(MAX_BYTES);
});

test('publint finds nothing to say', async () => {
  const program = join(__dirname, '..', '..', 'node_modules', '.bin', 'publint');
  expect(await runCommand({ program, args: ['run', packed().tarball, '--strict'] })).toContain('All good!');
});

test('installing it runs nothing: no script of the manifest is one that npm runs at an install', () => {
  const { scripts } = JSON.parse(readFileSync(join(installed('alone'), 'package.json'), 'utf8'));
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
  expect(Object.keys(scripts).filter((name) => atInstall.includes(name))).toEqual([]);
});

test('installing it brings nothing else along', () => {
  const modules = readdirSync(join(packed().alone, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(modules).toEqual(['headstart']);
});

test('it holds what is run and no sources, tests or build tools', () => {
  const files = readdirSync(installed('alone'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /\.[cm]?ts$/.test(file) && !file.endsWith('.d.ts'))).toEqual([]);
  const top = new Set(files.map((file) => file.split('/')[0]));
  expect([...top].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'docs',
    'lab',
    'package.json',
  ]);
});

test('the fault simulation is not part of it', () => {
  const folder = installed('alone');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
  // The sandbox is, and its scenarios are bundled as literals too.
  for (const { title } of SCENARIOS) expect(text).toContain(title);
  const ofFaults = FAULT_KINDS.filter((kind) => kind.split(' ').length >= 3);
  expect(ofFaults.length).toBeGreaterThan(20);
  expect(ofFaults.filter((kind) => text.includes(kind))).toEqual([]);
});

test.each(['dist/command', 'dist/infra', 'bin'])(
  'nothing in %s loads a compiler or a package that npm did not bring',
  (folder) => {
    const path = join(installed('alone'), folder);
    const text = readdirSync(path)
      .map((file) => readFileSync(join(path, file), 'utf8'))
      .join('\n');
    const named = [...text.matchAll(/(?:from|import|require\()\s*\(?\s*["']([^"'.\s][^"'\s]*)["']/g)].map(
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => /^(esbuild|tsx|typescript)($|\/)/.test(name ?? ''))).toEqual([]);
  },
);

test('the licences of everything that is bundled are part of it', () => {
  const text = readFileSync(join(installed('alone'), 'dist/third-party-licenses.txt'), 'utf8');
  for (const name of [
    'zod',
    'yaml',
    'commander',
    '@aws-sdk/client-lambda',
    '@kubernetes/client-node',
    'uplot',
    'lit-html',
  ])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+`, 'm'));
  expect(text).not.toMatch(/\b(A?GPL|SSPL)\b/);
});
