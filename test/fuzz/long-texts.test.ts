import { karpenterText } from '../../cli/doctor/checks/check-controllers';
import { queryAt } from '../../cli/prometheus/prometheus-client';
import { documentsIn } from '../../lab/import/input/documents';
import { freeName } from '../../lab/import/input/imported';
import { replacedImage } from '../../lab/import/pause/pod-role';
import { Pools } from '../../lab/simulator/engine/karpenter/pools';
import { parseLabelSelector } from '../../lab/simulator/kube/selectors';
import { metadataErrors } from '../../lab/simulator/kube/validation/metadata';
import { poolRules } from '../../shared/core/config/check/check-pool';
import { isPlaceholder } from '../../shared/core/config/check/suspicious-values';
import { parseQuantity } from '../../shared/core/config/schema/quantity';
import { amiParameterPolicy } from '../../shared/core/karpenter/install/ami-parameter-policy';

/** Readers of outside text, and the text that makes them try again at every character. */
const READERS: readonly { name: string; read: (length: number) => unknown }[] = [
  { name: 'a quantity of digits', read: (n) => parseQuantity(`${'1'.repeat(n)}!`) },
  { name: 'a quantity with a fraction', read: (n) => parseQuantity(`1.${'1'.repeat(n)}!`) },
  { name: 'placeholders that do not end', read: (n) => isPlaceholder('${'.repeat(n / 2)) },
  { name: 'a name of dashes', read: (n) => freeName([`a${'-'.repeat(n)}b`], new Set()) },
  { name: 'an image with many colons', read: (n) => replacedImage(`pause${':'.repeat(n)}/`) },
  { name: 'an image with many digests', read: (n) => replacedImage(`pause:${'@'.repeat(n)}\n`) },
  { name: 'a file of empty lines', read: (n) => attempt(() => documentsIn(`{${'\n'.repeat(n)}`, 'file')) },
  { name: 'an AMI alias of many versions', read: (n) => poolRules(poolWith(`${'@'.repeat(n)}\n`)) },
  { name: 'an SSM parameter of many labels', read: (n) => amiParameterPolicy(SCOPE, [`${':'.repeat(n)}\n`]) },
  { name: 'a feature gate that is switched often', read: (n) => karpenterText(factsWith(`${'='.repeat(n)}\n=true`)) },
  { name: 'a selector of spaces', read: (n) => attempt(() => parseLabelSelector(`a=${' '.repeat(n)}!`)) },
  { name: 'a name of colons', read: (n) => metadataErrors({ name: `${':'.repeat(n)}!` } as never, false) },
  { name: 'an age in digits', read: (n) => poolsWith('1'.repeat(n)).all() },
  {
    name: 'an address with many slashes',
    read: (n) => attempt(() => queryAt({ url: `http://127.0.0.1:1${'/'.repeat(n)}x` }, 'up', 0).catch(() => undefined)),
  },
];

const SCOPE = { partition: 'aws', region: 'eu-west-1', account: '123456789012' };

function poolWith(ami: string): Parameters<typeof poolRules>[0] {
  return { pool: { ami, amiFamily: 'AL2023' }, config: {}, name: 'web' } as never;
}

function factsWith(gates: string): Parameters<typeof karpenterText>[0] {
  const karpenter = { image: 'controller:1.14.1', env: { FEATURE_GATES: gates } };
  return { karpenter: { ok: true, value: [karpenter] }, nodePools: { ok: true, value: [] } } as never;
}

function poolsWith(expireAfter: string): Pools {
  const object = { metadata: { name: 'web' }, spec: { template: { spec: { expireAfter } } } };
  return new Pools({ list: () => [object] } as never, []);
}

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function shortest(times: number, work: () => unknown): number {
  const took = Array.from({ length: times }, () => {
    const before = performance.now();
    work();
    return performance.now() - before;
  });
  return Math.min(...took);
}

/** A quadratic reader takes 64 times as long for eight times the text. */
test.each(READERS)('the time to read $name grows with its length, not with its square', ({ read }) => {
  const [short, long] = [8_000, 64_000];
  shortest(3, () => read(short));
  expect(shortest(3, () => read(long))).toBeLessThan(30 * shortest(3, () => read(short)) + 20);
});

test('a quantity of 60,000 digits is read or refused at once, and short ones as before', () => {
  expect(parseQuantity('1'.repeat(60_000))).toBeUndefined();
  expect(['1', '1.', '1.5', '.5', '500m', '4Gi', '1e3', '.', '1..5', '1.5.', ''].map(parseQuantity)).toEqual([
    1,
    1,
    1.5,
    0.5,
    0.5,
    4 * 2 ** 30,
    1_000,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
