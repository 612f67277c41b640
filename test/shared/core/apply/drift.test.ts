import { driftOf } from '../../../../shared/core/apply/drift';

describe('driftOf', () => {
  test.each([
    { name: 'equal objects', stated: { a: [1, { b: 2 }] }, current: { a: [1, { b: 2 }] }, drift: undefined },
    { name: 'live fields that we do not state', stated: { a: 1 }, current: { a: 1, status: {} }, drift: undefined },
    {
      name: 'quantities written otherwise',
      stated: { x: { resources: { requests: { cpu: '1000m' } } } },
      current: { x: { resources: { requests: { cpu: '1' } } } },
      drift: undefined,
    },
    {
      name: 'limits written otherwise',
      stated: { x: { resources: { limits: { cpu: '1000m' } } } },
      current: { x: { resources: { limits: { cpu: '1' } } } },
      drift: undefined,
    },
    { name: 'an empty list that is not stored', stated: { a: [] }, current: {}, drift: undefined },
    { name: 'empty lists', stated: { a: [] }, current: { a: [] }, drift: undefined },
    { name: 'an empty text that is not stored', stated: { a: '' }, current: {}, drift: undefined },
    { name: 'equal values that are nothing', stated: { a: null }, current: { a: null }, drift: undefined },
  ])('$name are no drift', ({ stated, current: live, drift }) => {
    expect(driftOf(stated, live)).toBe(drift);
  });

  test.each([
    {
      name: 'another value',
      stated: { spec: { replicas: 3 } },
      current: { spec: { replicas: 2 } },
      drift: 'spec.replicas',
    },
    { name: 'a missing field', stated: { a: { b: 1 } }, current: { a: {} }, drift: 'a.b' },
    { name: 'a list that grew', stated: { a: [1] }, current: { a: [1, 2] }, drift: 'a' },
    { name: 'a changed list item', stated: { a: [{ b: 1 }] }, current: { a: [{ b: 2 }] }, drift: 'a[0].b' },
    {
      name: 'another quantity',
      stated: { x: { resources: { requests: { cpu: '1' } } } },
      current: { x: { resources: { requests: { cpu: '2' } } } },
      drift: 'x.resources.requests.cpu',
    },
    { name: 'a field that became something else', stated: { a: { b: 1 } }, current: { a: 'text' }, drift: 'a' },
    { name: 'a field that became nothing', stated: { a: { b: 1 } }, current: { a: null }, drift: 'a' },
    { name: 'a field that became a list', stated: { a: {} }, current: { a: [] }, drift: 'a' },
    { name: 'a list that became a text of its length', stated: { a: ['x'] }, current: { a: 'x' }, drift: 'a' },
    { name: 'a list that should be empty', stated: { a: [] }, current: { a: [1] }, drift: 'a' },
    { name: 'a list that is gone', stated: { a: [1] }, current: {}, drift: 'a' },
    { name: 'a second list item', stated: { a: [1, 2] }, current: { a: [1, 3] }, drift: 'a[1]' },
    { name: 'a text where none is stated', stated: { a: '' }, current: { a: 'x' }, drift: 'a' },
    { name: 'a text that is gone', stated: { a: 'x' }, current: {}, drift: 'a' },
    {
      name: 'a text that only looks like the same quantity',
      stated: { labels: { size: '1' } },
      current: { labels: { size: '1000m' } },
      drift: 'labels.size',
    },
    { name: 'the second of two fields', stated: { a: 1, b: { c: 2 } }, current: { a: 1, b: { c: 3 } }, drift: 'b.c' },
  ])('$name is drift at $drift', ({ stated, current: live, drift }) => {
    expect(driftOf(stated, live)).toBe(drift);
  });
});
