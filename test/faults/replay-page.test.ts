import { PLANTED_BUGS } from './planted-bugs';
import { type Replay, replay, replayPage } from './replay-page';
import { runScenarios } from './run-scenarios';

jest.setTimeout(120_000);

let replayed: Replay;
let html: string;

beforeAll(async () => {
  replayed = await replay({ seed: 11 });
  html = replayPage(replayed);
});

/** The cells of every row of the table under a heading. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const section = html.split(`<h2>${heading}</h2>`)[1]?.split('<h2>')[0] ?? '';
  const [, body = ''] = /<tbody>(.*)<\/tbody>/s.exec(section) ?? [];
  return body.split('\n').map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell));
}

test('every Deployment that ever had a size is drawn, with its changes, who made them and why', () => {
  const sized = replayed.writes.filter(({ change }) => change.object.spec.replicas > 0);
  const names = [...new Set(sized.map(({ change }) => change.object.metadata.name))];
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    const rows = rowsUnder(name);
    const last = replayed.writes.findLast(({ change }) => change.object.metadata.name === name)?.change;
    expect(rows.at(-1)?.[2]).toMatch(new RegExp(` → ${last?.type === 'DELETED' ? 0 : last?.object.spec.replicas}$`));
    expect(html).toContain(`aria-label="replicas of ${name} over time"`);
  }
  const decided = rowsUnder('headroom-web').find(([, , , by]) => by?.startsWith('shop/reconcile#'));
  expect(decided).toEqual([
    expect.stringMatching(/^\d+$/),
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}$/),
    expect.stringMatching(/^\d+ → \d+$/),
    expect.stringMatching(/^shop\/reconcile#\d+$/),
    expect.stringContaining('base: '),
  ]);
});

test('the trace has a line for everything that happened, with its step and its time in UTC', () => {
  const rows = rowsUnder('Trace');
  expect(rows).toHaveLength(replayed.trace.length);
  const index = replayed.trace.findIndex(({ text }) => /\[.+\]$/.test(text));
  expect(index).toBeGreaterThan(0);
  const entry = replayed.trace[index];
  expect(rows[index]).toEqual([`${entry?.step}`, new Date(entry?.at ?? 0).toISOString().slice(11, 23), entry?.text]);
});

test('a page without a violation says so', () => {
  expect(html).toContain('<h1>Fault seed 11</h1>\n<p>No invariant was violated.</p>');
  expect(html).toContain(`${replayed.result.steps} steps`);
  expect(html).not.toContain('VIOLATED');
});

test('a violated invariant comes first, and again where it happened', async () => {
  const [bug] = PLANTED_BUGS;
  if (!bug) throw new Error('no bug');
  const { failed } = await runScenarios({ seed: 4, steps: 30_000, strategy: bug.strategy });
  const failing = await replay({ seed: failed?.seed ?? 0, strategy: bug.strategy });
  const [violation = ''] = failed?.violations ?? [];
  expect(violation).toMatch(bug.found);
  expect(failing.trace.map(({ text }) => text)).toContain(`VIOLATED: ${violation}`);
  const at = new Date(failing.result.endedAt).toISOString().replace('T', ' ').replace('Z', ' UTC');
  const title = `<h1>Fault seed ${failed?.seed}</h1>\n<p><strong>VIOLATED at `;
  expect(replayPage(failing).split(title)[1]).toMatch(new RegExp(`^${at}: (shop|other)`));
});

test('whatever the texts contain, the page shows it as text', () => {
  const result = { ...replayed.result, violations: ['<img src=x> & more'] };
  const trace = [{ at: result.startedAt, step: 1, text: '<script>alert("1")</script>' }];
  const hostile = replayPage({ ...replayed, result, trace });
  expect(hostile).toContain('UTC: &lt;img src=x&gt; &amp; more</strong>');
  expect(hostile).toContain('<td>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</td>');
  expect(hostile).not.toMatch(/<(img|script)/);
});

test('the page loads nothing from anywhere', () => {
  expect(html).not.toMatch(/<(link|script|img|iframe)|src=|url\(|@import/);
});
