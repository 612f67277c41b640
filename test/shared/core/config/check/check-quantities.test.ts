import { LARGEST, LARGEST_WITH } from '../../../../../shared/core/config/check/check-quantities';
import data from '../../../../../shared/pricing/instance-types.json';
import { pool, problemsIn } from '../config-text';

type Row = readonly [cpu: number, memoryMiB: number, pods: number, arch: string, labels: object, extended: object];
const TYPES = Object.values(data.types as unknown as Readonly<Record<string, Row>>);
const largest = (rows: readonly Row[]) => ({
  cpu: Math.max(...rows.map(([cpu]) => cpu)),
  memory: Math.max(...rows.map(([, memoryMiB]) => memoryMiB)) * 2 ** 20,
});

test('the largest instance type that a config may ask for is the largest of the list of prices', () => {
  expect(LARGEST).toEqual(largest(TYPES));
  for (const [resource, most] of Object.entries(LARGEST_WITH)) {
    const amount = ([, , , , , extended]: Row) => new Map(Object.entries(extended)).get(resource) ?? 0;
    const owners = TYPES.filter((row) => amount(row) > 0);
    expect({ resource, ...most }).toEqual({ resource, most: Math.max(...owners.map(amount)), ...largest(owners) });
  }
});

test.each([
  { size: 'node: {memory: 16}', says: 'node.memory is 16, which means bytes; write 16Gi' },
  { size: 'node: {memory: 512}', says: 'node.memory is 512, which means bytes; write 512Mi' },
  { size: 'floor: {memory: 512}', says: 'floor.memory is 512, which means bytes; write 512Gi' },
  { size: 'floor: {memory: "16384"}', says: 'floor.memory is "16384", which means bytes; write 16Gi' },
  { size: 'slice: {memory: 16777216}', says: 'slice.memory is 16777216, which means bytes; write 16Gi' },
  { size: 'slice: {memory: 67108863}', says: 'slice.memory is 67108863, which means bytes; write 65536Mi' },
  { size: 'slice: {memory: 67108864}', says: undefined },
  { size: 'slice: {memory: 16M}', says: undefined },
  { size: 'floor: {cpu: 4, memory: 0}', says: undefined },
  { size: 'node: {memory: 500m}', says: 'node.memory is "500m", which means thousandths of a byte; write 500Mi' },
  { size: 'node: {memory: 16GB}', says: 'node.memory is "16GB"; write 16Gi' },
  { size: 'node: {memory: 1.5 gib}', says: 'node.memory is "1.5 gib"; write 1.5Gi' },
  { size: 'node: {memory: much}', says: 'node.memory is "much"; write an amount such as 16Gi or 512Mi' },
  { size: 'node: {memory: 33Ti}', says: 'node.memory is "33Ti", more than any instance type has; write at most 32Ti' },
  { size: 'node: {cpu: 896, memory: 32Ti}', says: undefined },
  { size: 'node: {cpu: 897}', says: 'node.cpu is 897, more vCPU than any instance type has; write at most 896' },
  { size: 'node: {cpu: 4000}', says: 'node.cpu is 4000, more vCPU than any instance type has; write 4000m' },
  { size: 'node: {cpu: 500M}', says: 'node.cpu is "500M", more vCPU than any instance type has; write 500m' },
  { size: 'node: {cpu: 4Gi}', says: 'node.cpu is "4Gi", more vCPU than any instance type has; write 4' },
  { size: 'node: {cpu: 4 cores}', says: 'node.cpu is "4 cores"; write 4' },
  { size: 'node: {cpu: "0,5"}', says: 'node.cpu is "0,5"; write 0.5' },
  {
    size: 'node: {cpu: 193, nvidia.com/gpu: 8}',
    says: 'node.cpu is 193, more vCPU than any instance type with nvidia.com/gpu has; write at most 192',
  },
  {
    size: 'node: {memory: 800Gi, aws.amazon.com/neuron: 1}',
    says: 'node.memory is "800Gi", more than any instance type with aws.amazon.com/neuron has; write at most 768Gi',
  },
  {
    size: 'node: {nvidia.com/gpu: 9}',
    says: 'node["nvidia.com/gpu"] is 9, more than any instance type has; write at most 8',
  },
])('unit: {$size}: $says', ({ size, says }) => {
  const found = problemsIn(pool('max: 1', `unit: {${size}}`)).map((text) =>
    text.replace(/^.*?nodePools\.web\.unit\./, ''),
  );
  expect(found).toEqual(says === undefined ? [] : [says]);
});

test('memory in limits and of the smallest node is read alike', () => {
  expect(
    problemsIn(pool('max: 1', 'minNode: {memory: 8}', 'pool: {role: r, limits: {cpu: 5000, memory: 1000}}')),
  ).toEqual([
    'headroom.yaml:5:15: nodePools.web.minNode.memory is 8, which means bytes; write 8Gi',
    'headroom.yaml:6:41: nodePools.web.pool.limits.memory is 1000, which means bytes; write 1000Gi',
  ]);
});
