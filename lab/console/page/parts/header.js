import { html } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';
import { clockTime, dateLine, displayZone, span, withBareTimes } from '../lib/format.js';
import { icon } from '../lib/icons.js';

/** @import { Snapshot } from '../../snapshot/snapshot' */

/** The speeds of the keys 1 to 5, in simulated seconds per second. */
export const SPEEDS = [1, 10, 60, 300, 1000];

/** From this speed on pods come and go too fast to be animated one by one. */
const FAST = 300;

const CONNECTIONS = { connecting: 'connecting', connected: 'connected', lost: 'disconnected, retrying' };

/**
 * The top bar: the clock, its controls, and the state of the connection.
 * @param {{ speed: (speed: number) => void, pause: () => void, jump: () => void }} actions
 */
export function createHeader(actions) {
  const { body } = document;
  const speedButton = (/** @type {number} */ speed, /** @type {boolean} */ pressed) =>
    html`<button type="button" aria-pressed=${pressed} @click=${() => actions.speed(speed)}>${speed}×</button>`;
  byId('pause').addEventListener('click', actions.pause);
  byId('jump').addEventListener('click', actions.jump);

  return {
    /** @param {Snapshot} snapshot */
    update({ clock: { paused, speed, next }, clusterName, mode, pools }) {
      const troubled = pools.filter(({ trouble }) => trouble).map(({ name }) => name);
      byId('trouble').hidden = troubled.length === 0;
      byId('trouble').title = troubled.join(', ');
      show('trouble', `trouble: ${troubled.join(', ')}`);
      body.dataset.mode = mode;
      body.toggleAttribute('data-paused', paused);
      body.toggleAttribute('data-fast', speed >= FAST);
      byId('pause').setAttribute('aria-pressed', String(paused));
      byId('jump').hidden = next === undefined;
      show('cluster', clusterName);
      show('pause', paused ? labelled('play', 'Resume') : labelled('pause', 'Pause'));
      show('jump', labelled('jump', 'Jump'));
      show(
        'speeds',
        SPEEDS.map((choice) => speedButton(choice, choice === speed)),
      );
    },
    /** @param {Snapshot} snapshot @param {number} now */
    tick({ clock: { next } }, now) {
      show('clock-time', clockTime(now));
      show('clock-date', dateLine(now));
      show('clock-zone', displayZone());
      show(
        'next-edge',
        next ? `next in ${span(next.at - now)}: ${withBareTimes(next.label, now)}` : 'nothing comes next',
      );
      byId('next-edge').title = next ? withBareTimes(next.label, now) : '';
    },
    /** @param {keyof typeof CONNECTIONS} state */
    connection(state) {
      body.dataset.connection = state;
      show('connection', CONNECTIONS[state]);
      byId('lost').hidden = state !== 'lost';
      const again = body.dataset.mode === 'cluster' ? 'headstart sandbox --kubeconfig FILE' : 'npm start';
      show(
        'lost-text',
        `Look at the terminal. If it ended there, start it again with ${again}; the page then goes on by itself.`,
      );
      rest(state === 'lost');
    },
  };
}

/** What sends commands; the other buttons change only what the page shows. */
const SENDING =
  '.clock-controls button, main button:not(#spans button, [aria-expanded]), #fault-sliders input, #inflate-send';
/** @type {Set<Element>} */
const resting = new Set();

/** Buttons that nobody would hear rest. @param {boolean} lost */
function rest(lost) {
  if (!lost) for (const button of resting) button.removeAttribute('disabled');
  if (!lost) return resting.clear();
  for (const button of document.querySelectorAll(SENDING)) {
    if (button.hasAttribute('disabled')) continue;
    button.setAttribute('disabled', '');
    resting.add(button);
  }
}

/** @param {import('../lib/icons.js').IconName} name @param {string} text */
const labelled = (name, text) => html`${icon(name)}<span>${text}</span>`;
