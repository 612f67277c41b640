import fc from 'fast-check';
import { readCsv } from '../../../lab/suggest/read-csv';
import type { Config } from '../../../shared/core/config/config';

const CONFIG = { headrooms: [] } as unknown as Config;
const OPTIONS = { file: 't.csv', start: Date.UTC(2026, 10, 17) };

/** The samples of each NodePool, or why there are none. */
function read(header: string, lines: readonly string[], pieceLength = 1_000) {
  const text = [header, ...lines, ''].join('\n');
  const pieces: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from + pieceLength);
    const end = newline < 0 ? text.length : newline + 1;
    pieces.push(Buffer.from(text.slice(from, end)));
    from = end;
  }
  try {
    const store = readCsv(pieces, CONFIG, OPTIONS);
    return Object.fromEntries(
      store.names.map((name) => {
        const { times, values } = store.samplesOf(name);
        return [name, [...times].map((at, index) => [at, values[index]])];
      }),
    );
  } catch (error) {
    return (error as Error).message;
  }
}

test('a line is read alike whatever the order of its columns, in pieces of any length', () => {
  const time = fc.constantFrom(
    '2026-11-17T08:05:00.000Z',
    '2026-11-17T08:05Z',
    '2026-11-18T08:05:30Z',
    '5m',
    'noon',
    '# no',
  );
  const pool = fc.constantFrom('default', ' default ', 'gpu', 'größe', 'a b');
  const pods = fc.constantFrom('0', '12', ' 7', '3.5', '007', '', 'NaN', '-1', '1e3', '12345678901234567890', 'x');
  fc.assert(
    fc.property(fc.array(fc.tuple(time, pool, pods), { maxLength: 12 }), fc.nat(200), (rows, pieceLength) => {
      const ordered = read(
        'time,pool,pods',
        rows.map((row) => row.join(',')),
        pieceLength,
      );
      // A comment begins with its sign, and is one in any order.
      const other = rows.map(([at, name, count]) => (at.startsWith('#') ? at : [at, count, name].join(',')));
      expect(ordered).toEqual(read('time,pods,pool', other));
    }),
    { numRuns: 300 },
  );
});

test.each([
  { name: 'a cell too few', line: '2026-11-17T08:05Z,default', why: 'has 2 values for 3 columns' },
  { name: 'a cell too many', line: '2026-11-17T08:05Z,default,1,2', why: 'has 4 values for 3 columns' },
  { name: 'no number', line: '2026-11-17T08:05Z,default,many', why: 'pods is "many"' },
])('$name is a mistake, also between lines that have none', ({ line, why }) => {
  const good = '2026-11-17T08:04Z,default,1';
  expect(read('time,pool,pods', [good, line, good], 10)).toMatch(`t.csv:3: ${why}`);
});
