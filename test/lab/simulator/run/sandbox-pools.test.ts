import { sandboxPools } from '../../../../lab/simulator/run/sandbox-pools';
import type { MatchExpression } from '../../../../shared/core/config/config';
import { loadedConfig } from '../../../fakes/loaded-config';
import { MINUTE, simulationOf } from './simulations';

function requirementsOf(text: string, name = 'default'): readonly MatchExpression[] {
  const manifests = sandboxPools(loadedConfig(`{cluster: {name: c, region: eu-west-1}, ${text}}`));
  const found = manifests.find(({ kind, metadata }) => kind === 'NodePool' && metadata.name === name);
  const { spec } = found as unknown as { spec: { template: { spec: { requirements: MatchExpression[] } } } };
  return spec.template.spec.requirements;
}

const typesOf = (requirements: readonly MatchExpression[]) =>
  requirements.find(({ key }) => key === 'node.kubernetes.io/instance-type')?.values;

test.each([
  { name: 'a small unit', unit: 'node: {cpu: 1, memory: 2Gi}', first: 't3.medium' },
  { name: 'a unit with much memory', unit: 'node: {cpu: 1, memory: 12Gi}', first: 'r6i.large' },
  { name: 'a slice', unit: 'slice: {cpu: 3}', first: 'c6i.xlarge' },
  { name: 'a GPU', unit: 'node: {cpu: 2, nvidia.com/gpu: 1}', first: 'g5.xlarge' },
])('$name gets the cheapest types that hold one and not two', ({ unit, first }) => {
  expect(typesOf(requirementsOf(`nodePools: {default: {max: 1, unit: {${unit}}}}`))?.[0]).toBe(first);
});

test('minNode and the architecture of the headroom count', () => {
  const types = typesOf(
    requirementsOf('nodePools: {default: {max: 1, minNode: {cpu: 4}, nodeSelector: {kubernetes.io/arch: arm64}}}'),
  );
  expect(types?.every((type) => /^[cmr]6g\./.test(type))).toBe(true);
});

test('a unit that nothing holds leaves the choice to Karpenter, which will say so', () => {
  expect(typesOf(requirementsOf('nodePools: {default: {max: 1, unit: {node: {cpu: 500}}}}'))).toBeUndefined();
});

test('a pool block is taken as it is where the catalog has such machines, and stood in for where not', () => {
  const pool = (block: string) =>
    requirementsOf(`karpenter: {manage: true}, nodePools: {default: {max: 1, pool: ${block}}}`);
  expect(pool('{family: [m6i]}')).toContainEqual({
    key: 'karpenter.k8s.aws/instance-family',
    operator: 'In',
    values: ['m6i'],
  });
  const standIn = pool('{family: [x99]}');
  expect(typesOf(standIn)?.[0]).toBe('t3.medium');
  expect(standIn.some(({ key }) => key === 'karpenter.k8s.aws/instance-family')).toBe(false);
});

test.each([
  { name: 'labels of its own', text: 'nodeSelector: {team: one}' },
  { name: 'an affinity of its own', text: 'nodeAffinity: [{key: team, operator: In, values: [one, two]}]' },
  { name: 'a resource that the catalog does not know', text: 'unit: {slice: {cpu: 1, example.com/card: 2}}' },
  { name: 'an order to spread', text: 'zones: spread' },
])('a pool with $name gets its headroom and its pods', async ({ text }) => {
  const config = loadedConfig(
    `{cluster: {name: c, region: eu-west-1}, nodePools: {default: {max: 4, base: 3, ${text}}}}`,
  );
  const simulation = await simulationOf({ config, scenario: 'lunch' });
  await simulation.runUntil(simulation.now + 5 * MINUTE);
  expect(simulation.headrooms()[0]).toMatchObject({ wanted: 3, ready: 3 });
  expect(simulation.cluster.meter.waitFigures(simulation.now).pods).toBe(0);
});

const SHARED = `{cluster: {name: c, region: eu-west-1}, nodePools: {
  web: {max: 8, leadTime: 5m, unit: {floor: {cpu: 4}}, schedules: [{name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 13 * * *, addNodes: 3}]},
  web-burst: {nodePool: web, base: 2, max: 4, unit: {slice: {cpu: 1}}, interruptions: {}}}}`;

test('two headrooms share one NodePool, whose types fit the units of both', () => {
  const pools = sandboxPools(loadedConfig(SHARED)).filter(({ kind }) => kind === 'NodePool');
  expect(pools.map(({ metadata }) => metadata.name)).toEqual(['web']);
  const { nodePools } = { nodePools: SHARED.slice(SHARED.indexOf('nodePools')).slice(0, -1) };
  const types = typesOf(requirementsOf(nodePools, 'web')) ?? [];
  expect(types).toContain('c6i.xlarge');
  expect(types.length).toBeGreaterThan(1);
});

test('two headrooms on one NodePool have their own sizes, and a spot storm takes its nodes once', async () => {
  const config = loadedConfig(SHARED);
  const simulation = await simulationOf({ config, scenario: 'storm', after: Date.parse('2026-11-17T11:40:00Z') });
  await simulation.runUntil(Date.parse('2026-11-17T11:59:00Z'));
  const { cluster, scenario, startedAt } = simulation;
  const [floor, burst] = simulation.headrooms();
  expect(burst).toEqual({ name: 'web-burst', wanted: 2, ready: 2 });
  expect(floor?.wanted).toBeGreaterThanOrEqual(3);
  expect(cluster.spotNodes('web').length).toBeGreaterThanOrEqual(floor?.ready ?? 0);
  const actions = [...scenario.actions({ config, startedAt, seed: 1 }, startedAt, startedAt + 90 * MINUTE)];
  const taken = actions.flatMap((one) => (one.kind === 'spot' ? [`${one.nodePool} ${one.notice}`] : []));
  expect(taken).toEqual(['web rebalance', 'web interruption']);
});
