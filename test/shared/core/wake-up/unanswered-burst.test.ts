import fc from 'fast-check';
import { unansweredBurst } from '../../../../shared/core/wake-up/unanswered-burst';

const TICK = Date.parse('2026-11-18T12:00:00Z');
const ago = (seconds: number) => TICK - seconds * 1_000;

test.each<[string, readonly number[], number | undefined, number | undefined]>([
  ['no preemption', [], undefined, undefined],
  ['a single preemption', [ago(60)], undefined, undefined],
  ['two at the same instant', [ago(60), ago(60)], undefined, ago(60)],
  ['two exactly a minute apart', [ago(160), ago(100)], undefined, ago(100)],
  ['two more than a minute apart', [ago(161), ago(100)], undefined, undefined],
  ['singles 70 s apart', [ago(20), ago(90), ago(160), ago(230), ago(300)], undefined, undefined],
  ['a burst, and a single later', [ago(300), ago(299), ago(100)], undefined, ago(100)],
  ['two of which one is older than six minutes', [ago(361), ago(359)], undefined, undefined],
  ['two of which one is exactly six minutes old', [ago(360), ago(359)], undefined, undefined],
  ['two of which one is younger than ten seconds', [ago(20), ago(9)], undefined, undefined],
  ['two of which one is exactly ten seconds old', [ago(20), ago(10)], undefined, ago(10)],
  ['a burst that was answered', [ago(100), ago(99)], ago(99), undefined],
  ['a single after an answered burst', [ago(100), ago(99), ago(60)], ago(99), undefined],
  ['a burst after an answered one', [ago(100), ago(99), ago(60), ago(59)], ago(99), ago(59)],
])('%s', (_name, preemptedAt, answeredUntil, burst) => {
  expect(unansweredBurst(preemptedAt, answeredUntil, TICK)).toBe(burst);
});

test('an answered burst stays answered until two newer preemptions come, in whatever order they are listed', () => {
  const seconds = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 12 });
  fc.assert(
    fc.property(seconds, (list) => {
      const times = list.map(ago);
      const burst = unansweredBurst(times, undefined, TICK);
      expect(unansweredBurst([...times].reverse(), undefined, TICK)).toBe(burst);
      if (burst !== undefined) expect(unansweredBurst(times, burst, TICK)).toBeUndefined();
    }),
  );
});
