/** How the page formats times, durations, money and shares. */

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
let zone = ownZone;
let zonesDiffer = false;
let formats = formatsIn(zone);

/** @param {string} timeZone */
function formatsIn(timeZone) {
  const format = (/** @type {Intl.DateTimeFormatOptions} */ options) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', ...options });
  return {
    clock: format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    short: format({ hour: '2-digit', minute: '2-digit' }),
    date: format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
    day: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    minute: format({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' }),
  };
}

/**
 * @param {string | undefined} timeZone the zone for all times; by default the browser's own
 * @param {boolean} [several] whether windows are in several zones
 */
export function useZone(timeZone, several = false) {
  zonesDiffer = several || (timeZone ?? ownZone) !== ownZone;
  if (!timeZone || timeZone === zone) return;
  zone = timeZone;
  formats = formatsIn(zone);
}

/** The zone for all times. */
export const displayZone = () => zone;

/** @param {number} at @returns {string} 12:04:31 */
export const clockTime = (at) => formats.clock.format(at);

/** @param {number} at @returns {string} 12:04 */
export const shortTime = (at) => formats.short.format(at);

/** The zone, if a time without it could be misread. */
export const zoneNote = () => (zonesDiffer ? ` ${zone}` : '');

/** @param {number} at @returns {string} Tue 11 Mar */
export const dayLine = (at) => formats.day.format(at).replace(',', '');

/** @param {number} at @param {number} now */
const bareTime = (at, now) => `${dayLine(at) === dayLine(now) ? '' : `${dayLine(at)} `}${shortTime(at)}`;

/** @param {number} at @returns {string} Tue 11 Mar 2025 */
export const dateLine = (at) => formats.date.format(at).replace(',', '');

/**
 * A text with its UTC times converted to the page's time zone; the first names it, where zones differ.
 * @param {string} text @param {number} now
 */
export const withLocalTimes = (text, now) => converted(text, now, zoneNote());

/** The same where the zone is named already: an entry says it once. @param {string} text @param {number} now */
export const withBareTimes = (text, now) => converted(text, now, '');

/** @param {string} text @param {number} now @param {string} note */
function converted(text, now, note) {
  let rest = note;
  return text.replace(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z/g, (moment) => {
    const at = Date.parse(moment);
    if (Number.isNaN(at)) return moment;
    const time = `${bareTime(at, now)}${rest}`;
    rest = '';
    return time;
  });
}

/** How far the page's zone is ahead of UTC at a moment. @param {number} at */
export function zoneOffset(at) {
  const [day, month, year, hour, minute] = (formats.minute.format(at).match(/\d+/g) ?? []).map(Number);
  const minuteOfUtc = Math.floor(at / 60_000) * 60_000;
  return Date.UTC(year ?? 1970, (month ?? 1) - 1, day, hour, minute) - minuteOfUtc;
}

/** @param {number} ms @returns {string} a waiting time: 0.4 s, 54 s, 3 min 20 s */
export function waited(ms) {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 119_500) return `${Math.round(ms / 1000)} s`;
  return span(ms);
}

/** @param {number} ms @returns {string} a duration, rounded by its length: 4 min 10 s, 48 min, 1 h 25 min */
export function span(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** @param {number} value @returns {string} a whole number: 1,204 */
export const whole = (value) => numbers.format(value);

/** @param {number} amount */
export const money = (amount) => `$${amount < 1000 ? amount.toFixed(2) : whole(amount)}`;

/** @param {number} share from 0 to 1 */
export const percent = (share) => `${Math.round(share * 100)} %`;

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;
