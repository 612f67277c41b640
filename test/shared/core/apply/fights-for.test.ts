import { fightsFor, isDue, isForeignDrift, writeContests } from '../../../../shared/core/apply/contested-field';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { currentWith } from './current-headroom';

const NOW = Date.parse('2026-01-01T00:01:00Z');
const MINUTE = 60_000;
const SECOND = 1_000;

const fight = (annotation: string | undefined) => {
  const current = currentWith({
    annotations: { ...(annotation !== undefined && { [ANNOTATIONS.contested]: annotation }) },
  });
  const { before, after } = fightsFor(['spec.replicas'], current, NOW);
  return before.some((one) => isDue(one, NOW)) ? after[0] : undefined;
};
const fought = (times: number, ago: number, field = 'spec.replicas') =>
  writeContests([{ field, times, at: NOW - ago }]);

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

describe('fields that are contested together', () => {
  const at = NOW - MINUTE;
  const both = [
    { field: 'metadata.labels', times: 5, at },
    { field: 'spec.replicas', times: 2, at },
  ];
  const current = currentWith({ annotations: { [ANNOTATIONS.contested]: writeContests(both) } });

  test('are counted each, and a write restores both', () => {
    const { before, after } = fightsFor(['metadata.labels', 'spec.replicas'], current, NOW);
    expect(before.map((one) => [one.field, isDue(one, NOW)])).toEqual([
      ['spec.replicas', true],
      ['metadata.labels', false],
    ]);
    expect(after.map(({ field, times }) => [field, times])).toEqual([
      ['spec.replicas', 3],
      ['metadata.labels', 6],
    ]);
  });

  test('are remembered while one of them is quiet', () => {
    expect(fightsFor(['spec.replicas'], current, NOW).quiet).toEqual([both[0]]);
    expect(fightsFor([], current, NOW)).toEqual({ before: [], after: [], quiet: both });
  });

  test('are forgotten after a quarter of an hour', () => {
    expect(fightsFor([], current, at + 15 * MINUTE).quiet).toEqual([]);
  });

  test.each([0, 5, 12])('are eight at most, and the size is always among them (field %d)', (place) => {
    const labels = Array.from({ length: 12 }, (_, index) => `metadata.labels.l${index}`);
    const fields = [...labels.slice(0, place), 'spec.replicas', ...labels.slice(place)];
    const { before, quiet } = fightsFor(fields, current, NOW);
    expect([before.length, quiet.length, before[0]?.field]).toEqual([8, 0, 'spec.replicas']);
  });
});

describe('somebody else changed a field', () => {
  const ours = { [ANNOTATIONS.decided]: '6', [ANNOTATIONS.template]: 'abc' };
  const current = currentWith({ annotations: ours, replicas: 6 });

  test.each([
    { name: 'where the size is not the decided one', field: 'spec.replicas', edited: { replicas: 4 }, foreign: true },
    { name: 'not where it is, and another one is decided', field: 'spec.replicas', edited: {}, foreign: false },
    {
      name: 'not where nobody knows what was decided',
      field: 'spec.replicas',
      edited: { annotations: {} },
      foreign: false,
    },
    { name: 'not where it is our own book-keeping', field: 'metadata.annotations.x', edited: {}, foreign: false },
    { name: 'also where it is a label', field: 'metadata.labels.app', edited: {}, foreign: true },
    {
      name: 'not where a deploy has changed the template',
      field: 'spec.template.spec.containers[0].image',
      edited: { annotations: { ...ours, [ANNOTATIONS.template]: 'older' } },
      foreign: false,
    },
  ])('$name', ({ field, edited, foreign }) => {
    expect(isForeignDrift(field, { ...current, ...edited }, 'abc')).toBe(foreign);
  });
});
