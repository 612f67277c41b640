import type { HeadroomConfig } from '../../../../shared/core/config/config';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { countNodes } from '../../../../shared/core/observe/count-nodes';
import { EMPTY_RECORD } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';
import { liveWith } from '../apply/live-headroom';

const [web] = configOf(`
  web:
    max: 8
    leadTime: 5m
    unit: {floor: {cpu: 4}}
    schedules: [{name: lunch, timezone: UTC, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}]
`).headrooms;
if (!web) throw new Error('no pool');
const pool = web;
const at = (time: string) => Date.parse(`2026-11-17T${time}:00Z`);
const recorded = { record: EMPTY_RECORD, held: 0 };

const counting = (
  now: number,
  nodes: number | undefined,
  more: { current?: ReturnType<typeof liveWith>; held?: number } = {},
) => {
  const asked: string[] = [];
  const count = async ({ name }: HeadroomConfig) => {
    asked.push(name);
    return nodes;
  };
  const { current, held = 0 } = more;
  return countNodes({ record: EMPTY_RECORD, held }, { pool, current, seen: { countNodeClaims: count }, now }).then(
    (after) => ({
      after,
      asked,
    }),
  );
};

test('nothing is counted outside the windows', async () => {
  expect(await counting(at('11:00'), 10)).toEqual({ after: recorded, asked: [] });
});

test('an opening is counted, and that it was counted late is said', async () => {
  const counts = (time: string) => ({
    'lunch@2026-11-17T11:30:00.000Z': { nodes: 10, at: at(time), until: at('13:30') },
  });
  expect(await counting(at('11:25'), 10)).toStrictEqual({
    after: { ...recorded, record: { ...EMPTY_RECORD, counts: counts('11:25') } },
    asked: ['web'],
  });
  expect((await counting(at('11:40'), 10)).after).toStrictEqual({
    ...recorded,
    record: { ...EMPTY_RECORD, counts: counts('11:40') },
    countedLate: ['lunch'],
  });
});

describe('while the NodeClaims cannot be counted', () => {
  const current = liveWith({ annotations: { [ANNOTATIONS.decided]: '5' } });
  test.each([
    { name: 'nothing is held where there is no headroom yet', more: {}, held: 0 },
    { name: 'the decided size is held', more: { current }, held: 5 },
    { name: 'what is held already is held where it is more', more: { current, held: 6 }, held: 6 },
  ])('$name', async ({ more, held }) => {
    expect((await counting(at('11:25'), undefined, more)).after).toStrictEqual({
      ...recorded,
      held,
      heldBecause: 'the NodeClaims cannot be counted',
    });
  });
});
