/** An amount of money, from the lowest to the highest possible; both are the same where it is known. */
export interface Money {
  readonly low: number;
  readonly high: number;
  readonly currency: 'USD' | 'CNY';
  /** Spot costs less than the list says, and nobody knows how much. */
  readonly atMost?: true;
  /** An estimate for spot, at this many percent of list price; of a range it is the lower end. */
  readonly spotPercent?: number;
}

export function times({ low, high, ...rest }: Money, factor: number): Money {
  return { ...rest, low: low * factor, high: high * factor };
}

export function plus(a: Money, b: Money): Money {
  return { ...a, ...b, low: a.low + b.low, high: a.high + b.high };
}

/** Hours or money without floating-point noise. */
export function exact(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
