import { listKeys, ownableFields } from '../../../../lab/simulator/kube/field-paths';

test.each(['constructor', '__proto__', 'toString'])(
  'a list named %s is owned as a whole, like any unknown list',
  (name) => {
    const value = JSON.parse(`{"${name}": [{"a": 1}]}`) as unknown;
    expect([...ownableFields(value, () => false).values()]).toEqual([[{ a: 1 }]]);
    expect(listKeys(name)).toBeUndefined();
  },
);
