import { isConfigQuestion, isStatusQuestion, parseOverride } from '../../../../shared/core/events/parse-override';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const refusal = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an order', () => {
  const order = { headroom: 'web', atLeast: 3, for: '30m' };
  const known = 'atLeast, exactly, addNodes, headroom, for, until, at, reason, by, release, status';
  const long = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`${index}${'x'.repeat(60)}`, 1]));
  const [a, b, c, d, e] = Object.keys(long).map((key) => key.slice(0, 40));

  test.each([
    ...[3, null, []].map((raw) => ({ raw, says: 'override is not a JSON object' })),
    { raw: { ...order, size: 3 }, says: `override has unknown keys size; known are ${known}` },
    {
      raw: { ...order, ...long },
      says: `override has unknown keys ${a}, ${b}, ${c}, ${d}, ${e} and 2 more; known are ${known}`,
    },
    ...[{}, { atLeast: 1, exactly: 1 }].map((mode) => ({
      raw: { headroom: 'web', for: '30m', ...mode },
      says: 'override needs one of atLeast, exactly and addNodes (or release: true)',
    })),
    ...['atLeast', 'exactly', 'addNodes'].map((mode) => ({
      raw: { headroom: 'web', release: true, [mode]: 3 },
      says: 'release does not go with atLeast, exactly or addNodes; write one of them',
    })),
    ...[-1, 1.5, '3', null].map((atLeast) => ({
      raw: { ...order, atLeast },
      says: `atLeast must be a whole number of 0 or more, got ${JSON.stringify(atLeast)}`,
    })),
    ...[
      { headroom: 'web', atLeast: 3 },
      { ...order, until: '2026-11-16T04:00:00Z' },
    ].map((raw) => ({
      raw,
      says: 'override needs an expiry: write for (such as "30m") or until (such as "2026-11-27T09:30:00Z")',
    })),
    ...['0m', 'soon', 30].map((length) => ({
      raw: { ...order, for: length },
      says: `for must be a duration such as "30m", got ${JSON.stringify(length)}`,
    })),
    {
      raw: { headroom: 'web', atLeast: 3, until: '2026-11-16T04:00:00' },
      says: 'until must be a time with its zone, such as "2026-11-27T09:30:00Z", got "2026-11-16T04:00:00"',
    },
    ...['2026-02-30T04:00:00Z', '2026-02-29T04:00:00+09:00', '2026-11-31T04:00:00Z'].flatMap((day) => [
      { raw: { headroom: 'web', atLeast: 3, until: day }, says: `until must be a day of the calendar, got "${day}"` },
      { raw: { ...order, at: day }, says: `at must be a day of the calendar, got "${day}"` },
    ]),
    {
      raw: { ...order, at: 'now' },
      says: 'at must be a time with its zone, such as "2026-11-27T09:30:00Z", got "now"',
    },
    {
      raw: { headroom: 'web', atLeast: 3, until: '2026-11-16T03:00:00Z' },
      says: 'the override is over already: until "2026-11-16T03:00:00Z" is not in the future',
    },
    {
      raw: { ...order, at: '2026-11-16T02:00:00Z' },
      says: 'the override is over already: until "2026-11-16T02:30:00.000Z" is not in the future',
    },
    {
      raw: { ...order, for: '24h1m' },
      says: 'an override lasts at most 1d, got "24h1m"; what is permanent belongs in base',
    },
    {
      raw: { headroom: 'web', atLeast: 3, until: '2026-11-17T03:00:01Z' },
      says: 'an override lasts at most 1d, got "2026-11-17T03:00:01Z"; what is permanent belongs in base',
    },
    { raw: { ...order, by: 3 }, says: 'by must be text, got 3' },
    { raw: { ...order, reason: {} }, says: 'reason must be text, got {}' },
    { raw: { headroom: 'web', release: true, reason: {} }, says: 'reason must be text, got {}' },
  ])('is refused: $says', ({ raw, says }) => {
    expect(refusal(() => parseOverride(raw, NOW))).toBe(says);
  });

  const ask = { kind: 'override', mode: 'atLeast', replicas: 3, at: NOW, by: 'unknown', reason: 'no reason given' };
  const until = NOW + 1_800_000;

  test.each([
    { name: 'a length', raw: order, ask: { ...ask, until } },
    {
      name: 'none of the whole day',
      raw: { ...order, atLeast: 0, for: '24h' },
      ask: { ...ask, replicas: 0, until: NOW + 86_400_000 },
    },
    {
      name: 'an end',
      raw: { headroom: 'web', addNodes: 3, until: '2026-11-16T03:30:00Z' },
      ask: { ...ask, mode: 'addNodes', until },
    },
    {
      name: 'its own time',
      raw: { ...order, at: '2026-11-16T02:59:00Z' },
      ask: { ...ask, at: NOW - 60_000, until: until - 60_000 },
    },
    { name: 'a time far ahead', raw: { ...order, at: '2027-11-16T02:59:00Z' }, ask: { ...ask, until } },
    {
      name: 'who and why',
      raw: { ...order, by: 'ana', reason: 'sale' },
      ask: { ...ask, until, by: 'ana', reason: 'sale' },
    },
    { name: 'nobody and nothing', raw: { ...order, by: '', reason: '' }, ask: { ...ask, until } },
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
