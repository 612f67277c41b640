import fc from 'fast-check';
import { InputError } from '../../cli/terminal/exit';
import { HistoryError, historyOf } from '../../lab/learning/demand-history';
import { readTrace } from '../../lab/simulate/trace';
import { readCsv } from '../../lab/suggest/history/read-csv';
import { configOf } from '../fakes/fake-runtime';
import { damaged, fuzz, RUNS, textOf } from './fuzz';

const config = configOf('  default: {max: 9}\n  constructor: {max: 9, unit: {slice: {cpu: 1, memory: 2Gi}}}\n');
const options = { file: 't.csv', start: Date.parse('2026-11-17T00:00Z') };
const ROWS = ['0s,default,1', '30m,constructor,3', '2026-11-17T01:00Z,default,20000', '2026-11-18,default,0'];
const TRACE = ['time,pool,pods', ...ROWS].join('\n');
const SIZED = 'pool,memory,time,cpu\ndefault,4Gi,0s,250m\nconstructor,,1h,12\n';
const PIECES = [
  ...['\n', '\r\n', '\ufeff', '9'.repeat(400)],
  ...', # default __proto__ NaN 1e400 999999999999d 0001-01-01 9999-12-31T23:59:59Z -1 1E18'.split(' '),
];
const mostly = (...usual: readonly string[]) =>
  fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...PIECES));
const row = fc.tuple(
  mostly('0s', '30m', '12h', '3d', '2026-11-17T01:00Z', '2026-11-18', '2026-11-10'),
  mostly('default', 'constructor'),
  mostly('0', '1', '7', '19999'),
);
const anyTrace = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(row, { minLength: 1, maxLength: 12 })
      .map((rows) => ['time,pool,pods', ...rows.map((cells) => cells.join(','))].join('\n')),
  },
  { weight: 3, arbitrary: damaged(TRACE, PIECES) },
  { weight: 3, arbitrary: damaged(SIZED, PIECES) },
  textOf([...PIECES, 'time,pool,pods\n', ...ROWS]),
);

/** `undefined` for what is refused with a sentence. */
function orRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError || error instanceof HistoryError)) throw error;
    expect(error.message).toMatch(/\S/);
    return undefined;
  }
}

test('any text is a trace that can be simulated, or is refused with a sentence', () => {
  let whole = 0;
  fuzz(anyTrace, (text) => {
    const trace = orRefused(() => readTrace(text, config, options));
    if (!trace) return;
    whole += 1;
    expect(trace.to).toBeGreaterThan(trace.from);
    expect(trace.to - trace.from).toBeLessThanOrEqual(400 * 86_400_000);
    for (const { at, pods } of trace.demands) {
      expect(new Date(at).toISOString()).toMatch(/^\d{4}-/);
      expect(Number.isInteger(pods) && pods >= 0 && pods <= 20_000).toBe(true);
    }
  });
  expect(whole).toBeGreaterThan(RUNS / 20);
});

test('any text is a history of at most ten years, or is refused with a sentence', () => {
  let whole = 0;
  fuzz(anyTrace, (text) => {
    const store = orRefused(() => readCsv([Buffer.from(text)], config, options));
    for (const pool of store?.names ?? []) {
      const history = orRefused(() =>
        historyOf(store?.samplesOf(pool) ?? { times: new Float64Array(), values: new Float64Array() }),
      );
      if (!history) continue;
      whole += 1;
      expect(history.demand.values.length).toBeLessThanOrEqual(10 * 366 * 1_440);
      expect(Number.isFinite(history.demand.from)).toBe(true);
    }
  });
  expect(whole).toBeGreaterThan(RUNS / 20);
});
