import type { HeadroomConfig } from '../../../../shared/core/config/config';
import { countNodes } from '../../../../shared/core/occurrences/count-nodes';
import { EMPTY_RECORD } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';

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

const counting = async (now: number, nodes: number | undefined) => {
  const asked: string[] = [];
  const countNodeClaims = async ({ name }: HeadroomConfig) => {
    asked.push(name);
    return nodes;
  };
  return { after: await countNodes(EMPTY_RECORD, pool, now, { countNodeClaims }), asked };
};
const NOTHING = { record: EMPTY_RECORD, countedLate: [] };

test('nothing is counted outside the windows', async () => {
  expect(await counting(at('11:00'), 10)).toEqual({ after: NOTHING, asked: [] });
});

test('an occurrence is counted once it is requested, and a late count names its window', async () => {
  const counts = (time: string) => ({
    'lunch@2026-11-17T11:30:00.000Z': { nodes: 10, at: at(time), until: at('13:30') },
  });
  expect(await counting(at('11:25'), 10)).toStrictEqual({
    after: { ...NOTHING, record: { ...EMPTY_RECORD, counts: counts('11:25') } },
    asked: ['web'],
  });
  expect((await counting(at('11:40'), 10)).after).toStrictEqual({
    ...NOTHING,
    record: { ...EMPTY_RECORD, counts: counts('11:40') },
    countedLate: ['lunch'],
  });
});

test('NodeClaims that cannot be read leave the record as it is', async () => {
  expect((await counting(at('11:25'), undefined)).after).toStrictEqual({
    ...NOTHING,
    uncountable: 'the NodeClaims cannot be counted',
  });
});
