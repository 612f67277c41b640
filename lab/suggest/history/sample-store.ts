import type { Samples } from '../../learning/demand-history';

const FIRST_ROOM = 1_024;

/** Samples by NodePool, in typed arrays so that millions of them fit in memory. */
export class SampleStore {
  private readonly pools = new Map<string, Growing>();
  /** What the user should know about the samples, such as what is not among them. */
  readonly notes: string[] = [];

  add(pool: string, at: number, value: number): void {
    let series = this.pools.get(pool);
    if (!series) {
      series = { times: new Float64Array(FIRST_ROOM), values: new Float64Array(FIRST_ROOM), count: 0 };
      this.pools.set(pool, series);
    }
    if (series.count === series.times.length) {
      series.times = doubled(series.times);
      series.values = doubled(series.values);
    }
    series.times[series.count] = at;
    series.values[series.count] = value;
    series.count += 1;
  }

  /** Adds a sample of a regular series; a gap becomes a time of unknown demand. */
  addStep(pool: string, at: number, value: number, step: number): void {
    const series = this.pools.get(pool);
    const before = series?.times[series.count - 1];
    if (before !== undefined && at - before > 2 * step) this.add(pool, before + step, Number.NaN);
    this.add(pool, at, value);
  }

  get names(): readonly string[] {
    return [...this.pools.keys()];
  }

  samplesOf(pool: string): Samples {
    const { times, values, count } = this.pools.get(pool) ?? {
      times: new Float64Array(),
      values: new Float64Array(),
      count: 0,
    };
    return { times: times.subarray(0, count), values: values.subarray(0, count) };
  }
}

interface Growing {
  times: Float64Array;
  values: Float64Array;
  count: number;
}

function doubled(values: Float64Array): Float64Array {
  const larger = new Float64Array(values.length * 2);
  larger.set(values);
  return larger;
}
