import { configOf } from '../../../cli/config-file/write-config';
import { finalize } from '../../../lab/import/finalize';
import type { Imported } from '../../../lab/import/input/imported';
import { loadConfig } from '../../../shared/core/config/read/load';

const HEAD = { command: 'import', files: [], next: '', clusterName: 'shop', region: 'ap-northeast-2' };
const numbers = Array.from({ length: 100 }, (_, index) => index);
/** Every second operator and value is refused. */
const IMPORTED: Imported = {
  pools: [
    {
      name: 'web',
      settings: {
        max: 3,
        tolerations: numbers.map((n) => ({ key: `key-${n}`, operator: n % 2 ? 'Exists' : 'Perhaps' })),
        pool: {
          role: 'nodes',
          requirements: [
            { key: 'size', operator: 'In', values: numbers.map((n) => (n % 2 ? `v${n}` : `<<${n}>>`)) },
            { key: 'tier', operator: 'In', values: ['<<a>>', '<<b>>'] },
          ],
        },
      },
      remarks: {},
      sources: [],
    },
    { name: 'batch', settings: { max: 3, base: 9 }, remarks: {}, sources: [] },
  ],
  others: [],
  notes: [],
};

test('a hundred refused settings are left out and listed at once, so that the config is loaded twice', () => {
  let loads = 0;
  const { pools, others } = finalize(IMPORTED, HEAD, (sources) => {
    loads += 1;
    return loadConfig(sources);
  });
  const odd = numbers.filter((n) => n % 2);
  expect(loads).toBe(2);
  expect(others.length).toBeGreaterThanOrEqual(100);
  expect(others.find(({ path }) => path === 'base')).toMatchObject({
    label: 'nodePools.batch',
    value: '9',
    why: 'is 9, above max 3; write at most 3 or raise max',
  });
  expect(configOf({ pools }, HEAD).nodePools).toEqual({
    web: {
      max: 3,
      tolerations: numbers.map((n) => ({ key: `key-${n}`, ...(n % 2 && { operator: 'Exists' }) })),
      pool: { role: 'nodes', requirements: [{ key: 'size', operator: 'In', values: odd.map((n) => `v${n}`) }] },
    },
    batch: { max: 3 },
  });
});
