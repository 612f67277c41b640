import fc from 'fast-check';
import { ofFiveNights } from '../../../lab/learning/nights';
import { findings } from '../../../lab/suggest/explain';
import { suggestFor } from '../../../lab/suggest/suggestion';
import { loadConfig } from '../../../shared/core/config/read/load';
import { seededNoise } from '../learning/series';
import { ONE_POOL } from './one-pool';

const DAY_MINUTES = 1_440;
const DAY = DAY_MINUTES * 60_000;
const FROM = Date.UTC(2026, 5, 1);

/** What is remembered on each night but the first four. */
function remembered(said: readonly number[]): readonly (number | undefined)[] {
  return said.slice(4).map((_, night) => ofFiveNights((night + 4) * DAY, (at) => said[at / DAY]));
}

test('a night that differs from the two on both sides of it changes nothing', () => {
  const said = fc.tuple(fc.nat(2), fc.nat(2), fc.integer({ min: 4, max: 12 }));
  fc.assert(
    fc.property(said, ([usual, odd, at]) => {
      const nights = Array.from({ length: 17 }, (_, night) => (night === at ? odd : usual));
      expect(new Set(remembered(nights))).toEqual(new Set([usual]));
    }),
  );
});

test('what is remembered never changes more often than what each night says', () => {
  const changes = (nights: readonly unknown[]) => nights.filter((one, night) => night > 0 && one !== nights[night - 1]);
  fc.assert(
    fc.property(fc.array(fc.nat(1), { minLength: 6, maxLength: 40 }), (said) => {
      expect(changes(remembered(said)).length).toBeLessThanOrEqual(changes(said).length);
    }),
  );
});

test('one weak night does not take back a clear rhythm, and is mentioned', () => {
  const loaded = loadConfig([{ file: 'headroom.yaml', text: ONE_POOL }]);
  if (!loaded.ok) throw new Error('the config of this test is not valid');
  const normal = seededNoise(1);
  const values = new Float64Array(29 * DAY_MINUTES).map((_, at) => {
    const minute = at % DAY_MINUTES;
    return Math.max(0, Math.round(10 + (minute >= 720 && minute < 780 ? 10 : 0) + 1.6 * normal()));
  });
  const suggestionOf = (days: number) => {
    const known = values.slice(0, days * DAY_MINUTES);
    const times = Float64Array.from(known, (_, minute) => FROM + minute * 60_000);
    const settings = { cover: 0.95, most: 5, learnDays: 28, timezone: 'UTC' };
    return suggestFor('default', { times, values: known }, loaded.config, settings);
  };
  expect(suggestionOf(28).lesson.verdict).toBe('clear');
  const tonight = suggestionOf(29);
  expect(tonight).toMatchObject({ lesson: { verdict: 'clear' }, tonight: 'weak', advice: 'change' });
  expect(findings(tonight)).toContain(
    'It is clear on at least three of the last five nights, and that counts; tonight alone would be weak.',
  );
});
