import { readFileSync, writeFileSync } from 'node:fs';
import { type LoadedConfig, loadConfig } from '../../../../../shared/core/config/read/load';
import { liveProblemText, loadLive } from '../../../../../shared/core/config/read/load-live';
import { formatProblem } from '../../../../../shared/core/config/yaml/problem';
import { IS_WRITING } from '../../../../golden/is-writing';
import { CLUSTER, pool } from '../config-text';

const NOW = Date.parse('2026-11-17T00:00:00Z');

/** Each a rule in a paragraph: what is written and what is said about it; and what new users write by mistake. */
const FILES = ['said.txt', 'mistakes.txt'];

const rules = FILES.flatMap((file) => {
  const paragraphs = readFileSync(`${__dirname}/${file}`, 'utf8').trimEnd().split('\n\n');
  const read = paragraphs.slice(1).map((paragraph) => {
    const [title = '', ...lines] = paragraph.split('\n');
    const written = lines.filter((line) => !line.startsWith('=> '));
    return { file, name: title.slice(2), title, written, says: lines.slice(written.length) };
  });
  /** If a change is meant: `npm run golden`, and read the difference. */
  if (IS_WRITING) {
    const now = read.map(({ title, written }) => [title, ...written, ...said(title, written)].join('\n'));
    writeFileSync(`${__dirname}/${file}`, `${[paragraphs[0], ...now].join('\n\n')}\n`);
  }
  return read;
});

test.each(rules)('validate says of $name exactly what stands in $file', ({ title, written, says }) => {
  expect(said(title, written)).toEqual(says);
});

test('forty mistakes of new users are found, each with its line, its column and what to write', () => {
  const mistakes = rules.filter(({ file }) => file === 'mistakes.txt');
  expect(mistakes.length).toBeGreaterThanOrEqual(40);
  for (const { name, says } of mistakes)
    expect({ name, says }).toEqual({
      name,
      says: expect.arrayContaining([expect.stringMatching(/^=> (warning )?headroom\.yaml:\d+:\d+: /)]),
    });
  const lines = mistakes.flatMap(({ says }) => says);
  expect(lines.filter((line) => !/write|did you mean|leave it out|raise max/.test(line))).toEqual([]);
});

function said(title: string, written: readonly string[]): string[] {
  if (title.startsWith('# live: ')) return live(written.join('\n')).map((text) => `=> ${text}`);
  const at = written.indexOf('---');
  const [first, overlay] = at < 0 ? [written, undefined] : [written.slice(0, at), written.slice(at + 1)];
  const loaded = loadConfig(
    [
      { file: 'headroom.yaml', text: whole(first) },
      ...(overlay ? [{ file: 'over.yaml', text: overlay.join('\n') }] : []),
    ],
    NOW,
  );
  return sentences(loaded).map((text) => `=> ${text}`);
}

function live(text: string): string[] {
  const loaded = loadLive({ file: 'live.yaml', text });
  if (loaded.ok) return [JSON.stringify([...loaded.parts])];
  return [...loaded.problems.map(formatProblem), `first ${liveProblemText(loaded.problems, text)}`];
}

function whole(lines: readonly string[]): string {
  if (!lines.some((line) => line.startsWith('nodePools:'))) return pool(...lines);
  return `${lines.some((line) => line.startsWith('cluster:')) ? '' : CLUSTER}${lines.join('\n')}\n`;
}

function sentences(loaded: LoadedConfig): string[] {
  if (!loaded.ok) return loaded.problems.map(formatProblem);
  const { warnings, hints } = loaded;
  return [
    ...warnings.map((one) => `warning ${formatProblem(one)}`),
    ...hints.map((one) => `hint ${formatProblem(one)}`),
  ];
}
