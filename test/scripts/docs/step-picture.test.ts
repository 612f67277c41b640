import { stepPicture } from '../../../scripts/docs/step-picture';

const HOUR = 3_600_000;
const FROM = Date.parse('2026-03-02T08:00:00Z');
const drawn = stepPicture({
  title: 'Floor <9>',
  from: FROM,
  to: FROM + 4 * HOUR,
  peak: 10,
  nodes: [
    { at: FROM, value: 5 },
    { at: FROM + HOUR, value: 10 },
  ],
  work: [{ at: FROM, value: 5 }],
  windows: [{ from: FROM + HOUR, to: FROM + 2 * HOUR }],
});

test('a picture of steps is complete in itself and safe', () => {
  expect(drawn).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 380 210".*<\/svg>\n$/s);
  expect(drawn).toContain('<style>');
  expect(drawn).toContain('aria-label="Floor &lt;9&gt;"');
  expect(drawn).not.toContain('<9>');
});

test('nodes, work and windows lie on one scale', () => {
  // 342 wide from 28 on: an hour is 85.5; 126 high down to 174: a node is 12.6.
  expect(drawn).toContain('<path class="edge" d="M28 111 H113.5 V48 H370"/>');
  expect(drawn).toContain('d="M28 111  H370 V174 H28 Z"');
  expect(drawn).toContain('<rect x="113.5" y="179" width="85.5"');
  expect([...drawn.matchAll(/text-anchor="end">(\d+)</g)].map(([, level]) => level)).toEqual(['0', '5', '10']);
  expect([...drawn.matchAll(/>(\d\d:00)</g)].map(([, hour]) => hour)).toEqual(['08:00', '09:00', '10:00', '11:00']);
});
