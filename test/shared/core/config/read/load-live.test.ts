import { liveProblemText, loadLive } from '../../../../../shared/core/config/read/load-live';
import { readKept } from '../../../../../shared/core/live/read-kept';
import { keepLive } from '../../../../../shared/core/live/update-kept';

const problemOf = (text: string) => {
  const loaded = loadLive({ file: 's.yaml', text });
  return loaded.ok ? undefined : liveProblemText(loaded.problems, text);
};
const TEA = 'name: tea, timezone: UTC, start: 0 16 * * *, end: 0 17 * * *';

test.each([
  { name: 'an empty text', text: '', says: 's.yaml:1:1: is missing; write nodePools:' },
  { name: 'no YAML', text: 'nodePools: [', says: 's.yaml:1:13: is not valid YAML' },
])('$name is refused with its place and the line', ({ text, says }) => {
  expect(problemOf(text)).toContain(says);
  expect(problemOf(text)).toContain(', in the line "');
});

test('empty keys change nothing, and the parts are kept as they were written', () => {
  const loaded = loadLive({
    file: 's.yaml',
    text: `nodePools:\n  web:\n    base:\n    schedules: [{${TEA}, desiredReplicas: "3"}]\n  ci:\n`,
  });
  const tea = { name: 'tea', timezone: 'UTC', start: '0 16 * * *', end: '0 17 * * *', desiredReplicas: '3' };
  expect(loaded).toEqual({ ok: true, parts: new Map([['web', { schedules: [tea] }]]) });
});

test('what is kept of the largest part that is accepted stays below 16 KiB', async () => {
  const windows = (count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `{name: w${index}, timezone: UTC, from: 2026-01-01T00:00, to: 2026-01-02T00:00, desiredReplicas: 1}`,
    );
  const text = (count: number) => `nodePools: {web: {schedules: [${windows(count).join(', ')}]}}`;
  let [most, tooMany] = [0, 400];
  while (tooMany - most > 1) {
    const count = Math.floor((most + tooMany) / 2);
    if (problemOf(text(count)) === undefined) most = count;
    else tooMany = count;
  }
  expect(problemOf(text(most + 1))).toContain('bytes to keep, more than 13312; write fewer windows');
  const edit = { by: 'm'.repeat(64), at: '2026-11-17T09:00:00Z' };
  const keep = (kept: string | undefined, seen: Parameters<typeof keepLive>[0]['seen']) =>
    keepLive({
      headroom: 'web',
      kept: readKept(kept),
      seen,
      now: 0,
      again: false,
      compile: async () => ({
        ...(loadLive({ file: 's.yaml', text: text(most) }) as { ok: true; parts: Map<string, object> }),
        undeployed: Array(9).fill('p'.repeat(54)),
      }),
    });
  const valid = JSON.stringify(
    await keep(undefined, { kind: 'text', hash: '1-abcdefghijkl', key: 's.yaml', text: text(most), ...edit }),
  );
  const refused = JSON.stringify(
    await keep(valid, { kind: 'broken', hash: '1-bbbbbbbbbbbb', problem: '한'.repeat(2_000), ...edit }),
  );
  const gone = JSON.stringify(await keep(refused, { kind: 'gone' }));
  expect(most).toBeGreaterThan(50);
  expect(Buffer.byteLength(gone)).toBeLessThanOrEqual(16_384);
});
