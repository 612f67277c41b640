import { byId, el, setAttribute, setShown, setText } from './dom.js';
import { clockTime, dateLine, shownZone, span } from './format.js';
import { setIcon } from './icons.js';

/** @typedef {import('../snapshot/snapshot').Snapshot} Snapshot */

/** What the keys 1 to 5 choose, in sandbox seconds per real second. */
export const SPEEDS = [1, 10, 60, 300, 1000];

/** From here on pods come and go too fast to be animated one by one. */
const FAST = 300;

const CONNECTIONS = { connecting: 'connecting', live: 'live', lost: 'disconnected, retrying' };

/**
 * The bar on top: the clock, its controls, and whether the page still hears the sandbox.
 * @param {{ speed: (speed: number) => void, pause: () => void, jump: () => void }} actions
 */
export function createHeader(actions) {
  const [time, date, zone] = [byId('clock-time'), byId('clock-date'), byId('clock-zone')];
  const [pause, jump, nextEdge, cluster] = [byId('pause'), byId('jump'), byId('next-edge'), byId('cluster')];
  const connection = byId('connection');
  const pauseGlyph = /** @type {HTMLElement} */ (pause.querySelector('.glyph'));
  const speeds = SPEEDS.map((speed) =>
    el('button', { type: 'button', 'aria-pressed': 'false', click: () => actions.speed(speed) }, `${speed}×`),
  );
  byId('speeds').append(...speeds);
  setIcon(/** @type {HTMLElement} */ (jump.querySelector('.glyph')), 'jump');
  pause.addEventListener('click', actions.pause);
  jump.addEventListener('click', actions.jump);

  return {
    /** @param {Snapshot} snapshot */
    update({ clock, clusterName, mode }) {
      setAttribute(document.body, 'data-mode', mode);
      setAttribute(document.body, 'data-paused', clock.paused);
      setAttribute(document.body, 'data-fast', clock.speed >= FAST);
      setText(cluster, clusterName);
      setText(byId('pause-label'), clock.paused ? 'Resume' : 'Pause');
      setAttribute(pause, 'aria-pressed', clock.paused ? 'true' : 'false');
      setIcon(pauseGlyph, clock.paused ? 'play' : 'pause');
      for (const [index, button] of speeds.entries()) {
        setAttribute(button, 'aria-pressed', SPEEDS[index] === clock.speed ? 'true' : 'false');
      }
      setShown(jump, clock.nextEdge !== undefined);
    },
    /** @param {Snapshot} snapshot @param {number} now */
    tick({ clock: { nextEdge: edge } }, now) {
      setText(time, clockTime(now));
      setText(date, dateLine(now));
      setText(zone, shownZone());
      setAttribute(nextEdge, 'title', edge?.label);
      setText(nextEdge, edge ? `in ${span(edge.at - now)} · ${edge.label}` : 'none');
    },
    /** @param {keyof typeof CONNECTIONS} state */
    connection(state) {
      setAttribute(document.body, 'data-connection', state);
      setText(connection, CONNECTIONS[state]);
    },
  };
}
