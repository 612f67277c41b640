import { matchesExpression } from '../../../../shared/core/karpenter/matches-expression';

const LABELS = { zone: 'a', cpu: '4', size: 'large', many: '12', below: '-4', part: '4.5' };

test.each<{ name: string; key: string; operator: string; values?: readonly string[]; matches: boolean }>([
  { name: 'a label that is there, of no values', key: 'zone', operator: 'In', matches: false },
  { name: 'a label that is there, of no values excluded', key: 'zone', operator: 'NotIn', matches: true },
  { name: 'no label of the values', key: 'arch', operator: 'In', values: ['a'], matches: false },
  { name: 'no label of the values excluded', key: 'arch', operator: 'NotIn', values: ['a'], matches: true },
  { name: '12 > 3', key: 'many', operator: 'Gt', values: ['3'], matches: true },
  { name: '-4 < 5, which is no whole number', key: 'below', operator: 'Lt', values: ['5'], matches: false },
  { name: '4.5 < 5, which is no whole number', key: 'part', operator: 'Lt', values: ['5'], matches: false },
  { name: 'a number compared without values', key: 'cpu', operator: 'Lte', matches: false },
  { name: 'one of the values', key: 'zone', operator: 'In', values: ['b', 'a'], matches: true },
  { name: 'none of the values', key: 'zone', operator: 'In', values: ['b'], matches: false },
  { name: 'a value that is excluded', key: 'zone', operator: 'NotIn', values: ['a'], matches: false },
  { name: 'a value that is not excluded', key: 'zone', operator: 'NotIn', values: ['b'], matches: true },
  { name: 'a label that is there', key: 'zone', operator: 'Exists', matches: true },
  { name: 'a label that is not there', key: 'arch', operator: 'Exists', matches: false },
  { name: 'no label, where one is', key: 'zone', operator: 'DoesNotExist', matches: false },
  { name: 'no label, where none is', key: 'arch', operator: 'DoesNotExist', matches: true },
  { name: '4 > 3', key: 'cpu', operator: 'Gt', values: ['3'], matches: true },
  { name: '4 > 4', key: 'cpu', operator: 'Gt', values: ['4'], matches: false },
  { name: '4 ≥ 4', key: 'cpu', operator: 'Gte', values: ['4'], matches: true },
  { name: '4 ≥ 5', key: 'cpu', operator: 'Gte', values: ['5'], matches: false },
  { name: '4 < 5', key: 'cpu', operator: 'Lt', values: ['5'], matches: true },
  { name: '4 < 4', key: 'cpu', operator: 'Lt', values: ['4'], matches: false },
  { name: '4 ≤ 4', key: 'cpu', operator: 'Lte', values: ['4'], matches: true },
  { name: '4 ≤ 3', key: 'cpu', operator: 'Lte', values: ['3'], matches: false },
  { name: 'a text compared with a number', key: 'size', operator: 'Lt', values: ['5'], matches: false },
  { name: 'no label compared with a number', key: 'arch', operator: 'Lt', values: ['5'], matches: false },
  { name: 'a number compared with nothing', key: 'cpu', operator: 'Gt', values: [], matches: false },
  { name: 'an operator of a newer Kubernetes', key: 'cpu', operator: 'Near', values: ['4'], matches: false },
])('$name: $matches', ({ key, operator, values, matches }) => {
  expect(matchesExpression({ key, operator, ...(values && { values }) }, LABELS)).toBe(matches);
});
