import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configPaths, displayPath, loadConfigFiles } from '../../../../shared/adapters/files/config-files';
import { formatProblem } from '../../../../shared/core/config/yaml/problem';

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

describe('a file that extends another', () => {
  const clusters = join(folder, 'clusters');
  const write = (name: string, text: string) => {
    writeFileSync(join(clusters, name), text);
    return join(clusters, name);
  };
  const LUNCH = 'name: lunch, timezone: UTC, start: 0 11 * * *, end: 0 13 * * *';
  const problemsOf = (...files: [string, string?]) => {
    const loaded = loadConfigFiles(...files);
    return loaded.ok ? [] : loaded.problems.map((problem) => formatProblem(problem).replaceAll(`${clusters}/`, ''));
  };
  beforeAll(() => {
    mkdirSync(clusters);
    write(
      'base.yaml',
      `cluster: {region: eu-west-1}\nnodePools:\n  web: {max: 9, unit: {floor: {cpu: 4}}, schedules: [{${LUNCH}, desiredReplicas: 6}]}\n  ci: {max: 2}\n`,
    );
  });

  test('lays itself on top of its base, and its overlay on top of both', () => {
    const file = write(
      'a.yaml',
      'extends: base.yaml\ncluster: {name: a}\nnodePools: {web: {base: 1}, ci: {base: 1}}\n',
    );
    write('a.prod.yaml', 'nodePools: {web: {base: 3}}\n');
    const [alone, overlaid] = [loadConfigFiles(file), loadConfigFiles(file, 'prod')];
    expect(alone).toMatchObject({
      config: {
        cluster: { name: 'a', region: 'eu-west-1' },
        headrooms: [
          { name: 'web', base: 1, max: 9 },
          { name: 'ci', base: 1, max: 2 },
        ],
      },
    });
    expect(overlaid).toMatchObject({ config: { headrooms: [{ base: 3, max: 9 }, { base: 1 }] } });
    expect(configPaths(file, 'prod')).toEqual(
      ['base.yaml', 'a.yaml', 'a.prod.yaml'].map((name) => join(clusters, name)),
    );
  });

  test('replaces the kind of size of a window that the base sizes otherwise', () => {
    const file = write(
      'more.yaml',
      'extends: base.yaml\ncluster: {name: a}\nnodePools: {web: {schedules: [{name: lunch, addNodes: 2}]}}\n',
    );
    const loaded = loadConfigFiles(file);
    expect(loaded.ok && loaded.config.headrooms[0]?.windows).toMatchObject([
      { name: 'lunch', replicas: 2, relative: true },
    ]);
  });

  test.each([
    {
      name: 'an error in the base is named there',
      base: 'cluster: {region: eu-west-1}\nnodePools: {web: {max: many}}\n',
      file: 'extends: wrong.yaml\ncluster: {name: a}\n',
      says: ['wrong.yaml:2:19: nodePools.web.max is "many"; write a whole number from 0 to 5000'],
    },
    {
      name: 'a base that does not exist is named where it is extended',
      file: 'cluster: {name: a}\nextends: ../nothing.yaml\n',
      says: [
        `b.yaml:2:1: extends names ${join(folder, 'nothing.yaml')}, which does not exist; write the path from this file to its base`,
      ],
    },
    {
      name: 'a base that extends another is refused',
      base: 'extends: base.yaml\n',
      file: 'extends: wrong.yaml\ncluster: {name: a}\n',
      says: ['wrong.yaml:1:1: extends is in a file that b.yaml extends; a base extends nothing'],
    },
    {
      name: 'a list of bases is refused',
      file: 'extends: [base.yaml]\ncluster: {name: a, region: eu-west-1}\nnodePools: {web: {max: 1}}\n',
      says: [
        'b.yaml:1:1: extends is ["base.yaml"]; write the path of one base file, relative to this one, such as base.yaml',
      ],
    },
  ])('$name', ({ base, file, says }) => {
    if (base !== undefined) write('wrong.yaml', base);
    expect(problemsOf(write('b.yaml', file))).toEqual(says);
  });

  test('an overlay that extends a file is refused', () => {
    const file = write('c.yaml', 'extends: base.yaml\ncluster: {name: a}\n');
    write('c.prod.yaml', 'extends: base.yaml\n');
    expect(problemsOf(file, 'prod')).toEqual([
      'c.prod.yaml:1:1: extends is in an overlay; write it in the file that the overlay is for',
    ]);
  });
});
