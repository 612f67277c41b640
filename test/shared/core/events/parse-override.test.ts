import { isConfigQuestion, isStatusQuestion, parseOverride } from '../../../../shared/core/events/parse-override';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/parse-override.txt`);
const NOW = Date.parse('2026-11-16T03:00:00Z');
const refusal = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an override', () => {
  const order = { headroom: 'web', atLeast: 3, for: '30m' };
  const long = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`${index}${'x'.repeat(60)}`, 1]));
  const until = (time: string) => ({ headroom: 'web', atLeast: 3, until: time });

  // What is said is in parse-override.txt, below what was asked for.
  test.each([
    ...[3, null, [], { ...order, size: 3 }, { ...order, ...long }],
    ...[{}, { atLeast: 1, exactly: 1 }].map((mode) => ({ headroom: 'web', for: '30m', ...mode })),
    ...['atLeast', 'exactly', 'addNodes'].map((mode) => ({ headroom: 'web', release: true, [mode]: 3 })),
    ...[-1, 1.5, '3', null].map((atLeast) => ({ ...order, atLeast })),
    ...[
      { headroom: 'web', atLeast: 3 },
      { ...order, until: '2026-11-16T04:00:00Z' },
    ],
    ...['0m', 'soon', 30, '24h1m'].map((length) => ({ ...order, for: length })),
    ...['2026-02-30T04:00:00Z', '2026-02-29T04:00:00+09:00', '2026-11-31T04:00:00Z', 'now'].flatMap((time) => [
      until(time),
      { ...order, at: time },
    ]),
    ...['2026-11-16T04:00:00', '2026-11-16T03:00:00Z', '2026-11-17T03:00:01Z'].map(until),
    { ...order, at: '2026-11-16T02:00:00Z' },
    { ...order, by: 3 },
    { ...order, reason: {} },
    { headroom: 'web', release: true, reason: {} },
  ])('is refused: %j', (raw) => {
    said(JSON.stringify(raw), String(refusal(() => parseOverride(raw, NOW))));
  });

  const ask = { kind: 'override', mode: 'atLeast', replicas: 3, at: NOW, by: 'unknown', reason: 'no reason given' };
  const end = NOW + 1_800_000;

  test.each([
    { name: 'a length', raw: order, ask: { ...ask, until: end } },
    {
      name: 'none of the whole day',
      raw: { ...order, atLeast: 0, for: '24h' },
      ask: { ...ask, replicas: 0, until: NOW + 86_400_000 },
    },
    {
      name: 'an end',
      raw: { headroom: 'web', addNodes: 3, until: '2026-11-16T03:30:00Z' },
      ask: { ...ask, mode: 'addNodes', until: end },
    },
    {
      name: 'its own time',
      raw: { ...order, at: '2026-11-16T02:59:00Z' },
      ask: { ...ask, at: NOW - 60_000, until: end - 60_000 },
    },
    { name: 'a time far ahead', raw: { ...order, at: '2027-11-16T02:59:00Z' }, ask: { ...ask, until: end } },
    {
      name: 'who and why',
      raw: { ...order, by: 'ana', reason: 'sale' },
      ask: { ...ask, until: end, by: 'ana', reason: 'sale' },
    },
    { name: 'nobody and nothing', raw: { ...order, by: '', reason: '' }, ask: { ...ask, until: end } },
    {
      name: 'a release',
      raw: { headroom: 'web', release: true, by: 'ana' },
      ask: { kind: 'release', at: NOW, by: 'ana', reason: 'no reason given' },
    },
  ])('with $name is read', ({ raw, ask }) => {
    expect(parseOverride(raw, NOW)).toStrictEqual({ kind: 'override', headroom: 'web', ask });
  });

  test.each([undefined, '', 3])('of the headroom %j names none', (headroom) => {
    expect(parseOverride({ ...order, headroom }, NOW).headroom).toBeUndefined();
  });

  test('questions are those that say so', () => {
    for (const [isQuestion, key] of [
      [isStatusQuestion, 'status'],
      [isConfigQuestion, 'config'],
    ] as const)
      expect([{ [key]: true }, { [key]: 'yes' }, {}, null, 'status'].map(isQuestion)).toEqual([
        true,
        false,
        false,
        false,
        false,
      ]);
  });
});
