import fc from 'fast-check';
import type { KubeApi } from '../../../../../lab/simulator/kube/api/kube-api';
import { CONFIG_MAPS } from '../../../../../lab/simulator/kube/kinds';
import type { KubeObject } from '../../../../../lab/simulator/kube/object-types';
import { configMap } from '../../../../contract/kube-client';
import { emptyApi } from '../serve-store';

type Data = Readonly<Record<string, string>>;

function apply(api: KubeApi, fieldManager: string, data: Data): KubeObject {
  const place = { namespace: 'default', name: 'shared' };
  return api.apply(CONFIG_MAPS, place, configMap('shared', data), { fieldManager, force: true });
}

const someData = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3'), { maxKeys: 4 });
const manager = fc.constantFrom('headstart', 'kubectl', 'helm');
const applies = fc.array(fc.tuple(manager, someData), { minLength: 1, maxLength: 8 });

/** What a careful reader would expect: each key has the owners that stated it last with the value that it has. */
class Model {
  private readonly owners = new Map<string, Set<string>>();
  readonly data = new Map<string, string>();

  apply(by: string, data: Data): void {
    for (const [key, names] of this.owners) {
      if (key in data || !names.delete(by) || names.size > 0) continue;
      this.owners.delete(key);
      this.data.delete(key);
    }
    for (const [key, value] of Object.entries(data)) {
      const kept = this.data.get(key) === value ? (this.owners.get(key) ?? []) : [];
      this.owners.set(key, new Set([...kept, by]));
      this.data.set(key, value);
    }
  }
}

describe('server-side apply', () => {
  test('any sequence of forced applies ends as the owners would expect', () => {
    fc.assert(
      fc.property(applies, (sequence) => {
        const api = emptyApi();
        const model = new Model();
        let last: KubeObject | undefined;
        for (const [by, data] of sequence) {
          last = apply(api, by, data);
          model.apply(by, data);
        }
        expect(last?.data ?? {}).toEqual(Object.fromEntries(model.data));
      }),
    );
  });

  test('an apply repeated at once changes nothing, not even the version', () => {
    fc.assert(
      fc.property(applies, (sequence) => {
        const api = emptyApi();
        for (const [by, data] of sequence) {
          const first = apply(api, by, data);
          expect(apply(api, by, data)).toBe(first);
        }
      }),
    );
  });

  test('what an apply states is what the object then says', () => {
    fc.assert(
      fc.property(applies, (sequence) => {
        const api = emptyApi();
        for (const [by, data] of sequence) expect(apply(api, by, data).data ?? {}).toMatchObject(data);
      }),
    );
  });
});
