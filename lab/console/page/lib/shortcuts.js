/** @typedef {{ readonly key: string, readonly label?: string, readonly does: string, readonly run: () => void, readonly sandboxOnly?: boolean }} Shortcut */

/** Listens to single keys, except where the user types or a dialog is open. @param {readonly Shortcut[]} shortcuts */
export function listenForShortcuts(shortcuts) {
  /** The button that was just pressed and still has the focus. @type {Element | null | undefined} */
  let pressed;
  const pressesAgain = (/** @type {KeyboardEvent} */ { key, target }) =>
    key === ' ' && target === pressed && !document.querySelector('dialog[open]');
  document.addEventListener('focusin', () => {
    pressed = undefined;
  });
  document.addEventListener('click', ({ target }) => {
    pressed = /** @type {Element} */ (target).closest('button');
  });
  // Firefox clicks when the key goes up.
  document.addEventListener('keyup', (event) => pressesAgain(event) && event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (pressesAgain(event)) event.preventDefault();
    else if (belongsElsewhere(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const shortcut = shortcuts.find(({ key }) => key === event.key.toLowerCase());
    if (!shortcut || (shortcut.sandboxOnly && document.body.dataset.mode !== 'sandbox')) return;
    event.preventDefault();
    shortcut.run();
  });
}

/** @param {KeyboardEvent} event */
function belongsElsewhere(event) {
  if (document.querySelector('dialog[open]')) return true;
  if (!(event.target instanceof Element)) return false;
  if (event.target.closest('input, select, textarea')) return true;
  return event.key === ' ' && event.target.closest('button, summary, a') !== null;
}
