import { boundText, unitNoun, unitSize, unitsText, unitText } from '../../../../shared/core/config/unit-text';
import { configOf } from '../../../fakes/fake-runtime';

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

describe('a unit in words', () => {
  test.each([
    {
      unit: '{node: {cpu: 1, memory: 2Gi}}',
      text: 'Room · 1 vCPU, 2 GiB free on each node',
      noun: 'node',
      size: { cpu: '1', memory: '2Gi' },
    },
    {
      unit: '{slice: {cpu: 500m, nvidia.com/gpu: 1}}',
      text: 'Room · slices of 0.5 vCPU, 1 nvidia.com/gpu',
      noun: 'slice',
      size: { cpu: '500m', 'nvidia.com/gpu': '1' },
    },
    {
      unit: '{floor: {cpu: 4, memory: 16Gi}}',
      text: 'Floor · nodes ≥ 4 vCPU, 16 GiB',
      noun: 'node',
      size: { cpu: '4', memory: '16Gi' },
    },
    {
      unit: '{slice: {cpu: 1500m, memory: 2048, ephemeral-storage: 1Gi}}',
      text: 'Room · slices of 1.5 vCPU, 2048, 1Gi ephemeral-storage',
      noun: 'slice',
      size: { cpu: '1500m', memory: '2048', 'ephemeral-storage': '1Gi' },
    },
    {
      unit: '{floor: {memory: 500Mi}}',
      text: 'Floor · nodes ≥ 500 MiB',
      noun: 'node',
      size: { memory: '500Mi' },
    },
  ])('of $unit', ({ unit, text, noun, size }) => {
    const [pool] = configOf(`  web: {max: 8, unit: ${unit}}\n`).headrooms;
    if (!pool) throw new Error('no pool');
    expect(unitText(pool)).toBe(text);
    expect(unitNoun(pool.unit)).toBe(noun);
    expect(unitSize(pool)).toStrictEqual(size);
    expect([1, 2].map((amount) => unitsText(amount, pool.unit))).toEqual([`1 ${noun}`, `2 ${noun}s`]);
  });
});
