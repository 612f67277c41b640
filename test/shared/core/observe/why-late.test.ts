import { MAX_WHY } from '../../../../shared/core/basics/record-limits';
import { type LateFacts, whyLate } from '../../../../shared/core/observe/why-late';
import type { LiveHeadroom } from '../../../../shared/core/ports/ports';
import { configOf } from '../../../fakes/fake-service';

const [pool] = configOf('  web: {max: 5, unit: {node: {cpu: 2}}}\n').nodePools;
if (!pool) throw new Error('no NodePool');
const facts: LateFacts = { pool, nodePool: { name: 'web', taints: [] }, live: undefined, starts: [], missing: 2 };
const withConditions = (...conditions: readonly object[]) =>
  ({ object: { status: { conditions } } }) as unknown as LiveHeadroom;
const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' };
const nothing = whyLate(facts);

describe('why nodes are late', () => {
  test.each([
    {
      name: 'pods that a quota keeps out',
      live: withConditions(failure),
      says: 'pods cannot be created: exceeded quota',
    },
    {
      name: 'the reason where there is no message',
      live: withConditions({ ...failure, message: '' }),
      says: 'pods cannot be created: FailedCreate',
    },
    {
      name: 'the condition where there is neither',
      live: withConditions({ type: 'ReplicaFailure', status: 'True' }),
      says: 'pods cannot be created: ReplicaFailure',
    },
    { name: 'no failure that is over', live: withConditions({ ...failure, status: 'False' }), says: nothing },
    { name: 'no other condition', live: withConditions({ ...failure, type: 'Progressing' }), says: nothing },
    { name: 'nothing of a status without conditions', live: { object: { status: {} } } as LiveHeadroom, says: nothing },
  ])('tells $name', ({ live, says }) => {
    expect(whyLate({ ...facts, live })).toBe(says);
  });

  test('tells a NodePool that is missing, and one that is not ready', () => {
    expect(whyLate({ ...facts, nodePool: 'missing' })).toBe('the cluster has no NodePool web');
    expect(whyLate({ ...facts, nodePool: { name: 'web', taints: [], notReady: 'no subnets' } })).toBe(
      'NodePool web is not ready: no subnets',
    );
    expect(whyLate({ ...facts, nodePool: undefined })).toBe(nothing);
  });

  test('keeps to plain characters, one blank for each run of others, and to its length', () => {
    const told = (message: string) => whyLate({ ...facts, live: withConditions({ ...failure, message }) });
    expect(told('a "b" \\ `c`\n\tд\u0000e')).toBe("pods cannot be created: a 'b' ' 'c' e");
    const prefix = 'pods cannot be created: '.length;
    expect(told('x'.repeat(MAX_WHY - prefix))).toHaveLength(MAX_WHY);
    expect(told('x'.repeat(MAX_WHY - prefix))).not.toContain('...');
    expect(told('x'.repeat(MAX_WHY - prefix + 1))).toMatch(/x\.\.\.$/);
    expect(told('x'.repeat(500))).toHaveLength(MAX_WHY);
  });
});
