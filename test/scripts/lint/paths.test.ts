import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const SCRIPT = resolve(__dirname, '../../../scripts/lint/paths.mjs');
const SOURCES = { 'shared/core/decide.ts': '', 'shared/core/events/alarm.ts': '' };

const made: string[] = [];
afterAll(() => made.forEach((root) => void rmSync(root, { recursive: true })));

function lint(tree: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'paths-'));
  made.push(root);
  for (const [path, text] of Object.entries({ ...SOURCES, ...tree })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stderr, stdout } = spawnSync(process.execPath, [SCRIPT, root], { encoding: 'utf8' });
  return { code: status, errors: stderr, output: stdout };
}

test('paths that exist pass', () => {
  const passed = lint({
    'docs/from-the-root.md': 'See `shared/core/decide.ts` and `shared/core/`.',
    'docs/from-a-folder.md': '| `events/alarm.ts`, `decide.ts` |',
    'docs/alternatives.md': '`shared/core/{decide,events/alarm}.ts`',
    'shared/core/README.md': '`events/` and `../core/decide.ts`',
    'cli/a.ts': "// As in shared/core/decide.ts:12, and alarm.ts.\nvoid 'cli/gone.ts';\n",
    'package.json': '{ "scripts": { "a": "node shared/core/decide.ts" } }',
    'test/jest.config.js': "module.exports = { roots: ['<rootDir>/shared/core'] };",
  });

  expect(passed).toEqual({ code: 0, errors: '', output: '12 paths named in docs, comments and scripts exist\n' });
});

test('what is not a path of the repository is left alone', () => {
  const passed = lint({
    'docs/a.md': 'https://example.com/shared/core/gone.ts `https://example.com/shared/core/gone.ts`',
    'docs/b.md': '`dist/gone.mjs`, `node_modules/gone/index.mjs`',
    'docs/c.md': '`provisioners/*.yaml`, `pkg/apis/crds`',
  });

  expect(passed).toEqual({ code: 0, errors: '', output: '0 paths named in docs, comments and scripts exist\n' });
});

describe('paths that do not exist', () => {
  const MISSING = [
    { path: 'docs/file.md', text: '\nSee `shared/core/gone.ts`.', says: 'docs/file.md:2: shared/core/gone.ts' },
    { path: 'docs/folder.md', text: 'See `shared/core/gone/`.', says: 'docs/folder.md:1: shared/core/gone/' },
    // There is a decide.ts, but not here.
    { path: 'docs/moved.md', text: 'See `shared/decide.ts`.', says: 'docs/moved.md:1: shared/decide.ts' },
    { path: 'docs/short.md', text: '| `events/decide.ts` |', says: 'docs/short.md:1: events/decide.ts' },
    { path: 'docs/short-folder.md', text: 'In `gone/`.', says: 'docs/short-folder.md:1: gone/' },
    { path: 'docs/command.md', text: 'Run:\n\n    npx tsx cli/gone.ts up\n', says: 'docs/command.md:3: cli/gone.ts' },
    { path: 'docs/fenced.md', text: '```sh\nnpx tsx cli/gone.ts up\n```\n', says: 'docs/fenced.md:2: cli/gone.ts' },
    { path: 'docs/either.md', text: '`shared/core/{decide,gone}.ts`', says: 'docs/either.md:1: shared/core/gone.ts' },
    { path: 'docs/any.md', text: '`shared/gone/*.ts`', says: 'docs/any.md:1: shared/gone' },
    { path: 'README.md', text: '`gone.ts`', says: 'README.md:1: gone.ts' },
    { path: 'test/cli/README.md', text: '`gone.test.ts`', says: 'test/cli/README.md:1: gone.test.ts' },
    { path: 'cli/line.ts', text: 'void 0; // See cli/gone.ts.\n', says: 'cli/line.ts:1: cli/gone.ts' },
    { path: 'cli/block.ts', text: '/**\n * As cli/gone.ts does.\n */\n', says: 'cli/block.ts:2: cli/gone.ts' },
    { path: 'examples/a.yaml', text: 'a: 1 # See docs/gone.md\n', says: 'examples/a.yaml:1: docs/gone.md' },
    { path: 'package.json', text: '{\n"a": "node scripts/gone.mjs"}', says: 'package.json:2: scripts/gone.mjs' },
    { path: 'test/jest.config.js', text: "a('<rootDir>/test/gone.ts')", says: 'test/jest.config.js:1: test/gone.ts' },
    { path: '.ci/run', text: '#!/bin/sh\ntsx scripts/gone.ts\n', says: '.ci/run:2: scripts/gone.ts' },
  ];
  let found: ReturnType<typeof lint>;

  beforeAll(() => {
    found = lint(Object.fromEntries(MISSING.map(({ path, text }) => [path, text])));
  });

  test.each(MISSING)('$says is reported', ({ says }) => {
    expect(found.errors.split('\n')).toContain(`${says} does not exist`);
  });

  test('fail the check, each reported once', () => {
    expect(found.code).toBe(1);
    expect(found.errors.trim().split('\n')).toHaveLength(MISSING.length);
  });
});
