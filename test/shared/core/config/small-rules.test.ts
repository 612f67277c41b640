import { roleArnOf, roleNameOf } from '../../../../shared/core/basics/iam-role';
import { nearest } from '../../../../shared/core/basics/nearest';
import { alarmNameGroups, alarmPattern } from '../../../../shared/core/config/alarm-patterns';
import type { Config } from '../../../../shared/core/config/config';
import { parseQuantity, sameQuantity } from '../../../../shared/core/config/schema/quantity';
import { wantedSources } from '../../../../shared/core/config/wanted-sources';
import { formatPath, formatProblem, showValue } from '../../../../shared/core/config/yaml/problem';
import { asList, asMap } from '../../../../shared/core/config/yaml/untyped';
import { load } from './config-text';

test('the rule of alarms listens to our own account only', () => {
  expect(alarmPattern(['a', 'b'], '123456789012')).toEqual({
    source: ['aws.cloudwatch'],
    'detail-type': ['CloudWatch Alarm State Change'],
    account: ['123456789012'],
    detail: { alarmName: ['a', 'b'] },
  });
});

describe('the names of alarms go into as few patterns as EventBridge takes', () => {
  const groups = (...lengths: readonly number[]) => {
    const alarms = lengths.map((length, index) => ({ alarmName: `${index}`.padEnd(length, 'x') }));
    const doubled = [{ alarms }, { alarms: [...alarms, { alarmName: 'é' }] }];
    return alarmNameGroups({ headrooms: doubled } as never).map((names) => names.length);
  };
  // Of 2,048 bytes; `"…","…","é"` has ten that are not of the two names.
  const empty = JSON.stringify(alarmPattern([], '123456789012')).length;
  const room = 2_048 - empty - 10;
  test.each([
    { name: 'a few', lengths: [10, 20], sizes: [3] },
    { name: 'to the last byte', lengths: [room - 100, 100], sizes: [3] },
    { name: 'and no further', lengths: [room - 99, 100], sizes: [2, 1] },
  ])('$name', ({ lengths, sizes }) => expect(groups(...lengths)).toEqual(sizes));
});

test('the stack listens to the notices that any NodePool wants', () => {
  const pools =
    '{a: {max: 1, interruptions: {on: [spot]}}, b: {max: 1, interruptions: {on: [health, spot]}}, c: {max: 1}}';
  const { config } = load(`cluster: {name: a, region: eu-west-1}\nnodePools: ${pools}`);
  const causes = (one: Config) => wantedSources(one).map(({ cause }) => cause);
  expect(causes(config).sort()).toEqual(['health', 'spot']);
  expect(causes({ ...config, headrooms: config.headrooms.slice(2) })).toEqual([]);
});

test.each([
  { word: 'nmae', known: ['name', 'start'], near: 'name' },
  { word: 'MAX', known: ['min', 'max'], near: 'max' },
  { word: 'desirdReplica', known: ['desiredReplicas'], near: 'desiredReplicas' },
  { word: 'abcdef', known: ['abcxyz'], near: undefined },
  { word: 'abcdefghi', known: ['abcdefxyz'], near: 'abcdefxyz' },
  { word: 'abcdefghi', known: ['abcdewxyz'], near: undefined },
  { word: 'ab', known: ['abcde', 'abcd'], near: 'abcd' },
  { word: 'abcde', known: ['ab'], near: undefined },
  { word: 'kitten', known: ['sitting', 'mitten'], near: 'mitten' },
  { word: 'a', known: [], near: undefined },
])('$word is probably meant to be $near', ({ word, known, near }) => expect(nearest(word, known)).toBe(near));

test('a role is written by name or ARN', () => {
  const [account, arn] = [{ partition: 'aws', account: '123456789012' }, 'arn:aws-cn:iam::210987654321:role/a/b/nodes'];
  expect([roleNameOf('nodes'), roleNameOf(arn)]).toEqual(['nodes', 'nodes']);
  expect(roleArnOf('nodes', account)).toBe('arn:aws:iam::123456789012:role/nodes');
  expect(roleArnOf(arn, account)).toBe(arn);
});

test('quantities have every suffix that Kubernetes knows', () => {
  const texts = ['1n', '1u', '1m', '1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
  const binary = [10, 20, 30, 40, 50, 60].map((power) => 2 ** power);
  expect(texts.map(parseQuantity)).toEqual([1e-9, 1e-6, 1e-3, 1, 1e3, 1e6, 1e9, 1e12, 1e15, 1e18, ...binary]);
  expect(['+1.5', '-12', '.25', '3.', '2E2', '1e-2', '1e+2', '12e12'].map(parseQuantity)).toEqual([
    ...[1.5, -12, 0.25, 3, 200, 0.01, 100, 12e12],
  ]);
  expect(['', '.', 'x1', '1x', '1K', '1ki', '1e', '1 ', 'e3', '--1', '1Gii'].map(parseQuantity)).toEqual(
    Array(11).fill(undefined),
  );
  expect(sameQuantity('many', 'many')).toBe(true);
  expect([sameQuantity('many', '1'), sameQuantity('1', 'many'), sameQuantity('-1', '-1000m')]).toEqual([
    false,
    false,
    true,
  ]);
  expect([sameQuantity('1000000000', '1000000001'), sameQuantity('1000000000', '1000000002')]).toEqual([true, false]);
});

test('problems are written so that a person finds the place', () => {
  const place = { file: 'a.yaml', line: 2, column: 3, message: 'is wrong' };
  expect(formatProblem({ ...place, path: '' })).toBe('a.yaml:2:3: is wrong');
  expect(formatProblem({ ...place, path: 'max' })).toBe('a.yaml:2:3: max is wrong');
  expect(formatPath(['a', 0, 'b-c', 'd e', 'x'.repeat(61)])).toBe(`a[0].b-c["d e"]["${'x'.repeat(57)}..."]`);
  expect(formatPath(['x'.repeat(60)])).toBe('x'.repeat(60));
  expect([undefined, null, 'a', { b: [1] }].map(showValue)).toEqual(['nothing', 'null', '"a"', '{"b":[1]}']);
  expect([58, 59].map((length) => showValue('y'.repeat(length)))).toEqual([
    `"${'y'.repeat(58)}"`,
    `"${'y'.repeat(56)}...`,
  ]);
});

test('what is neither a map nor a list counts as an empty one', () => {
  const [map, list] = [{ a: 1 }, [1]];
  expect([map, list, null, undefined, 'text'].map(asMap)).toEqual([map, {}, {}, {}, {}]);
  expect([map, list, null, undefined, 'text'].map(asList)).toEqual([[], list, [], [], []]);
});
