import { isNewer, isSame, latestOverride, type OverrideOrRelease } from '../../../../shared/core/intents/newest-wins';
import { EMPTY_RECORD, type Override, type Release } from '../../../../shared/core/record/record';

const NOW = Date.parse('2026-11-16T03:00:00Z');

const inflate = (at: number, more: Partial<Override> = {}): { override: Override } => ({
  override: { mode: 'atLeast', replicas: 3, until: NOW + 3_600_000, at, by: 'ana', reason: 'sale', ...more },
});
const release = (at: number, more: Partial<Release> = {}): { released: Release } => ({
  released: { at, by: 'bo', reason: 'over', ...more },
});

describe('of two words', () => {
  const ordered: { name: string; older: OverrideOrRelease; newer: OverrideOrRelease }[] = [
    { name: 'the later override counts', older: inflate(NOW - 1, { replicas: 9 }), newer: inflate(NOW) },
    { name: 'the later release counts', older: inflate(NOW - 1), newer: release(NOW) },
    { name: 'an override after a release counts', older: release(NOW - 1), newer: inflate(NOW) },
    { name: 'a release of the same millisecond counts', older: inflate(NOW), newer: release(NOW) },
    {
      name: 'of one millisecond the override that ends later counts',
      older: inflate(NOW, { by: 'zoe' }),
      newer: inflate(NOW, { until: NOW + 7_200_000 }),
    },
    {
      name: 'of one millisecond and end the override whose text sorts last counts',
      older: inflate(NOW, { by: 'ana' }),
      newer: inflate(NOW, { by: 'bo' }),
    },
    {
      name: 'of one millisecond the release whose text sorts last counts',
      older: release(NOW, { by: 'ana', reason: 'zzz' }),
      newer: release(NOW, { by: 'bo' }),
    },
    {
      name: 'a person who releases counts over an end by itself',
      older: { released: { at: NOW } },
      newer: release(NOW),
    },
    {
      name: 'a release with a reason counts over one without',
      older: { released: { at: NOW, by: 'bo' } },
      newer: release(NOW),
    },
    {
      name: 'a person whose name sorts before most others counts over an end by itself',
      older: { released: { at: NOW } },
      newer: release(NOW, { by: 'Ana' }),
    },
    {
      name: 'a release with a reason that sorts before most others counts over one without',
      older: { released: { at: NOW, by: 'bo' } },
      newer: release(NOW, { reason: 'Over' }),
    },
  ];

  test.each(ordered)('$name', ({ older, newer }) => {
    expect([isNewer(newer, older), isNewer(older, newer)]).toEqual([true, false]);
    expect([isSame(newer, older), isSame(older, newer)]).toEqual([false, false]);
  });

  test.each([
    { name: 'override', word: inflate(NOW) },
    { name: 'release', word: release(NOW) },
  ])('the same $name twice is one word', ({ word }) => {
    expect([isNewer(word, { ...word }), isSame(word, { ...word })]).toEqual([false, true]);
  });
});

describe('the last word of a record', () => {
  test.each([
    { name: 'nothing', word: {}, last: undefined },
    { name: 'an override', word: inflate(NOW), last: inflate(NOW) },
    { name: 'a release', word: release(NOW), last: release(NOW) },
    {
      name: 'the override of a record that holds an older release too',
      word: { ...inflate(NOW), ...release(NOW - 1) },
      last: inflate(NOW),
    },
    {
      name: 'the release of a record that holds an older override too',
      word: { ...inflate(NOW - 1), ...release(NOW) },
      last: release(NOW),
    },
  ])('is $name', ({ word, last }) => {
    expect(latestOverride({ ...EMPTY_RECORD, ...word })).toStrictEqual(last);
  });
});
