import { count } from '../../../../shared/core/basics/count';
import { isTooDeep } from '../../../../shared/core/basics/depth';
import { dnsSuffix } from '../../../../shared/core/basics/dns-suffix';
import { durationText, formatDuration, spanText } from '../../../../shared/core/basics/duration';
import {
  ConflictError,
  InvalidEventError,
  InvalidOverrideError,
  messageOf,
  PermanentError,
} from '../../../../shared/core/basics/errors';
import { attempt, type Failure, failureText } from '../../../../shared/core/basics/failures';
import * as names from '../../../../shared/core/basics/names';
import { inParallel } from '../../../../shared/core/basics/promises';

test.each([
  ['eu-central-1', 'amazonaws.com'],
  ['us-gov-west-1', 'amazonaws.com'],
  ['cn-north-1', 'amazonaws.com.cn'],
  ['eusc-de-east-1', 'amazonaws.eu'],
  ['us-iso-east-1', 'c2s.ic.gov'],
  ['us-isob-east-1', 'sc2s.sgov.gov'],
  ['us-isof-south-1', 'csp.hci.ic.gov'],
  ['eu-isoe-west-1', 'cloud.adc-e.uk'],
  // Only what a region begins with counts.
  ['x-cn-eusc-us-iso-us-isob-us-isof-eu-isoe-', 'amazonaws.com'],
])('the endpoints of %s are in %s', (region, domain) => expect(dnsSuffix(region)).toBe(domain));

test.each([
  [0, '0s', '0 s'],
  [18, '18s', '18 s'],
  [90, '1m30s', '1 min 30 s'],
  [300, '5m', '5 min'],
  [6_600, '1h50m', '1 h 50 min'],
  [86_400, '1d', '1 d'],
  [90_061.4, '1d1h1m1s', '1 d 1 h 1 min 1 s'],
])('%d seconds are written as %s, in a sentence as %s', (seconds, short, sentence) => {
  expect(formatDuration(seconds)).toBe(short);
  expect(durationText(seconds)).toBe(sentence);
  expect(spanText(seconds / 60)).toBe(sentence);
});

test('a thing is counted in words', () => {
  expect([0, 1, 2].map((amount) => count(amount, 'node'))).toEqual(['0 nodes', '1 node', '2 nodes']);
  expect(count(2, 'is', 'are')).toBe('2 are');
});

test('names in a cluster and in AWS stay what they are, or a later release would not find its own objects', () => {
  expect({
    labels: [names.MANAGED_BY_LABEL, names.MANAGED_BY, names.HEADROOM_LABEL, names.KARPENTER_NODEPOOL_LABEL],
    others: [names.FIELD_MANAGER, names.LIVE_SCHEDULES, names.EVENT_PREFIX],
    made: [names.runtimeGroup('a'), names.priorityClassName('a'), names.headroomName('a'), names.spotTwinName('a')],
    functions: [names.functionName('demo', 'inflate'), names.functionName('dé mo', 'alarm')],
    fits: [names.physicalName(['ab', 'cd'], 5), names.physicalName(['a'.repeat(20), 'b'], 21)],
    hashed: names.uniqueName(['Asia/Seoul', 'cron(0 9 * * ? *)'], 32),
    hashes: [names.hashText(''), names.hashText('a'), names.hashText('headroom-web')],
  }).toEqual({
    labels: ['app.kubernetes.io/managed-by', 'headstart', 'headstart.dev/headroom', 'karpenter.sh/nodepool'],
    others: ['headstart', 'headroom-schedules', 'event:'],
    made: ['headstart:a', 'headstart-a', 'headroom-a', 'a-spot'],
    functions: ['headstart-demo-inflate', 'headstart-d--mo-alarm-cy5f4hsyrdn7'],
    fits: ['ab-cd', 'aaaaaaaa-314z6z0pik0l'],
    hashed: 'Asia-Seoul-cron-0-9-674kyz73obe1',
    hashes: ['ztntfp09zloz', 'r9wi7g0wmara', 'n1ku2rkxeqg5'],
  });
});

test.each([
  { value: 'text', depth: 0, tooDeep: false },
  { value: null, depth: 0, tooDeep: false },
  { value: {}, depth: 49, tooDeep: false },
  { value: {}, depth: 50, tooDeep: true },
  { value: null, depth: 50, tooDeep: false },
])('$value below $depth lists is nested too deeply: $tooDeep', ({ value, depth, tooDeep }) => {
  let nested: unknown = value;
  for (let i = 0; i < depth; i += 1) nested = i % 2 === 0 ? [1, nested] : { a: 1, b: nested };
  expect(isTooDeep(nested)).toBe(tooDeep);
});

test('errors are told by their names, and in one line', async () => {
  const all = [new InvalidEventError('a'), new InvalidOverrideError('b'), new ConflictError('c')];
  expect(all.map(({ name }) => name)).toEqual(['InvalidEventError', 'InvalidOverrideError', 'ConflictError']);
  expect(all.map((error) => error instanceof PermanentError)).toEqual([true, true, false]);
  expect(new InvalidOverrideError('b').example).toEqual({
    ...{ headroom: 'default', atLeast: 6, for: '30m', reason: 'flash sale', by: 'ana' },
  });
  expect(messageOf(new AggregateError([...all, 'text']))).toBe('a; b; c; text');
  const failures: Failure[] = [];
  expect(await attempt('works', Promise.resolve(7), failures)).toBe(7);
  expect(await attempt('fails', Promise.reject(all[0]), failures)).toBeUndefined();
  expect(failures.map(failureText)).toEqual(['fails: a']);
});

test('work is done by so many at once, and answered in order, whatever fails', async () => {
  let [running, most] = [0, 0];
  const work = async (item: number) => {
    running += 1;
    most = Math.max(most, running);
    for (let i = item; i < 5; i += 1) await Promise.resolve();
    running -= 1;
    if (item === 2) throw 'no';
    return item;
  };
  const settled = await inParallel([1, 2, 3, 4], 2, work);
  expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason))).toEqual([1, 'no', 3, 4]);
  expect(most).toBe(2);
  expect(await inParallel([], 2, work)).toEqual([]);
});
