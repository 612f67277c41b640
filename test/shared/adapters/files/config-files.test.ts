import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configPaths, displayPath, loadConfigFiles } from '../../../../shared/adapters/files/config-files';

const folder = mkdtempSync(join(tmpdir(), 'headstart-config-files-'));
const path = join(folder, 'headroom.yaml');
beforeAll(() => {
  writeFileSync(path, 'cluster: {name: demo, region: eu-west-1}\nnodePools: {web: {max: 9, base: 1}}\n');
  writeFileSync(join(folder, 'headroom.staging.yaml'), 'nodePools: {web: {base: 2}}\n');
  mkdirSync(join(folder, 'headroom.folder.yaml'));
  symlinkSync('headroom.loop.yaml', join(folder, 'headroom.loop.yaml'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const baseOf = (loaded: ReturnType<typeof loadConfigFiles>) => loaded.ok && loaded.config.headrooms[0]?.base;

test('an overlay stands beside the config, named after the environment', () => {
  expect(configPaths('a/headroom.yaml')).toEqual(['a/headroom.yaml']);
  expect(configPaths('a/headroom.yaml', 'prod')).toEqual(['a/headroom.yaml', 'a/headroom.prod.yaml']);
  expect([baseOf(loadConfigFiles(path)), baseOf(loadConfigFiles(path, 'staging'))]).toEqual([1, 2]);
});

test.each([
  {
    name: 'no config',
    files: [join(folder, 'other.yaml')],
    says: ['does not exist; write it with headstart init, or name another with --config'],
  },
  {
    name: 'no overlay',
    files: [path, 'prod'],
    says: ['does not exist; write it with an editor, or name another with --env'],
  },
  { name: 'a folder', files: [path, 'folder'], says: ['is a folder; name another with --env'] },
  { name: 'a loop', files: [path, 'loop'], says: ['cannot be read (ELOOP); name another with --env'] },
  {
    name: 'neither',
    files: [join(folder, 'other.yaml'), 'prod'],
    says: [
      'does not exist; write it with headstart init, or name another with --config',
      'does not exist; write it with an editor, or name another with --env',
    ],
  },
])('$name: every file that cannot be read is a problem that says what to do', ({ files: [file = '', env], says }) => {
  const problems = configPaths(file, env)
    .slice(-says.length)
    .map((unread, index) => ({ file: unread, line: 1, column: 1, path: '', message: says[index] }));
  expect(loadConfigFiles(file, env)).toEqual({ ok: false, problems });
});

test('a problem names the options of the program that reads', () => {
  const loaded = loadConfigFiles(join(folder, 'other.yaml'), 'prod', { config: '-c config', env: '-c env', init: 'x' });
  expect(!loaded.ok && loaded.problems.map(({ message }) => message)).toEqual([
    'does not exist; write it with x, or name another with -c config',
    'does not exist; write it with an editor, or name another with -c env',
  ]);
});

test('standard input is called by its name, a problem in a file by its path', () => {
  expect([displayPath('-'), displayPath(path)]).toEqual(['standard input', path]);
  const broken = join(folder, 'broken.yaml');
  writeFileSync(broken, 'cluster: {}\n');
  const loaded = loadConfigFiles(broken);
  expect(!loaded.ok && loaded.problems[0]?.file).toBe(broken);
});
