import { PoolHistory } from '../../../../lab/console/snapshot/pool-view';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { configOf } from '../../../fakes/fake-runtime';

const at = (time: string) => Date.parse(`2026-11-17T${time}:00+09:00`);
const LUNCH = '{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}';
const [web] = configOf(`  web: {max: 8, leadTime: auto, schedules: [${LUNCH}]}\n`).headrooms;
if (!web) throw new Error('no pool');

const starts = Array.from({ length: 5 }, (_, i) => [`2026-11-16T00:00:0${i}Z/a`, 500]);
const record = {
  v: 1,
  requests: {
    'lunch@2026-11-16T02:30:00.000Z': {
      at: '2026-11-16T02:20:00Z',
      ready: '2026-11-16T02:34:00Z',
      why: 'no node is starting',
    },
    'lunch@2026-11-17T02:30:00.000Z': { at: '2026-11-17T02:20:00Z', ready: '2026-11-17T02:28:00Z' },
  },
  nodeStarts: Object.fromEntries(starts),
};
const options = { points: 10, isFiring: () => false };

function viewOf(text: string) {
  const history = new PoolHistory(web as NonNullable<typeof web>);
  const annotations = { [ANNOTATIONS.record]: text };
  const live = { name: '', uid: '', resourceVersion: '', labels: {}, object: {}, replicas: 6, ready: 6, annotations };
  history.observe(live, at('12:00'));
  return history.view(at('12:00'), options);
}

test('the console shows the last occurrences with their verdict, and the lead time that was learned', () => {
  expect(viewOf(JSON.stringify(record))).toMatchObject({
    lead: 'auto, now 10 min for 6 nodes: 95 % of the last 5 nodes took up to 9 min',
    occurrences: [
      { text: 'Nodes were ready 2 min before lunch (2026-11-17T02:30Z)', late: false },
      { text: 'Nodes were 4 min late for lunch (2026-11-16T02:30Z): no node is starting', late: true },
    ],
  });
});

test('the plan and the bands go by the lead time that was learned', () => {
  const { plan, bands } = viewOf(JSON.stringify(record));
  const tomorrow = at('11:20') + 86_400_000;
  expect(plan.map((step) => step.at)).toContain(tomorrow);
  expect(bands).toContainEqual(expect.objectContaining({ kind: 'lead', from: tomorrow }));
});
