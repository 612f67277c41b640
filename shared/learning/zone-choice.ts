import { offsetAt } from '../core/windows/zone';
import { BIN_MINUTES, BINS } from './day-table';
import { type Demand, endOf, MINUTE } from './demand';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const QUARTER = HOUR / 4;
const BIN = BIN_MINUTES * MINUTE;
/** Zones with different clock change dates; of those that change together, the one with a plausible night is chosen. */
const REPRESENTATIVES = [
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Athens',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Jerusalem',
  'Australia/Sydney',
  'Pacific/Auckland',
];
/** A preferred zone is kept unless another fits clearly better. */
const CLEARLY = 0.95;
const NIGHT = 3;

export interface ZoneChoice {
  readonly timezone: string;
  /** When the clock changed and demand moved with it. */
  readonly follows?: number;
}

/** The zone whose clock demand follows; the first of `preferred` if the history does not show it. */
export function chooseZone(demand: Demand, preferred: readonly string[]): ZoneChoice {
  const own = preferred.length > 0 ? preferred : ['UTC'];
  const groups = new Map<string, string[]>();
  for (const zone of new Set([...own, ...REPRESENTATIVES])) {
    const changes = changesOf(zone, demand).join();
    groups.set(changes, [...(groups.get(changes) ?? []), zone]);
  }
  const first = own[0] as string;
  if (groups.size === 1) return { timezone: first };
  const bins = binMeans(demand);
  const fits = [...groups.values()].map((zones) => ({ zones, misfit: misfitOf(bins, zones[0] as string) }));
  const best = fits.reduce((a, b) => (b.misfit < a.misfit ? b : a));
  const kept = own.find((zone) =>
    fits.some(({ zones, misfit }) => zones.includes(zone) && best.misfit >= misfit * CLEARLY),
  );
  const timezone = kept ?? nightFirst(demand, best.zones);
  const [change] = changesOf(timezone, demand);
  return change === undefined ? { timezone } : { timezone, follows: change };
}

/** The days on which a zone's clock changes within the history. */
function changesOf(timezone: string, demand: Demand): readonly number[] {
  const changes: number[] = [];
  const last = endOf(demand);
  for (let day = Math.floor(demand.from / DAY) * DAY; day < last; day += DAY)
    if (offsetAt(timezone, day) !== offsetAt(timezone, day + DAY)) changes.push(day);
  return changes;
}

/** The mean demand of each bin; every clock is whole bins off another. */
function binMeans({ from, values }: Demand): Demand {
  const begin = Math.floor(from / BIN) * BIN;
  const means = new Float64Array(Math.ceil((from - begin) / BIN + (values.length * MINUTE) / BIN)).fill(Number.NaN);
  for (let bin = 0; bin < means.length; bin += 1) {
    const first = (begin + bin * BIN - from) / MINUTE;
    let [count, mean] = [0, 0];
    for (let minute = Math.max(0, first); minute < Math.min(values.length, first + BIN_MINUTES); minute += 1) {
      const value = values[minute] as number;
      if (Number.isNaN(value)) continue;
      count += 1;
      mean += (value - mean) / count;
    }
    if (count > 0) means[bin] = mean;
  }
  return { from: begin, values: means };
}

/** The sum of squared deviations of demand from the mean of its weekday and time of day. */
function misfitOf({ from, values }: Demand, timezone: string): number {
  const [sums, counts] = [new Float64Array(7 * BINS), new Float64Array(7 * BINS)];
  const places = new Int32Array(values.length);
  let offset = 0;
  for (let bin = 0; bin < values.length; bin += 1) {
    const at = from + bin * BIN;
    if (bin === 0 || at % QUARTER === 0) offset = offsetAt(timezone, at);
    const place = ((Math.floor((at + offset) / BIN) % (7 * BINS)) + 7 * BINS) % (7 * BINS);
    places[bin] = place;
    if (Number.isNaN(values[bin])) continue;
    sums[place] = (sums[place] as number) + (values[bin] as number);
    counts[place] = (counts[place] as number) + 1;
  }
  let misfit = 0;
  for (let bin = 0; bin < values.length; bin += 1) {
    const place = places[bin] as number;
    if (!Number.isNaN(values[bin]))
      misfit += ((values[bin] as number) - (sums[place] as number) / (counts[place] as number)) ** 2;
  }
  return misfit;
}

/** Of zones that change their clocks together, the one whose night has the lowest demand. */
function nightFirst(demand: Demand, zones: readonly string[]): string {
  const hours = new Float64Array(24);
  demand.values.forEach((value, minute) => {
    const hour = Math.floor(demand.from / HOUR + minute / 60) % 24;
    if (!Number.isNaN(value)) hours[hour] = (hours[hour] as number) + value;
  });
  const quiet = middleOfLow(hours);
  const distance = (zone: string) => {
    const local = quiet + offsetAt(zone, demand.from) / HOUR;
    return Math.min((((local - NIGHT) % 24) + 24) % 24, (((NIGHT - local) % 24) + 24) % 24);
  };
  return zones.reduce((a, b) => (distance(b) < distance(a) ? b : a));
}

/** The middle of the lower third of the hours, on the clock's circle. */
function middleOfLow(hours: Float64Array): number {
  const low = hours.slice().sort()[8] as number;
  let [x, y] = [0, 0];
  hours.forEach((sum, hour) => {
    if (sum > low) return;
    x += Math.cos((hour / 12) * Math.PI);
    y += Math.sin((hour / 12) * Math.PI);
  });
  return ((Math.atan2(y, x) / Math.PI) * 12 + 24.5) % 24;
}
