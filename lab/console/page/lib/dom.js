import { render } from '/vendor/lit-html/lit-html.js';

/**
 * The element with this id, which index.html must have.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no element with the id ${id}`);
  return /** @type {T} */ (found);
}

/**
 * Renders text or templates into the element with this id; only changes are written.
 * @param {string} id
 * @param {unknown} content
 */
export const show = (id, content) => render(content, byId(id));
