import { loadConfig } from '../../../../../shared/core/config/read/load';

const load = (pool: string) =>
  loadConfig([
    { file: 'headroom.yaml', text: `cluster: {name: shop, region: eu-west-1}\nnodePools:\n  web: {${pool}}\n` },
  ]);

test.each([
  { pool: 'max: .inf', path: 'nodePools.web.max', says: 'is .inf, which is no finite number; write a whole number' },
  { pool: 'max: .nan', path: 'nodePools.web.max', says: 'is .nan, which is no finite number; write a whole number' },
  { pool: 'max: 5, base: -.inf', path: 'nodePools.web.base', says: 'is -.inf, which is no finite number; write' },
  { pool: 'max: 5, price: .inf', path: 'nodePools.web.price', says: 'is .inf, which is no finite number; write' },
  {
    pool: 'max: 5, unit: {slice: {cpu: .inf}}',
    path: 'nodePools.web.unit.slice.cpu',
    says: 'is .inf, which is no finite number; write a Kubernetes quantity',
  },
  { pool: 'max: 8, base: .inf', path: 'nodePools.web.base', says: 'is .inf, which is no finite number; write' },
  {
    pool: 'max: 8, schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: .inf}]',
    path: 'nodePools.web.schedules[0].desiredReplicas',
    says: 'is .inf, which is no finite number; write',
  },
  {
    pool: 'max: 8, events: [{name: .nan, pattern: {source: [shop]}, desiredReplicas: 2, hold: 5m}]',
    path: 'nodePools.web.events[0].name',
    says: 'is .nan, which is no finite number; write',
  },
  {
    pool: 'max: 8, pool: {role: nodes, zones: [.inf]}',
    path: 'nodePools.web.pool.zones[0]',
    says: 'is .inf, which is no finite number; write',
  },
  {
    pool: 'max: 8, pool: {role: nodes, spotTwin: true, weight: .inf, spot: {weight: 20}}',
    path: 'nodePools.web.pool.weight',
    says: 'is .inf, which is no finite number; write',
  },
])('$pool is refused at its place, by its name and with what to write instead', ({ pool, path, says }) => {
  const loaded = load(pool);
  const problems = loaded.ok ? [] : loaded.problems;
  expect(problems).toEqual([expect.objectContaining({ line: 3, path, message: expect.stringContaining(says) })]);
});
