import { repeat } from '/vendor/lit-html/directives/repeat.js';
import { html } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';
import { clockTime, dayLine, withBareTimes, zoneNote } from '../lib/format.js';
import { icon } from '../lib/icons.js';

/** @typedef {import('../../snapshot/snapshot').Snapshot['decisions'][number]} Decision */

const MAX_SHOWN = 60;
const SCHEDULE = 'schedule ';
/** At 1000× decisions come faster than anyone can listen. */
const ANNOUNCE_EVERY_MS = 3_000;

/** The last decisions with their reasons, newest first; new ones are announced to screen readers. */
export function createDecisions() {
  /** @type {string | undefined} */
  let newest;
  let announcedAt = 0;

  return {
    /** @param {readonly Decision[]} decisions @param {number} now @param {number} realNow */
    update(decisions, now, realNow) {
      show('decisions-zone', zoneNote() && `times in${zoneNote()}`);
      byId('no-decisions').hidden = decisions.length > 0;
      show(
        'decisions',
        repeat(decisions.slice(0, MAX_SHOWN), keyOf, (decision) => entry(decision, now)),
      );
      const latest = decisions[0];
      if (!latest || keyOf(latest) === newest || realNow - announcedAt < ANNOUNCE_EVERY_MS) return;
      if (newest !== undefined) show('announcer', spoken(latest));
      newest = keyOf(latest);
      announcedAt = realNow;
    },
  };
}

/** @param {Decision} decision */
const keyOf = ({ at, pool, trigger, from, to }) => [at, pool, trigger, from, to].join('|');

/** @param {Decision} decision */
const spoken = ({ pool, from, to, reasons }) => `${pool}: ${from} to ${to}, ${reasons.join(', ')}`;

/** Of a schedule only the own windows, and no times: they are in the window's zone, and the entry has one. @param {string} trigger @param {string} pool */
function triggerText(trigger, pool) {
  if (!trigger.startsWith(SCHEDULE)) return trigger;
  const edges = trigger.slice(SCHEDULE.length).split('; ');
  const own = edges.filter((edge) => edge.startsWith(`${pool}: `)).map((edge) => edge.slice(pool.length + 2));
  return own.length > 0
    ? own.map((edge) => edge.replace(/ (opens|closes) .*/, ' $1')).join(', ')
    : 'schedule of another headroom';
}

/** @param {Decision} decision @param {number} now */
function entry({ at, pool, trigger, from, to, reasons }, now) {
  const direction = to === from ? 'keep' : to > from ? 'up' : 'down';
  return html`<li class="decision" data-pool=${pool} data-direction=${direction}>
    <div class="row decision-head">
      <time datetime=${new Date(at).toISOString()}>${dayLine(at)} ${clockTime(at)}</time>
      <span class="decision-pool">${pool}</span>
      <span class="decision-change">${icon(direction)}<b>${from} → ${to}</b></span>
    </div>
    <div class="decision-trigger" title=${trigger}>${triggerText(trigger, pool)}</div>
    <ul class="reasons">${reasons.map((reason) => html`<li>${withBareTimes(reason, now)}</li>`)}</ul>
  </li>`;
}
