import { byId } from '../lib/dom.js';

const SHOWN_MS = { good: 4_000, bad: 10_000 };
const MAX_SHOWN = 3;

/** Shows a short message that disappears by itself. @param {string} text @param {'good' | 'bad'} kind */
export function notify(text, kind) {
  const toast = Object.assign(document.createElement('p'), { className: `toast toast-${kind}`, textContent: text });
  const place = byId('toasts');
  place.append(toast);
  while (place.childElementCount > MAX_SHOWN) place.firstElementChild?.remove();
  markToasts(true);
  setTimeout(() => {
    toast.remove();
    // Layout has settled by the second frame.
    if (place.childElementCount === 0) requestAnimationFrame(() => requestAnimationFrame(() => markToasts(false)));
  }, SHOWN_MS[kind]);
}

/** @param {boolean} toasts */
const markToasts = (toasts) => document.documentElement.toggleAttribute('data-toasts', toasts);
