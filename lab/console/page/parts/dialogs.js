import { html } from '/vendor/lit-html/lit-html.js';
import { byId, show } from '../lib/dom.js';

/** @import { PoolView } from '../../snapshot/snapshot' */

/** Makes every "cancel" and "close" button close its dialog, and returns the focus to the page. */
export function wireDialogs() {
  for (const button of document.querySelectorAll('[data-close]')) {
    button.addEventListener('click', () => button.closest('dialog')?.close());
  }
  for (const dialog of document.querySelectorAll('dialog')) {
    // A field that kept the focus would swallow the shortcuts.
    dialog.addEventListener('close', () => {
      if (dialog.contains(document.activeElement)) /** @type {HTMLElement} */ (document.activeElement).blur();
    });
  }
}

/**
 * The form of an emergency override.
 * @param {(override: { pool: string, for: string, reason: string } & ({ atLeast: number } | { addNodes: number })) => void} send
 */
export function createInflateDialog(send) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('inflate-dialog'));
  const replicas = /** @type {HTMLInputElement} */ (byId('inflate-replicas'));
  const how = /** @type {HTMLSelectElement} */ (byId('inflate-how'));
  const duration = /** @type {HTMLSelectElement} */ (byId('inflate-for'));
  const reason = /** @type {HTMLInputElement} */ (byId('inflate-reason'));
  /** @type {PoolView | undefined} */
  let current;

  byId('inflate-form').addEventListener('submit', (event) => {
    if (!current) return;
    const wrong = problemOf(replicas.valueAsNumber, current.max);
    show('inflate-problem', wrong);
    if (wrong) {
      event.preventDefault();
      replicas.focus();
      return;
    }
    const why = reason.value.trim() || 'emergency from the console';
    const size = how.value === 'addNodes' ? { addNodes: replicas.valueAsNumber } : { atLeast: replicas.valueAsNumber };
    send({ pool: current.name, ...size, for: duration.value, reason: why });
  });
  const nameSize = () => show('inflate-size', how.value === 'addNodes' ? 'More' : 'At least');
  how.addEventListener('change', nameSize);

  return {
    /** @param {PoolView} pool */
    open(pool) {
      current = pool;
      show('inflate-title', `Emergency override: ${pool.name}`);
      show('inflate-now', `${pool.wanted} wanted now, ${pool.bound}. The override expires by itself.`);
      show('inflate-problem', undefined);
      const isFloor = pool.kind === 'floor';
      byId('inflate-how-field').hidden = !isFloor;
      how.value = isFloor ? 'addNodes' : 'atLeast';
      nameSize();
      replicas.max = String(pool.max);
      replicas.value = String(Math.max(1, Math.min(pool.max, isFloor ? 2 : pool.wanted + 2)));
      dialog.showModal();
      replicas.select();
    },
  };
}

/** @param {number} replicas @param {number} max */
function problemOf(replicas, max) {
  if (!Number.isInteger(replicas) || replicas < 1) return 'enter a whole number, 1 or more';
  return replicas > max ? `the NodePool's max is ${max}: enter ${max} or less` : undefined;
}

/** @param {readonly import('../lib/shortcuts.js').Shortcut[]} shortcuts */
export function createHelpDialog(shortcuts) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('help-dialog'));
  show(
    'shortcuts',
    shortcuts.map(({ key, label = key, does }) => html`<dt><kbd>${label}</kbd></dt><dd>${does}</dd>`),
  );
  const open = () => dialog.showModal();
  byId('help').addEventListener('click', open);
  return { open };
}
