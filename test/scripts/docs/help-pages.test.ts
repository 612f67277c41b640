import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { helpPages } from '../../../scripts/docs/help-pages';
import { folderWith, runCli } from '../../cli/run-cli';

const root = join(__dirname, '..', '..', '..');
const cli = join(root, 'docs', 'cli');

describe('docs/cli', () => {
  test('is what npm run docs -- cli writes', () => {
    const pages = helpPages();
    expect(readdirSync(cli).sort()).toEqual([...pages.keys()].sort());
    for (const [name, text] of pages)
      expect(`${name}\n${readFileSync(join(cli, name), 'utf8')}`).toBe(`${name}\n${text}`);
  });

  test('has an example for every command', () => {
    for (const [name, text] of helpPages()) if (name !== 'README.md') expect(text).toContain('    npx headstart ');
  });
});

describe('the help', () => {
  test('is shown when nothing is asked for, and a wrong command says what may be meant', async () => {
    const nothing = await runCli([]);
    expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining('Usage: npx headstart') });
    const wrong = await runCli(['inflat']);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('Did you mean inflate?') });
  });
});

describe.each(['from-keda.md', 'from-cluster-autoscaler.md', 'operations.md', 'config.md', '../README.md'])(
  'docs/%s',
  (name) => {
    const text = readFileSync(join(root, 'docs', name), 'utf8');

    test('names only commands and options that there are', () => {
      const lines = [...text.matchAll(/npx headstart ([^\n`]+)/g)].map(([, line = '']) => line);
      expect(lines.length).toBeGreaterThan(0);
      const pages = helpPages();
      for (const line of lines) {
        const [command = '', ...words] = line.split(/\s+/);
        const page = pages.get(`${command}.md`);
        expect({ line, known: page !== undefined }).toEqual({ line, known: true });
        for (const word of words.filter((one) => one.startsWith('--')))
          expect({ line, word, known: page?.includes(word) }).toEqual({ line, word, known: true });
      }
    });
  },
);

describe('docs/from-keda.md', () => {
  test('shows a ScaledObject that import reads as it says', async () => {
    const text = readFileSync(join(root, 'docs', 'from-keda.md'), 'utf8');
    const [scaledObject = '', config = ''] = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      ([, block = '']) => block,
    );
    const file = join(folderWith({ 'web.yaml': scaledObject }), 'web.yaml');
    const cluster = ['--cluster', 'my-cluster', '--region', 'ap-northeast-2'];
    const { code, out } = await runCli(['import', 'keda', file, ...cluster]);
    expect(code).toBe(0);
    const plain = (yaml: string) =>
      yaml.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
    expect(plain(out)).toEqual(plain(config));
  });
});
