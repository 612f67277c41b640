import { fallsOf } from '../../../shared/report/falls';
import { sizesOf } from '../../../shared/report/figures';
import { type LogLine, type Period, withoutSmallGaps } from '../../../shared/report/history';

const MINUTE = 60_000;
/** The hour before it is in the log too. */
const START = 100 * MINUTE;

/** One value a minute, `size/ready`; `-` is none. */
function periodsOf(text: string): readonly Period[] {
  return text.split(' ').flatMap((value, index) => {
    const [size, ready] = value.split('/').map(Number);
    if (size === undefined || ready === undefined) return [];
    const range = (one: number) => ({ min: one, max: one });
    return [{ at: START + index * MINUTE, ms: MINUTE, desired: range(size), ready: range(ready) }];
  });
}

const at = (minute: number, fields: Partial<LogLine>): LogLine => ({
  at: START + minute * MINUTE,
  message: 'headroom decided',
  ...fields,
});
const notice = (minute: number, nodes: number) => at(minute, { message: 'nodes are about to be interrupted', nodes });

interface Case {
  readonly name: string;
  readonly values: string;
  readonly lines?: readonly LogLine[];
  readonly unit?: 'node' | 'slice';
  readonly fell: number;
  readonly taken: number;
}

test.each<Case>([
  { name: 'what stays away is taken', values: '6/6 6/4 6/4 6/6', fell: 2, taken: 2 },
  { name: 'one value may be a pod that moves', values: '6/6 6/4 6/6 6/6', fell: 2, taken: 0 },
  { name: 'of two losses the lasting one', values: '6/6 6/3 6/4 6/4', fell: 3, taken: 2 },
  { name: 'one loss after another', values: '6/6 6/4 6/2 6/2', fell: 4, taken: 4 },
  { name: 'not known at the end', values: '6/6 6/4', fell: 2, taken: 0 },
  { name: 'a smaller size takes nothing', values: '6/6 2/6 2/2 2/2', fell: 0, taken: 0 },
  { name: 'a size that grows shows a loss too', values: '6/6 9/4 9/4 9/9', fell: 2, taken: 2 },
  { name: 'nodes that never came are no loss', values: '6/0 6/0 6/3 6/3', fell: 0, taken: 0 },
  { name: 'nothing is known across a gap', values: '6/6 - - - - 6/2 6/2', fell: 0, taken: 0 },
  { name: 'a heartbeat that came late is no gap', values: '6/6 - 6/2 6/2', fell: 4, taken: 4 },
  { name: 'a notice explains one unit', values: '6/6 6/4 6/4 6/4', lines: [notice(0, 1)], fell: 2, taken: 1 },
  {
    name: 'each notice explains one unit once',
    values: '6/6 6/5 6/5 6/4 6/4',
    lines: [notice(0, 1)],
    fell: 2,
    taken: 1,
  },
  { name: 'an old notice explains nothing', values: '6/6 6/4 6/4', lines: [notice(-11, 2)], fell: 2, taken: 2 },
  { name: 'a node holds many slices', values: '9/9 9/4 9/4', lines: [notice(0, 1)], unit: 'slice', fell: 5, taken: 0 },
  { name: 'a size set by hand', values: '6/6 6/1 6/1', lines: [at(1, { from: 1, to: 6 })], fell: 5, taken: 0 },
  {
    name: 'pods of a changed template',
    values: '6/6 6/1 6/1',
    lines: [at(0, { from: 6, to: 6, drift: 'spec.template.spec.containers[0].image' })],
    fell: 5,
    taken: 0,
  },
])('$name', ({ values, lines = [], unit = 'node', fell, taken }) => {
  const periods = withoutSmallGaps(periodsOf(values), MINUTE);
  const falls = fallsOf(periods, { lines, loggedFrom: 0 }, unit) ?? [];
  const sum = (key: 'units' | 'taken') => falls.reduce((total, one) => total + one[key], 0);
  expect({ fell: sum('units'), taken: sum('taken') }).toEqual({ fell, taken });
  const unlogged = fallsOf(periods, { lines, loggedFrom: START }, unit) ?? [];
  expect(unlogged.map((one) => one.taken)).toEqual(unlogged.map(() => 0));
});

test('of a floor nothing is known', () => {
  expect(fallsOf(periodsOf('6/6 6/4 6/4'), { lines: [], loggedFrom: 0 }, 'floor')).toBeUndefined();
});

test('a size counts until the value after it: the reconcile that ended it may have been late in its period', () => {
  const [from, to] = [START, START + 2 * MINUTE];
  expect(sizesOf(periodsOf('6/6 0/0 0/0'))).toEqual([
    { from, to, most: 6 },
    { from: to, to: to + MINUTE, most: 0 },
  ]);
});
