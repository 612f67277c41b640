import { readFileSync } from 'node:fs';
import { reasonsPage } from '../../scripts/docs/reasons/page';

const page = reasonsPage();

test('docs/reasons.md lists every sentence as the code says it now; `npm run docs -- reasons` writes it', () => {
  expect(readFileSync('docs/reasons.md', 'utf8')).toBe(page);
});

test.each([
  'lunch open since 11:30 Asia/Seoul: 2 nodes + 6 = 8',
  '+6 nodes; baseline counted at 11:25 Asia/Seoul',
  'Nodes were ready 3 min before lunch (11:30 Asia/Seoul)',
  'Override by console: 8 → 10 until 13:29 Asia/Seoul (flash sale)',
  '2 spot notices: +2 until 12:10 Asia/Seoul',
  '6 or more spot notices: +6 (the maximum) until 12:10 Asia/Seoul',
  'adds at most 8 (max)',
])('people read: %s', (sentence) => {
  expect(page).toContain(`| ${sentence} |`);
});

test('a sentence names one time zone, once: UTC where it is stored, that of the reader where it is shown', () => {
  const cells = page.split('\n').map((line) => line.split(' | '));
  const timed = cells.filter(([, stored = '']) => /T\d\d:\d\d/.test(stored));
  expect(timed.length).toBeGreaterThan(10);
  for (const [, stored = '', shown = ''] of timed) {
    expect({ stored, zones: shown.split('Asia/Seoul').length - 1 }).toEqual({ stored, zones: 1 });
    expect(shown).not.toMatch(/\d\dZ/);
  }
});
