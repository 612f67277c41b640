import { MAX_WHY } from '../../../../shared/core/basics/record-limits';
import { type LateFacts, whyLate } from '../../../../shared/core/occurrences/why-late';
import type { CurrentHeadroom } from '../../../../shared/core/ports/ports';
import { configOf } from '../../../fakes/fake-runtime';

const [pool] = configOf('  web: {max: 5, unit: {node: {cpu: 2}}}\n').headrooms;
if (!pool) throw new Error('no NodePool');
const facts: LateFacts = { pool, nodePool: { name: 'web', taints: [] }, current: undefined, starts: [], missing: 2 };
const withConditions = (...conditions: readonly object[]) =>
  ({ object: { status: { conditions } } }) as unknown as CurrentHeadroom;
const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' };
const nothing = whyLate(facts);

describe('why nodes are late', () => {
  test.each([
    {
      name: 'pods that a quota keeps out',
      current: withConditions(failure),
      says: 'pods cannot be created: exceeded quota',
    },
    {
      name: 'the reason where there is no message',
      current: withConditions({ ...failure, message: '' }),
      says: 'pods cannot be created: FailedCreate',
    },
    {
      name: 'the condition where there is neither',
      current: withConditions({ type: 'ReplicaFailure', status: 'True' }),
      says: 'pods cannot be created: ReplicaFailure',
    },
    { name: 'no failure that is over', current: withConditions({ ...failure, status: 'False' }), says: nothing },
    { name: 'no other condition', current: withConditions({ ...failure, type: 'Progressing' }), says: nothing },
    {
      name: 'nothing of a status without conditions',
      current: { object: { status: {} } } as CurrentHeadroom,
      says: nothing,
    },
  ])('tells $name', ({ current, says }) => {
    expect(whyLate({ ...facts, current })).toBe(says);
  });

  test('tells a NodePool that is missing, and one that is not ready', () => {
    expect(whyLate({ ...facts, nodePool: 'missing' })).toBe('the cluster has no NodePool web');
    expect(whyLate({ ...facts, nodePool: { name: 'web', taints: [], notReady: 'no subnets' } })).toBe(
      'NodePool web is not ready: no subnets',
    );
    expect(whyLate({ ...facts, nodePool: undefined })).toBe(nothing);
  });

  test('names the NodePool, not the headroom', () => {
    const [left] = configOf('  left: {nodePool: shared, max: 5, unit: {node: {cpu: 2}}}\n').headrooms;
    const shared = { name: 'shared', taints: [], limits: { cpu: '4' }, used: { cpu: '4' } };
    const told = (nodePool: LateFacts['nodePool']) => whyLate({ ...facts, pool: left ?? pool, nodePool });
    expect([told('missing'), told({ ...shared, notReady: 'no subnets' }), told(shared)]).toEqual([
      'the cluster has no NodePool shared',
      'NodePool shared is not ready: no subnets; NodePool shared uses 4 of its limit of 4 cpu',
      'NodePool shared uses 4 of its limit of 4 cpu',
    ]);
  });

  test('keeps to plain characters, one blank for each run of others, and to its length', () => {
    const told = (message: string) => whyLate({ ...facts, current: withConditions({ ...failure, message }) });
    expect(told('a "b" \\ `c`\n\tд\u0000e')).toBe("pods cannot be created: a 'b' ' 'c' e");
    const prefix = 'pods cannot be created: '.length;
    expect(told('x'.repeat(MAX_WHY - prefix))).toHaveLength(MAX_WHY);
    expect(told('x'.repeat(MAX_WHY - prefix))).not.toContain('...');
    expect(told('x'.repeat(MAX_WHY - prefix + 1))).toMatch(/x\.\.\.$/);
    expect(told('x'.repeat(500))).toHaveLength(MAX_WHY);
  });
});
