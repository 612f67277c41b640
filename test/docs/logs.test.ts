import { readFileSync } from 'node:fs';
import { pageNames, pageText } from './pages';

/** What the functions log, as the transcript of their lines shows it: the fields of each message. */
const logged = new Map<string, Set<string>>();
for (const line of readFileSync('test/shared/core/report-lines.txt', 'utf8').split('\n')) {
  const [, message = '', fields] = /^(?:info|warn|error) (.+?) (\{.*\})$/.exec(line) ?? [];
  if (fields === undefined) continue;
  const known = logged.get(message) ?? logged.set(message, new Set(['level', 'message'])).get(message);
  for (const field of Object.keys(JSON.parse(fields))) known?.add(field);
}

const pages = pageNames().map((page) => ({ page, text: pageText(page) }));
const queries = pages.flatMap(({ page, text }) =>
  [...text.matchAll(/^ *filter message = "(.+)"[\s\S]*?(?=\n\n)/gm)].map(([query, message = '']) => ({
    page,
    message,
    fields: fieldsIn(query),
  })),
);
const lines = pages.flatMap(({ page, text }) =>
  [...text.matchAll(/^ *(\{"level":.+\})$/gm)].map(([, line = '']) => {
    const { message, ...fields } = JSON.parse(line);
    return { page, message: String(message), fields: Object.keys(fields) };
  }),
);

/** The fields of a Logs Insights query: neither its texts and functions, nor the names that it gives itself. */
function fieldsIn(query: string): readonly string[] {
  const given = [...query.matchAll(/\bas (\w+)/g)].map(([, name]) => name);
  const words = query.replace(/"[^"]*"/g, '').match(/@?[A-Za-z]\w*(?!\w|\()/g) ?? [];
  const keywords = ['filter', 'stats', 'sort', 'limit', 'fields', 'by', 'as', 'and', 'or', 'not', 'in', 'asc', 'desc'];
  return words.filter((word) => !keywords.includes(word) && !given.includes(word) && !word.startsWith('@'));
}

test('the pages have log queries and log lines', () => {
  expect(queries).toContainEqual(expect.objectContaining({ page: 'docs/operations.md' }));
  expect(lines).toContainEqual(expect.objectContaining({ page: 'docs/operations.md' }));
});

test.each([...queries, ...lines])('$page: "$message" is logged with the fields $fields', ({ message, fields }) => {
  expect([...(logged.get(message) ?? [])]).toEqual(expect.arrayContaining([...fields]));
});
