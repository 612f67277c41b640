import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { hostOffset } from '../../../../shared/adapters/process/host-offset';
import { offsetAt } from '../../../../shared/core/windows/zone';

const HOUR = 3_600_000;
/** Both halves of some years, and the hours around some changes. */
const INSTANTS = [
  ...[2012, 2026, 2027, 2037, 2050].flatMap((year) => [Date.UTC(year, 0, 15), Date.UTC(year, 6, 15)]),
  ...['2026-03-08T07:00Z', '2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-11-01T06:00Z'].flatMap((change) =>
    [-1, 0, 1].map((hours) => Date.parse(change) + hours * HOUR),
  ),
];
const ZONES = Intl.supportedValuesOf('timeZone');

/** Runs in a process of its own: under jest, `process.env` is a copy that moves no clock. */
function inProcess<T>(code: string, env: Readonly<Record<string, string>>): T {
  const source = readFileSync(join(__dirname, '../../../../shared/adapters/process/host-offset.ts'), 'utf8');
  const script = `${transformSync(source, { loader: 'ts', format: 'cjs' }).code}\nprocess.stdout.write(JSON.stringify(${code}))`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8', maxBuffer: 1e8 }));
}

describe("the offset by the process's own clock", () => {
  test('is the one that Intl gives, in every time zone, also where the clock changes', () => {
    const code = `${JSON.stringify(ZONES)}.map((zone) => ${JSON.stringify(INSTANTS)}.map((at) => hostOffset(zone, at) ?? 0))`;
    const read = inProcess<number[][]>(code, { TZ: ':UTC' });
    const expected = ZONES.map((zone) => INSTANTS.map((at) => offsetAt(zone, at)));
    expect(read).toEqual(expected);
    expect(read.flat().filter((offset) => offset !== 0).length).toBeGreaterThan(5_000);
  });

  test.each([
    { env: { TZ: ':UTC' }, after: ':UTC', offset: 0 },
    { env: {}, after: 'unset', offset: undefined },
    { env: { TZ: 'Asia/Seoul' }, after: 'Asia/Seoul', offset: -540 },
  ])('leaves the clock as it was, $after', ({ env, after, offset }) => {
    const clock = '[process.env.TZ ?? "unset", new Date(0).getTimezoneOffset()]';
    const code = `(() => { const before = ${clock}; hostOffset('America/New_York', 0); return { before, after: ${clock} }; })()`;
    const seen = inProcess<{ before: [string, number]; after: [string, number] }>(code, env);
    expect(seen.after).toEqual(seen.before);
    expect(seen.after[0]).toBe(after);
    if (offset !== undefined) expect(seen.after[1]).toBe(offset);
  });

  test('is known where a zone shows UTC for half of the year only', () => {
    const read = inProcess(`hostOffset('Europe/London', ${Date.UTC(2026, 0, 15)}) ?? 'none'`, { TZ: ':UTC' });
    expect(read).toBe(0);
  });

  test.each([{ zone: 'UTC' }, { zone: 'Africa/Abidjan' }, { zone: 'Mars/Olympus' }])(
    'is no answer where it always shows UTC: $zone',
    ({ zone }) => expect(inProcess(`hostOffset('${zone}', 0) ?? 'none'`, { TZ: ':UTC' })).toBe('none'),
  );

  test('is no answer in a process whose clock cannot be moved', () => {
    // Under jest the clock stays where TZ put it when the process began.
    expect(process.env.TZ).toBe('UTC');
    expect(hostOffset('Asia/Seoul', 0)).toBeUndefined();
    expect(process.env.TZ).toBe('UTC');
  });
});

describe('the offset of a process whose clock can be moved', () => {
  /** Minutes west of Greenwich by the year: what the clock says at the instant, and half a year after it. */
  const ZONES: Readonly<Record<string, readonly [number, number]>> = {
    'Asia/Seoul': [-540, -540],
    'America/New_York': [300, 240],
    'Europe/London': [0, -60],
    UTC: [0, 0],
  };
  const HALF_A_YEAR = 182 * 86_400_000;
  const own = process.env.TZ;
  beforeEach(() => {
    jest.spyOn(Date.prototype, 'getTimezoneOffset').mockImplementation(function (this: Date) {
      const [now, then] = ZONES[process.env.TZ ?? ''] ?? [Number.NaN, Number.NaN];
      const offset = new Map([
        [0, now],
        [HALF_A_YEAR, then],
      ]).get(this.getTime());
      if (offset === undefined || Number.isNaN(offset)) throw new Error('asked for another time');
      return offset;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.env.TZ = own;
  });

  test.each([
    { zone: 'Asia/Seoul', hours: 9 },
    { zone: 'America/New_York', hours: -5 },
    { zone: 'Europe/London', hours: 0 },
    { zone: 'UTC', hours: undefined },
  ])('is that of $zone, and zero all year is no answer', ({ zone, hours }) => {
    expect(hostOffset(zone, 0)).toBe(hours === undefined ? undefined : hours * 3_600_000);
  });

  test.each(['UTC', undefined])('leaves the clock as it was (%s), also after a failure', (before) => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
    hostOffset('Asia/Seoul', 0);
    expect(process.env.TZ).toBe(before);
    expect(() => hostOffset('Asia/Seoul', 7)).toThrow('asked for another time');
    expect(process.env.TZ).toBe(before);
    expect('TZ' in process.env).toBe(before !== undefined);
  });
});
