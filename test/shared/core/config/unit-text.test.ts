import { sizeText, unitNoun, unitSize, unitText } from '../../../../shared/core/config/unit-text';
import { configOf } from '../../../fakes/fake-service';

describe('a unit in words', () => {
  test.each([
    {
      unit: '{node: {cpu: 1, memory: 2Gi}}',
      text: 'one pause pod per node (cpu 1, memory 2Gi)',
      noun: 'node',
      size: { cpu: '1', memory: '2Gi' },
    },
    {
      unit: '{slice: {cpu: 500m, nvidia.com/gpu: 1}}',
      text: 'packed pause pods (cpu 500m, nvidia.com/gpu 1)',
      noun: 'slice',
      size: { cpu: '500m', 'nvidia.com/gpu': '1' },
    },
    {
      unit: '{floor: {cpu: 4, memory: 16Gi}}',
      text: 'nodes that exist, used or not (cpu 4, memory 16Gi or more)',
      noun: 'node',
      size: { cpu: '4', memory: '16Gi' },
    },
    {
      unit: '{floor: {memory: 500Mi}}',
      text: 'nodes that exist, used or not (memory 500Mi or more)',
      noun: 'node',
      size: { memory: '500Mi' },
    },
  ])('of $unit', ({ unit, text, noun, size }) => {
    const [pool] = configOf(`  web: {max: 8, unit: ${unit}}\n`).nodePools;
    if (!pool) throw new Error('no pool');
    expect(unitText(pool)).toBe(text);
    expect(text).toContain(sizeText(pool));
    expect(unitNoun(pool.unit)).toBe(noun);
    expect(unitSize(pool)).toEqual(size);
  });
});
