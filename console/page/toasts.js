import { byId, el } from './dom.js';

const SHOWN_MS = { good: 4_000, bad: 10_000 };
const MOST = 4;

/**
 * A short message that goes away by itself.
 * @param {string} text
 * @param {'good' | 'bad'} kind
 */
export function notify(text, kind) {
  const place = byId('toasts');
  const toast = el('p', { class: `toast toast-${kind}` }, text);
  place.append(toast);
  while (place.childElementCount > MOST) place.firstElementChild?.remove();
  setTimeout(() => toast.remove(), SHOWN_MS[kind]);
}
