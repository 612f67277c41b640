import { offsetAt } from '../../shared/core/windows/zone';
import { type Demand, endOf, MINUTE } from './demand';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Every clock is whole quarters of an hour off another. */
const QUARTER_MINUTES = 15;
const QUARTER = QUARTER_MINUTES * MINUTE;
const WEEK_QUARTERS = (7 * DAY) / QUARTER;
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
  const means = quarterMeans(demand);
  const fits = [...groups.values()].map((zones) => ({ zones, misfit: misfitOf(means, zones[0] as string) }));
  const best = fits.reduce((a, b) => (b.misfit < a.misfit ? b : a));
  const kept = own.find((zone) =>
    fits.some(({ zones, misfit }) => zones.includes(zone) && best.misfit >= misfit * CLEARLY),
  );
  const timezone = kept ?? nightFirst(means, best.zones);
  const [change] = changesOf(timezone, demand);
  return change === undefined ? { timezone } : { timezone, follows: change };
}

function changesOf(timezone: string, demand: Demand): readonly number[] {
  const changes: number[] = [];
  const last = endOf(demand);
  for (let day = Math.floor(demand.from / DAY) * DAY; day < last; day += DAY)
    if (offsetAt(timezone, day) !== offsetAt(timezone, day + DAY)) changes.push(day);
  return changes;
}

function quarterMeans({ from, values }: Demand): Demand {
  const begin = Math.floor(from / QUARTER) * QUARTER;
  const skipped = (from - begin) / MINUTE;
  const means = new Float64Array(Math.ceil((skipped + values.length) / QUARTER_MINUTES));
  for (let quarter = 0; quarter < means.length; quarter += 1) {
    const first = quarter * QUARTER_MINUTES - skipped;
    let [count, sum] = [0, 0];
    for (let minute = Math.max(0, first); minute < Math.min(values.length, first + QUARTER_MINUTES); minute += 1) {
      const value = values[minute] as number;
      if (Number.isNaN(value)) continue;
      count += 1;
      sum += value;
    }
    // NaN where nothing is known.
    means[quarter] = sum / count;
  }
  return { from: begin, values: means };
}

/** The sum of squared deviations of demand from the mean of its weekday and time of day. */
function misfitOf({ from, values }: Demand, timezone: string): number {
  const [sums, counts] = [new Float64Array(WEEK_QUARTERS), new Float64Array(WEEK_QUARTERS)];
  const places = new Int32Array(values.length);
  let [ahead, until] = [0, 0];
  for (let quarter = 0; quarter < values.length; quarter += 1) {
    const at = from + quarter * QUARTER;
    if (at >= until) {
      ahead = offsetAt(timezone, at);
      // Most days have one offset.
      until = offsetAt(timezone, at + DAY) === ahead ? at + DAY : at + QUARTER;
    }
    const place = ((Math.floor((at + ahead) / QUARTER) % WEEK_QUARTERS) + WEEK_QUARTERS) % WEEK_QUARTERS;
    places[quarter] = place;
    if (Number.isNaN(values[quarter])) continue;
    sums[place] = (sums[place] as number) + (values[quarter] as number);
    counts[place] = (counts[place] as number) + 1;
  }
  let misfit = 0;
  for (let quarter = 0; quarter < values.length; quarter += 1) {
    const [value, place] = [values[quarter] as number, places[quarter] as number];
    if (!Number.isNaN(value)) misfit += (value - (sums[place] as number) / (counts[place] as number)) ** 2;
  }
  return misfit;
}

/** Of zones that change their clocks together, the one whose night has the lowest demand. */
function nightFirst(means: Demand, zones: readonly string[]): string {
  const hours = new Float64Array(24);
  means.values.forEach((value, quarter) => {
    const hour = Math.floor((means.from + quarter * QUARTER) / HOUR) % 24;
    if (!Number.isNaN(value)) hours[hour] = (hours[hour] as number) + value;
  });
  const quiet = middleOfLow(hours);
  const distance = (zone: string) => {
    const local = quiet + offsetAt(zone, means.from) / HOUR;
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
