import { parseQuantity } from '../schema/quantity';
import { type Fault, type Found, fault } from '../schema/rules';
import { showValue } from '../yaml/problem';
import { asMap, type Values } from '../yaml/untyped';
import type { NodePoolRules } from './written';

const [MEBI, GIBI, TEBI] = [2 ** 20, 2 ** 30, 2 ** 40];
/** Less is no memory of a node or of a pod, so that a number without a unit meant another one. */
const LEAST_MEMORY = 64 * MEBI;
const BARE = /^\d+(\.\d*)?([eE][+-]?\d+)?$/;

/** The most of any EC2 instance type, and of those with an accelerator; a test compares them with the list of prices. */
export const LARGEST = { cpu: 896, memory: 32 * TEBI };
export const LARGEST_WITH = {
  'nvidia.com/gpu': { most: 8, cpu: 192, memory: 4 * TEBI },
  'aws.amazon.com/neuron': { most: 16, cpu: 192, memory: 768 * GIBI },
} as const;

/** Quantities that no instance type has, and those that are probably meant in another unit. */
export const quantityRules: NodePoolRules = ({ unit, minNode, pool }) => {
  const sizes = (['node', 'slice', 'floor'] as const).map((kind) => ({
    path: ['unit', kind],
    size: asMap(unit?.[kind]),
  }));
  return [
    ...[...sizes, { path: ['minNode'], size: asMap(minNode) }].flatMap(({ path, size }) => sizeFaults(path, size)),
    ...[['limits'], ['spot', 'limits']].flatMap((below) => {
      const limits = below.reduce<Values>((here, key) => asMap(here[key]), asMap(pool));
      return [likelyMemory(['pool', ...below, 'memory'], limits.memory)];
    }),
  ];
};

function sizeFaults(path: Fault['path'], size: Values): Found {
  const bytes = (['memory', 'ephemeral-storage'] as const).map((resource) => [resource, size[resource]] as const);
  const accelerator = Object.entries(LARGEST_WITH).find(([resource]) => amountIn(size, resource) > 0);
  const [name, most] = accelerator ?? ['', LARGEST];
  const type = name === '' ? 'any instance type' : `any instance type with ${name}`;
  const [cpu, memory] = [amountIn(size, 'cpu'), amountIn(size, 'memory')];
  const tooMuch = (resource: string, what: string, advice: string) =>
    fault([...path, resource], `is ${showValue(size[resource])}, ${what}; write ${advice}`);
  return [
    ...bytes.map(([resource, value]) => likelyMemory([...path, resource], value)),
    cpu > most.cpu && tooMuch('cpu', `more vCPU than ${type} has`, likelyCpu(size.cpu, cpu, most.cpu)),
    memory > most.memory &&
      memory <= 2 ** 63 &&
      tooMuch('memory', `more than ${type} has`, `at most ${bytesText(most.memory)}`),
    accelerator &&
      amountIn(size, name) > accelerator[1].most &&
      tooMuch(name, 'more than any instance type has', `at most ${accelerator[1].most}`),
  ];
}

/** What is no quantity is wrong in another way. */
function amountIn(size: Values, resource: string): number {
  return parseQuantity(String(size[resource] ?? '')) ?? 0;
}

/** Thousands of vCPU were meant in millicores, and gibibytes are a size of memory. */
function likelyCpu(written: unknown, cpu: number, most: number): string {
  const [, digits] = /^(\d+)[KMGT]i$/.exec(String(written)) ?? [];
  if (digits !== undefined) return digits;
  const milli = cpu >= 1e6 ? cpu / 1e6 : cpu;
  return cpu >= 1_000 && milli / 1_000 <= most && Number.isInteger(milli) ? `${milli}m` : `at most ${most}`;
}

function likelyMemory(path: Fault['path'], value: unknown): Fault | undefined {
  const [written, amount] = [String(value ?? ''), amountOf(value)];
  const [, digits] = /^(\d+(?:\.\d+)?)m$/.exec(written) ?? [];
  if (digits !== undefined)
    return fault(path, `is ${showValue(value)}, which means thousandths of a byte; write ${digits}Mi`);
  if (!BARE.test(written) || amount === 0 || amount >= LEAST_MEMORY) return undefined;
  return fault(path, `is ${showValue(value)}, which means bytes; write ${withUnit(amount, path)}`);
}

function amountOf(value: unknown): number {
  return parseQuantity(String(value ?? '')) ?? 0;
}

/** Small numbers are gibibytes, larger ones what `free -m` and then `free` print. */
function withUnit(amount: number, path: Fault['path']): string {
  const ofNodes = path.includes('floor') || path.includes('minNode') || path.includes('limits');
  if (amount < (ofNodes ? 1_024 : 128)) return `${amount}Gi`;
  if (amount >= 1e6) return mebibytes(amount / 1_024);
  return mebibytes(amount);
}

function mebibytes(amount: number): string {
  return amount % 1_024 === 0 ? `${amount / 1_024}Gi` : `${Math.round(amount)}Mi`;
}

function bytesText(bytes: number): string {
  return bytes % TEBI === 0 ? `${bytes / TEBI}Ti` : `${bytes / GIBI}Gi`;
}
