import { driftOf } from '../../../../shared/core/apply/drift';

describe('driftOf', () => {
  test.each([
    { name: 'equal objects', stated: { a: [1, { b: 2 }] }, live: { a: [1, { b: 2 }] }, drift: undefined },
    { name: 'live fields that we do not state', stated: { a: 1 }, live: { a: 1, status: {} }, drift: undefined },
    {
      name: 'quantities written otherwise',
      stated: { x: { resources: { requests: { cpu: '1000m' } } } },
      live: { x: { resources: { requests: { cpu: '1' } } } },
      drift: undefined,
    },
    { name: 'an empty list that is not stored', stated: { a: [] }, live: {}, drift: undefined },
  ])('$name are no drift', ({ stated, live, drift }) => {
    expect(driftOf(stated, live)).toBe(drift);
  });

  test.each([
    {
      name: 'another value',
      stated: { spec: { replicas: 3 } },
      live: { spec: { replicas: 2 } },
      drift: 'spec.replicas',
    },
    { name: 'a missing field', stated: { a: { b: 1 } }, live: { a: {} }, drift: 'a.b' },
    { name: 'a list that grew', stated: { a: [1] }, live: { a: [1, 2] }, drift: 'a' },
    { name: 'a changed list item', stated: { a: [{ b: 1 }] }, live: { a: [{ b: 2 }] }, drift: 'a[0].b' },
    {
      name: 'another quantity',
      stated: { x: { resources: { requests: { cpu: '1' } } } },
      live: { x: { resources: { requests: { cpu: '2' } } } },
      drift: 'x.resources.requests.cpu',
    },
    { name: 'a field that became something else', stated: { a: { b: 1 } }, live: { a: 'text' }, drift: 'a' },
  ])('$name is drift at $drift', ({ stated, live, drift }) => {
    expect(driftOf(stated, live)).toBe(drift);
  });
});
