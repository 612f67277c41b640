import { nearest } from '../../basics/nearest';
import { isTimezone } from '../../windows/zone';

const HINT = 'write an IANA time zone, such as Asia/Seoul or UTC';

/** Names that many write and that EventBridge Scheduler or people read in different ways, and where they are mostly used. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...pairs('UTC: Z GMT GMT0 UCT ZULU GREENWICH UNIVERSAL'),
  ...pairs('Europe/Berlin: CET CEST MET MEZ MESZ'),
  ...pairs('Europe/London: BST WEST WET GB'),
  ...pairs('Europe/Athens: EET EEST'),
  ...pairs('America/New_York: EST EDT ET EST5EDT'),
  ...pairs('America/Chicago: CST CDT CT CST6CDT'),
  ...pairs('America/Denver: MST MDT MT MST7MDT'),
  ...pairs('America/Los_Angeles: PST PDT PT PST8PDT'),
  ...pairs('Pacific/Honolulu: HST'),
  ...pairs('Asia/Seoul: KST'),
  ...pairs('Asia/Tokyo: JST'),
  ...pairs('Asia/Kolkata: IST'),
  ...pairs('Asia/Singapore: SGT'),
  ...pairs('Asia/Hong_Kong: HKT'),
  ...pairs('Australia/Sydney: AEST AEDT'),
]);
/** Newer names than those that the runtime lists. */
const NEWER = ['UTC', 'Asia/Kolkata', 'Asia/Ho_Chi_Minh', 'Asia/Kathmandu', 'Asia/Yangon', 'Europe/Kyiv'];

/** What to write instead of a time zone that is none: the zone that is meant, or the nearest one. */
export function zoneAdvice(written: unknown): string {
  const text = typeof written === 'string' ? written.trim() : '';
  if (text === '') return HINT;
  const offset = offsetZone(text);
  if (offset !== undefined)
    return `write ${offset} (its sign is inverted), or the zone of a city, which follows clock changes`;
  const legacy = MEANT.get(text.toUpperCase());
  if (legacy !== undefined) return `write ${legacy === 'UTC' ? legacy : `the zone of a city, such as ${legacy}`}`;
  const meant = linked(text) ?? nearestZone(text.replaceAll(' ', '_'));
  return meant === undefined ? HINT : `write ${meant}`;
}

function pairs(line: string): [string, string][] {
  const [zone = '', names = ''] = line.split(': ');
  return names.split(' ').map((name) => [name, zone]);
}

/** `GMT+1`, `UTC+09:00`, `+9`: the sign of `Etc/GMT-1` is the other way round. */
function offsetZone(text: string): string | undefined {
  const [, sign, hours = ''] = /^(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?00)?$/i.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const zone = `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`;
  return Number(hours) > 0 && isTimezone(zone) ? zone : undefined;
}

/** `Japan`, `Singapore`: the name that the runtime has for them. */
function linked(text: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return isTimezone(timeZone) ? timeZone : undefined;
  } catch {
    return undefined;
  }
}

/** By the whole name, or by the city alone. */
function nearestZone(text: string): string | undefined {
  const zones = [...NEWER, ...Intl.supportedValuesOf('timeZone')];
  const cityOf = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1);
  const exact = zones.find((zone) => cityOf(zone).toLowerCase() === cityOf(text).toLowerCase());
  if (exact !== undefined || text.includes('/')) return exact ?? nearest(text, zones);
  const city = text.length < 4 ? undefined : nearest(text, zones.map(cityOf));
  return zones.find((zone) => cityOf(zone) === city);
}
