import { readFileSync, writeFileSync } from 'node:fs';
import { type LoadedConfig, loadConfig } from '../../../../../shared/core/config/read/load';
import { liveProblemText, loadLive } from '../../../../../shared/core/config/read/load-live';
import { formatProblem } from '../../../../../shared/core/config/yaml/problem';
import { IS_WRITING } from '../../../../golden/is-writing';
import { CLUSTER, pool } from '../config-text';

const FILE = `${__dirname}/said.txt`;

const paragraphs = readFileSync(FILE, 'utf8').trimEnd().split('\n\n');
const rules = paragraphs.slice(1).map((paragraph) => {
  const [title = '', ...lines] = paragraph.split('\n');
  const written = lines.filter((line) => !line.startsWith('=> '));
  return { name: title.slice(2), title, written, says: lines.slice(written.length) };
});

/** If a change is meant: `npm run golden`, and read the difference. */
if (IS_WRITING) {
  const now = rules.map(({ title, written }) => [title, ...written, ...said(title, written)].join('\n'));
  writeFileSync(FILE, `${[paragraphs[0], ...now].join('\n\n')}\n`);
}

test.each(rules)('validate says of $name exactly what stands in said.txt', ({ title, written, says }) => {
  expect(said(title, written)).toEqual(says);
});

function said(title: string, written: readonly string[]): string[] {
  if (title.startsWith('# live: ')) return live(written.join('\n')).map((text) => `=> ${text}`);
  const at = written.indexOf('---');
  const [first, overlay] = at < 0 ? [written, undefined] : [written.slice(0, at), written.slice(at + 1)];
  const loaded = loadConfig([
    { file: 'headroom.yaml', text: whole(first) },
    ...(overlay ? [{ file: 'over.yaml', text: overlay.join('\n') }] : []),
  ]);
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
