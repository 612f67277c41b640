import { boundText, unitNoun, unitSize, unitsText, unitText } from '../../../../shared/core/config/unit-text';
import { configOf } from '../../../fakes/fake-runtime';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/unit-text.txt`);

test.each([
  { size: 'addNodes: 6', text: 'adds at most 8' },
  { size: 'desiredReplicas: 6', text: 'at most 8' },
])('max bounds what a window of $size adds, or all of it', ({ size, text }) => {
  const window = `{name: lunch, timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, ${size}}`;
  const [pool] = configOf(`  web: {max: 8, unit: {floor: {cpu: 4}}, schedules: [${window}]}\n`).headrooms;
  expect(pool && boundText(pool)).toBe(text);
  expect(pool && boundText(pool, { mode: 'atLeast' })).toBe(text);
  expect(pool && boundText(pool, { mode: 'addNodes' })).toBe('adds at most 8');
});

test.each([
  '{node: {cpu: 1, memory: 2Gi}}',
  '{slice: {cpu: 500m, nvidia.com/gpu: 1}}',
  '{floor: {cpu: 4, memory: 16Gi}}',
  '{slice: {cpu: 1500m, memory: 268435456, ephemeral-storage: 1Gi}}',
  '{floor: {memory: 500Mi}}',
  '{floor: {cpu: 8, gpu: 1}}',
])('a unit in words: %s', (unit) => {
  const [pool] = configOf(`  web: {max: 8, unit: ${unit}}\n`).headrooms;
  if (!pool) throw new Error('no pool');
  const counted = [1, 2].map((amount) => unitsText(amount, pool.unit));
  said([unitText(pool), unitNoun(pool.unit), JSON.stringify(unitSize(pool)), ...counted].join('\n'));
});
