const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};
const QUANTITY = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d+))?$/;

/** The value of a Kubernetes quantity (`500m` is 0.5); `undefined` when it is not one, or too large for a number. */
export function parseQuantity(text: string): number | undefined {
  const match = QUANTITY.exec(text);
  if (!match) return undefined;
  const [, digits, suffix, exponent] = match;
  const factor = exponent === undefined ? FACTORS[suffix ?? ''] : 10 ** Number(exponent);
  const value = factor === undefined ? Number.NaN : Number(digits) * factor;
  return Number.isFinite(value) ? value : undefined;
}

/** Whether two quantities mean the same: `1`, `1000m` and `1.0` do. */
export function sameQuantity(a: string, b: string): boolean {
  if (a === b) return true;
  const [x, y] = [parseQuantity(a), parseQuantity(b)];
  return x !== undefined && y !== undefined && Math.abs(x - y) <= Math.abs(x) * 1e-9;
}

/** A map with every value as text: Kubernetes takes quantities as text, and configs and some objects have numbers. */
export function texts(map: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));
}
