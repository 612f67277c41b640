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

test.each([
  {
    name: 'a core file that imports an adapter',
    tree: {
      'shared/core/decide.ts': "\nimport type { Kube } from '../adapters/kube';\n",
      'shared/adapters/kube.ts': 'export type Kube = string;\n',
    },
    says: 'shared/core/decide.ts:2: imports shared/adapters/kube.ts; shared/core may import nothing of the other rooms',
  },
  {
    name: 'a simulator that re-exports from the console',
    tree: { 'lab/simulator/run.ts': "export { page } from '../console/page';\n", 'lab/console/page.ts': '' },
    says: 'lab/simulator/run.ts:1: imports lab/console/page.ts; lab/simulator may import shared, lab/learning',
  },
  {
    name: 'a command other than export that loads the CDK app, even lazily',
    tree: { 'cli/plan/plan.ts': "void import('../../infra/app');\n", 'infra/app.ts': '' },
    says: 'cli/plan/plan.ts:1: imports infra/app.ts; cli may import shared',
  },
  {
    name: 'a command of the product that loads the lab, even lazily',
    tree: { 'cli/init/init.ts': "void import('../../lab/suggest/suggest');\n", 'lab/suggest/suggest.ts': '' },
    says: 'cli/init/init.ts:1: imports lab/suggest/suggest.ts; cli may import shared',
  },
  {
    name: 'a table of commands that imports more of the lab than what declares its commands',
    tree: { 'cli/program.ts': "import '../lab/suggest/suggest';\n", 'lab/suggest/suggest.ts': '' },
    says: 'cli/program.ts:1: imports lab/suggest/suggest.ts; cli may import shared',
  },
  {
    name: 'a function that imports the lab',
    tree: { 'lambdas/reconcile.ts': "import '../lab/learning/learn';\n", 'lab/learning/learn.ts': '' },
    says: 'lambdas/reconcile.ts:1: imports lab/learning/learn.ts; lambdas may import shared',
  },
  {
    name: 'a page whose comment imports a type from the command line',
    tree: { 'lab/console/page/app.js': "/** @typedef {import('../../../cli/exit').Exit} Exit */\n", 'cli/exit.ts': '' },
    says: 'lab/console/page/app.js:1: imports cli/exit.ts; lab/console may import shared, lab/simulator',
  },
  {
    name: 'a file beside the rooms of shared',
    tree: { 'shared/loose.ts': "import './core/decide';\n", 'shared/core/decide.ts': '' },
    says: 'shared/loose.ts:1: is in no room; move it into one of shared/core, shared/drawing',
  },
])('$name is reported with its line', ({ tree, says }) => {
  const { code, errors } = lint(tree as Tree);

  expect(errors).toContain(says);
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
