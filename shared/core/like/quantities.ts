const NANO = 1_000_000_000n;
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, bigint>> = {
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
  Ei: 2n ** 60n,
};
const QUANTITY = /^\+?(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$/;
/** Longer ones are no request of a pod. */
const MAX_TEXT = 64;
/** The largest that Kubernetes counts to. */
const MOST = 2n ** 63n * NANO;

/** Amounts of resources, in billionths, so that sums are exact. */
export type Amounts = ReadonlyMap<string, bigint>;

/** A Kubernetes quantity in billionths, rounded up as Kubernetes does; `undefined` if it is none, or negative. */
export function nanos(quantity: string): bigint | undefined {
  const match = quantity.length > MAX_TEXT ? null : QUANTITY.exec(quantity);
  if (!match) return undefined;
  const [, whole = '', fraction = '', suffix = '', exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  const binary = BINARY[suffix];
  const value = binary
    ? ceilDiv(digits * binary * NANO, 10n ** BigInt(fraction.length))
    : scaled(digits, (exponent === undefined ? (DECIMAL[suffix] ?? 0) : Number(exponent)) - fraction.length + 9);
  return value > MOST ? undefined : value;
}

function scaled(digits: bigint, power: number): bigint {
  // Beyond this it is far too large, or next to nothing.
  if (power > 60) return digits === 0n ? 0n : MOST + 1n;
  if (power < -200) return digits === 0n ? 0n : 1n;
  return power >= 0 ? digits * 10n ** BigInt(power) : ceilDiv(digits, 10n ** BigInt(-power));
}

function ceilDiv(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}

/** As the scheduler rounds them: CPU to thousandths, everything else to whole numbers. */
export function quantityText(resource: string, amount: bigint): string {
  if (resource === 'cpu') {
    const milli = ceilDiv(amount, NANO / 1_000n);
    return milli % 1_000n === 0n ? String(milli / 1_000n) : `${milli}m`;
  }
  const whole = ceilDiv(amount, NANO);
  if (resource !== 'memory' || whole === 0n) return String(whole);
  const [suffix, factor] =
    (['Gi', 'Mi', 'Ki'] as const)
      .map((unit) => [unit, BINARY[unit] ?? 1n] as const)
      .find(([, size]) => whole % size === 0n) ?? (['', 1n] as const);
  return `${whole / factor}${suffix}`;
}

export function plus(a: Amounts, b: Amounts): Amounts {
  return merged(a, b, (x, y) => x + y);
}

export function highest(a: Amounts, b: Amounts): Amounts {
  return merged(a, b, (x, y) => (x > y ? x : y));
}

function merged(a: Amounts, b: Amounts, combine: (x: bigint, y: bigint) => bigint): Amounts {
  const all = new Map(a);
  for (const [name, amount] of b) all.set(name, combine(all.get(name) ?? 0n, amount));
  return all;
}
