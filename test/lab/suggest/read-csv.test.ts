import fc from 'fast-check';
import { readCsv } from '../../../lab/suggest/history/read-csv';
import type { Config } from '../../../shared/core/config/config';

const CONFIG = { headrooms: [] } as unknown as Config;
const OPTIONS = { file: 't.csv', start: Date.UTC(2026, 10, 17) };

/** The samples of each NodePool, read in pieces of whole lines, or why there are none. */
function read(text: string, pieceLength: number) {
  const pieces: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from + pieceLength);
    const end = newline < 0 ? text.length : newline + 1;
    pieces.push(Buffer.from(text.slice(from, end)));
    from = end;
  }
  try {
    const store = readCsv(pieces, CONFIG, OPTIONS);
    return store.names.map((name) => [name, store.samplesOf(name)]);
  } catch (error) {
    return (error as Error).message;
  }
}

test('a history is the same in pieces of any length, with or without mistakes in it', () => {
  const time = fc.constantFrom('2026-11-17T08:05:00.000Z', '2026-11-17T08:05Z', '2026-11-18T08:05:30Z', '5m', '# no');
  const pool = fc.constantFrom('default', ' default ', 'gpu', 'größe', 'a b');
  const pods = fc.constantFrom('0', '12', ' 7', '3.5', '', 'NaN', '-1', '1e3', 'x', '1,2');
  fc.assert(
    fc.property(fc.array(fc.tuple(time, pool, pods), { maxLength: 12 }), fc.nat(200), (rows, pieceLength) => {
      const text = ['time,pool,pods', ...rows.map((row) => row.join(',')), ''].join('\n');
      expect(read(text, pieceLength)).toEqual(read(text, text.length));
    }),
    { numRuns: 300 },
  );
});
