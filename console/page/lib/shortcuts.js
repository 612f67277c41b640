/** @typedef {{ readonly key: string, readonly label?: string, readonly does: string, readonly run: () => void, readonly sandboxOnly?: boolean }} Shortcut */

/**
 * Listens to single keys, except where the user types or a dialog is open.
 * @param {readonly Shortcut[]} shortcuts
 */
export function listenForShortcuts(shortcuts) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || belongsElsewhere(event)) return;
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
