import { heldSize } from '../../../../shared/core/decision/held-size';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { EMPTY_RECORD } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';

const [pool] = configOf('  web: {max: 20, alarms: [{alarmName: ours, add: 1}]}\n').headrooms;
if (!pool) throw new Error('no pool');
const decided = (size: number) => ({ replicas: 7, annotations: { [ANNOTATIONS.decided]: `${size}` } });
const firing = (alarmName: string) => ({ alarms: { [alarmName]: { state: 'ALARM' as const, at: 0 } }, surges: {} });
const UNCOUNTABLE = 'the NodeClaims cannot be counted';

test.each([
  { name: 'nothing while everything can be read', record: firing('ours'), unread: {}, held: undefined },
  { name: 'the decided size while the record is unreadable', unread: { quarantined: '{' }, held: { replicas: 5 } },
  {
    name: 'the decided size while nodes cannot be counted',
    unread: { uncountable: 'the NodeClaims cannot be counted' },
    held: { replicas: 5, because: UNCOUNTABLE },
  },
  {
    name: 'the decided size while an alarm fires that the local config does not name',
    record: firing('theirs'),
    unread: {},
    held: { replicas: 5, because: 'theirs is in ALARM and not in this config' },
  },
  {
    name: 'for the missing count first, because counting is what ends it',
    record: firing('theirs'),
    unread: { quarantined: '{', uncountable: 'the NodeClaims cannot be counted' },
    held: { replicas: 5, because: UNCOUNTABLE },
  },
  {
    name: 'at 0 where there is no headroom yet',
    current: undefined,
    unread: { uncountable: 'the NodeClaims cannot be counted' },
    held: { replicas: 0, because: UNCOUNTABLE },
  },
])('holds $name', ({ record = EMPTY_RECORD, unread, held, ...more }) => {
  const current = 'current' in more ? undefined : decided(5);
  expect(heldSize(record, pool, { current, quarantined: undefined, ...unread })).toStrictEqual(held);
});
