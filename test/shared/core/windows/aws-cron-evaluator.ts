const DAY = 86_400_000;
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/**
 * Reads AWS cron as its documentation describes it, independently of the compiler,
 * and refuses what EventBridge Scheduler refuses. Local times as UTC milliseconds.
 */
export function awsCronTimes(expression: string, from: number, until: number): number[] {
  const fields = /^cron\((\S+) (\S+) (\S+) (\S+) (\S+) (\S+)\)$/.exec(expression)?.slice(1);
  if (!fields || expression.length > 256) throw new Error(`${expression} is not six fields in cron(...)`);
  const [minute = '', hour = '', date = '', month = '', weekday = '', year = ''] = fields;
  if ((date === '?') === (weekday === '?')) throw new Error(`${expression} needs ? in exactly one day field`);
  if (year !== '*') throw new Error(`${expression} is limited to a year`);

  const [minutes, hours, months] = [listed(minute, 0, 59), listed(hour, 0, 23), listed(month, 1, 12)];
  const dates = date === 'L' || date === '?' ? [] : listed(date, 1, 31);
  const weekdays = weekday === '?' ? [] : listed(weekday, 1, 7);
  const times: number[] = [];
  for (let day = Math.floor(from / DAY) * DAY; day < until; day += DAY) {
    const at = new Date(day);
    const isLast = new Date(day + DAY).getUTCDate() === 1;
    const named = date === 'L' ? isLast : dates.includes(at.getUTCDate()) || weekdays.includes(at.getUTCDay() + 1);
    if (!named || !months.includes(at.getUTCMonth() + 1)) continue;
    for (const h of hours) for (const m of minutes) times.push(day + (h * 60 + m) * 60_000);
  }
  return times.filter((time) => time >= from && time < until);
}

function listed(field: string, first: number, last: number): number[] {
  if (field === '*') return range(first, last);
  return field.split(',').flatMap((part) => {
    const [low = Number.NaN, high = low, ...others] = part.split('-').map(fieldValue);
    if (!(low >= first && high <= last && low <= high) || others.length > 0)
      throw new Error(`${part} is not within ${first}-${last}`);
    return range(low, high);
  });
}

function fieldValue(text: string): number {
  const weekday = WEEKDAYS.indexOf(text);
  if (weekday >= 0) return weekday + 1;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
