import { isForeignDrift, nextFight, writeContest } from '../../../../shared/core/apply/contested-field';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { liveWith } from './live-headroom';

const NOW = Date.parse('2026-01-01T00:01:00Z');
const MINUTE = 60_000;
const SECOND = 1_000;

const fight = (annotation: string | undefined) =>
  nextFight(
    'spec.replicas',
    liveWith({ annotations: { ...(annotation !== undefined && { [ANNOTATIONS.contested]: annotation }) } }),
    NOW,
  );
const fought = (times: number, ago: number, field = 'spec.replicas') => writeContest({ field, times, at: NOW - ago });

describe('a field that somebody else set back is set right', () => {
  test.each([
    { name: 'at first', annotation: undefined, times: 1 },
    { name: 'a second time', annotation: fought(1, MINUTE), times: 2 },
    { name: 'a fifth time', annotation: fought(4, MINUTE), times: 5 },
    { name: 'ten minutes after the fifth', annotation: fought(5, 10 * MINUTE), times: 6 },
    { name: 'ten minutes after the sixth', annotation: fought(6, 10 * MINUTE), times: 7 },
    { name: 'as a new story after a quarter of an hour', annotation: fought(4, 15 * MINUTE), times: 1 },
    { name: 'as the same story just before', annotation: fought(4, 15 * MINUTE - SECOND), times: 5 },
    { name: 'as a new story where it is another field', annotation: fought(5, MINUTE, 'spec.paused'), times: 1 },
  ])('$name', ({ annotation, times }) => {
    expect(fight(annotation)).toEqual({ field: 'spec.replicas', times, at: NOW });
  });

  test.each([
    { name: 'right after the fifth time', annotation: fought(5, 0) },
    { name: 'until ten minutes have passed', annotation: fought(5, 10 * MINUTE - SECOND) },
    { name: 'nor after a later one', annotation: fought(9, MINUTE) },
  ])('but not $name', ({ annotation }) => {
    expect(fight(annotation)).toBeUndefined();
  });

  // Each would read as the fifth time a minute ago, were it not for its one fault.
  test.each(
    [{ field: 7 }, { times: '5' }, { at: 'a minute ago' }, { at: 2_026 }, { at: null }].map((fault) =>
      JSON.stringify({ field: 'spec.replicas', times: 5, at: '2026-01-01T00:00:00Z', ...fault }),
    ),
  )('from the start where the annotation is %s', (annotation) => {
    expect(fight(annotation)?.times).toBe(1);
  });

  test.each(['', 'null', '{oops', '7'])('from the start where the annotation is %p', (annotation) => {
    expect(fight(annotation)?.times).toBe(1);
  });
});

test('the annotation shows a person what was contested, how often and when last', () => {
  expect(fought(3, 0)).toBe('{"field":"spec.replicas","times":3,"at":"2026-01-01T00:01:00.000Z"}');
});

describe('somebody else changed a field', () => {
  const decided = liveWith({ annotations: { [ANNOTATIONS.decided]: '6' } });

  test.each([
    { name: 'where we decided the same size before', field: 'spec.replicas', live: decided, foreign: true },
    { name: 'not where the size itself is new', field: 'spec.replicas', live: liveWith(), foreign: false },
    { name: 'not where it is our own book-keeping', field: 'metadata.annotations.x', live: decided, foreign: false },
    { name: 'also where it is a label', field: 'metadata.labels.app', live: decided, foreign: true },
  ])('$name', ({ field, live, foreign }) => {
    expect(isForeignDrift(field, live, 6)).toBe(foreign);
  });
});
