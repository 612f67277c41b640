import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { IS_WRITING } from './is-writing';

/**
 * A golden file: one paragraph per case, `# its name` and the text below it. To change what a case says, change the
 * code, run `npm run golden` and read the difference. A paragraph that no case asks for fails the file.
 *
 *     const said = golden(`${__dirname}/status.txt`);
 *     test('...', () => said('a floor with two nodes', out));
 *
 * With one argument, the case is named after the running test.
 */
export function golden(file: string) {
  const kept = existsSync(file) ? parse(readFileSync(file, 'utf8')) : new Map<string, string>();
  const seen = new Map<string, string>();
  afterAll(() => {
    const isWhole = !process.argv.some((word) => word === '-t' || word.startsWith('--testNamePattern'));
    if (IS_WRITING) return write(file, isWhole ? inOrderOf(kept, seen) : new Map([...kept, ...seen]));
    const unused = [...kept.keys()].filter((name) => !seen.has(name));
    if (isWhole && unused.length > 0) throw new Error(`${file}: no case says ${unused.join(', ')}; run npm run golden`);
  });
  function said(text: string): void;
  function said(name: string, text: string): void;
  function said(first: string, second?: string): void {
    const name = second === undefined ? (expect.getState().currentTestName ?? '') : first;
    const text = normal(second ?? first);
    if (seen.has(name) && seen.get(name) !== text) throw new Error(`${file}: two cases are called ${name}`);
    seen.set(name, text);
    if (!IS_WRITING) expect(text).toBe(kept.get(name) ?? `(not in ${file}; run npm run golden)`);
  }
  return said;
}

function parse(content: string): Map<string, string> {
  const paragraphs = content.split(/^# /m).slice(1);
  return new Map(
    paragraphs.map((paragraph) => {
      const end = paragraph.indexOf('\n');
      return [paragraph.slice(0, end), normal(paragraph.slice(end + 1).replace(/^\\# /gm, '# '))];
    }),
  );
}

/** Trailing blanks do not survive editors, and say nothing. */
function normal(text: string): string {
  return text.replace(/[ \t]+$/gm, '').replace(/^\n+|\n+$/g, '');
}

/** Cases stay where they are in the file, also in a random order of tests; new ones follow. */
function inOrderOf(kept: ReadonlyMap<string, string>, seen: ReadonlyMap<string, string>): Map<string, string> {
  const stay = [...kept.keys()].filter((name) => seen.has(name));
  const names = new Set([...stay, ...seen.keys()]);
  return new Map([...names].map((name) => [name, seen.get(name) ?? '']));
}

function write(file: string, cases: ReadonlyMap<string, string>): void {
  const paragraphs = [...cases].map(([name, text]) => `# ${name}\n${text.replace(/^# /gm, '\\# ')}\n`);
  writeFileSync(file, paragraphs.join('\n'));
}
