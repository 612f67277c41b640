export const MINUTE = 60_000;

/** How many units were needed, minute by minute; NaN where it is unknown. */
export interface Demand {
  /** The first minute. */
  readonly from: number;
  readonly values: Float64Array;
  /** How far apart the recorded values are. @default every minute */
  readonly stepMinutes?: number;
}

/** The instant after the last minute. */
export function endOf({ from, values }: Demand): number {
  return from + values.length * MINUTE;
}

/** The part from one instant to another, as a view of the same numbers. */
export function between(demand: Demand, from: number, to: number): Demand {
  const index = (at: number) => Math.min(demand.values.length, Math.max(0, Math.ceil((at - demand.from) / MINUTE)));
  const first = index(from);
  return {
    ...demand,
    from: demand.from + first * MINUTE,
    values: demand.values.subarray(first, Math.max(first, index(to))),
  };
}

/**
 * What headroom must cover at each minute: how far demand climbs within the lead time, because capacity that is
 * requested now is ready only then. Demand after an unknown stretch is not a rise. Between two recorded values it may have
 * climbed at any time, so a lead time that is shorter counts as that long.
 */
export function riseOf({ values, stepMinutes = 1 }: Demand, leadMinutes: number): Float64Array {
  const reach = Math.max(leadMinutes, stepMinutes);
  const rise = new Float64Array(values.length);
  for (let minute = 0; minute < values.length; minute += 1) {
    const now = values[minute] as number;
    let top = now;
    for (let ahead = minute + 1; ahead <= minute + reach && ahead < values.length; ahead += 1) {
      const later = values[ahead] as number;
      if (later <= top) continue;
      // Unknown.
      if (!(later > top)) break;
      top = later;
    }
    rise[minute] = top - now;
  }
  return rise;
}

/** The rises that count: a floor leaves small ones to Karpenter. */
export function risesAbove(rise: Float64Array, above: number): Float64Array {
  return above === 0 ? rise : rise.map((value) => (value <= above ? 0 : value));
}
