import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const SCRIPT = resolve(__dirname, '../../../scripts/lint/rooms.mjs');
const ROOMS = ['shared', 'lambdas', 'infra', 'cli', 'lab', 'scripts', 'test', 'bench'];

const made: string[] = [];
afterAll(() => made.forEach((root) => void rmSync(root, { recursive: true })));

interface Tree {
  readonly [path: string]: string;
}

function lint(tree: Tree): { readonly code: number | null; readonly errors: string; readonly output: string } {
  const root = mkdtempSync(join(tmpdir(), 'rooms-'));
  made.push(root);
  for (const room of ROOMS) mkdirSync(join(root, room));
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stderr, stdout } = spawnSync(process.execPath, [SCRIPT, root], { encoding: 'utf8' });
  return { code: status, errors: stderr, output: stdout };
}

test('a tree whose imports all point inward passes', () => {
  const { code, output } = lint({
    'shared/core/decide.ts': 'export const decide = 1;\n',
    'shared/adapters/kube.ts': "import { decide } from '../core/decide';\nexport const kube = decide;\n",
    'cli/plan/plan.ts': 'export const plan = 1;\n',
    'cli/program.ts': "import { add } from '../lab/suggest/command';\nvoid add;\n",
    'lab/suggest/command.ts': "import '../../cli/input/options';\nexport const add = 1;\n",
    'cli/input/options.ts': '',
    'cli/export/export.ts': "import type { App } from '../../infra/app';\nexport type Exported = App;\n",
    'lab/simulator/run/session.ts': "export * from '../../../shared/adapters/kube';\n",
    'infra/app.ts': 'export type App = string;\n',
    'test/cli/plan.test.ts': "import { plan } from '../../cli/plan/plan';\nvoid plan;\n",
  });

  expect(code).toBe(0);
  expect(output).toBe('6 imports between 10 files keep to their rooms, without cycles\n');
});

const ONLY_CLI = 'cli may import shared';
test.each([
  ['shared/core/a.ts', "import type { B } from '../adapters/b';", 'shared/adapters/b.ts', 'nothing of the other rooms'],
  [
    'lab/simulator/a.ts',
    "export { b } from '../console/b';",
    'lab/console/b.ts',
    'lab/simulator may import shared, lab',
  ],
  ['cli/plan/a.ts', "void import('../../infra/b');", 'infra/b.ts', ONLY_CLI],
  ['cli/init/a.ts', "void import('../../lab/suggest/b');", 'lab/suggest/b.ts', ONLY_CLI],
  ['cli/program.ts', "import '../lab/suggest/b';", 'lab/suggest/b.ts', ONLY_CLI],
  ['lambdas/a.ts', "import '../lab/learning/b';", 'lab/learning/b.ts', 'lambdas may import shared'],
  ['lab/console/a.js', "/** @typedef {import('../../cli/b').B} B */", 'cli/b.ts', 'lab/console may import shared'],
])('%s with the line %s is reported, by file and line', (from, line, to, says) => {
  const { code, errors } = lint({ [from]: `\n${line}\n`, [to]: '' });
  expect(errors).toMatch(new RegExp(`^${from}:2: imports ${to}; .*${says}`, 'm'));
  expect(code).toBe(1);
});

test('a file beside the rooms of shared is reported', () => {
  const { code, errors } = lint({ 'shared/loose.ts': "import './core/decide';\n", 'shared/core/decide.ts': '' });
  expect(errors).toContain('shared/loose.ts:1: is in no room; move it into one of shared/core, shared/drawing');
  expect(code).toBe(1);
});

test('a cycle between files is reported with its imports, and what hangs off it is not', () => {
  const { code, errors } = lint({
    'cli/a.ts': "import './b';\n",
    'cli/b.ts': "import type { C } from './c';\nexport { leaf } from './leaf';\n",
    'cli/c.ts': "export type C = import('./a').A;\n",
    'cli/leaf.ts': 'export const leaf = 1;\n',
    'cli/root.ts': "import './a';\n",
  });

  expect(errors).toBe(
    [
      'cycle between files cli/a.ts, cli/b.ts, cli/c.ts:',
      '  cli/a.ts:1 imports cli/b.ts',
      '  cli/b.ts:1 imports cli/c.ts',
      '  cli/c.ts:1 imports cli/a.ts',
      '',
    ].join('\n'),
  );
  expect(code).toBe(1);
});

test('a cycle between folders is reported although no files form one, the thinnest joint first', () => {
  const { code, errors } = lint({
    'cli/main.ts': "import './show/table';\nimport './show/line';\n",
    'cli/exit.ts': '',
    'cli/show/table.ts': '',
    'cli/show/line.ts': "import type { Exit } from '../exit';\n",
  });

  expect(errors).toBe(
    [
      'cycle between folders cli, cli/show:',
      '  cli/show/line.ts:1 imports cli/exit.ts',
      '  cli/main.ts:1 imports cli/show/table.ts, and 1 more from cli to cli/show',
      '',
    ].join('\n'),
  );
  expect(code).toBe(1);
});
