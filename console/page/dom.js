/**
 * Small tools to build and update the page. All text goes through textContent: nothing that the cluster says is ever
 * read as HTML.
 */

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
 * Builds an element: functions become listeners, everything else an attribute.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} [props]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else setAttribute(node, name, value);
  }
  node.append(...children);
  return node;
}

/**
 * Writes a text only where it differs, so that an unchanged page costs no layout.
 * @param {Node} node
 * @param {string | number} text
 */
export function setText(node, text) {
  const wanted = String(text);
  if (node.textContent !== wanted) node.textContent = wanted;
}

/**
 * Writes an attribute only where it differs; false and undefined remove it.
 * @param {Element} node
 * @param {string} name
 * @param {string | number | boolean | undefined} value
 */
export function setAttribute(node, name, value) {
  if (value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const wanted = value === true ? '' : String(value);
  if (node.getAttribute(name) !== wanted) node.setAttribute(name, wanted);
}

/**
 * @param {HTMLElement} node
 * @param {boolean} shown
 */
export function setShown(node, shown) {
  if (node.hidden === shown) node.hidden = !shown;
}

/**
 * @typedef {{ node: HTMLElement, update: (item: any) => void }} Part
 * @type {WeakMap<HTMLElement, Map<string, Part>>}
 */
const partsOf = new WeakMap();

/**
 * Brings the children of a parent to a list: makes, updates, moves and removes only what has to be.
 * @template I
 * @param {HTMLElement} parent
 * @param {readonly I[]} items
 * @param {(item: I) => string} keyOf
 * @param {(item: I) => { node: HTMLElement, update: (item: I) => void }} create
 */
export function keyed(parent, items, keyOf, create) {
  const parts = partsOf.get(parent) ?? new Map();
  partsOf.set(parent, parts);
  const kept = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!kept.has(key)) kept.set(key, { part: parts.get(key) ?? create(item), item });
  }
  for (const [key, part] of parts) {
    if (kept.has(key)) continue;
    part.node.remove();
    parts.delete(key);
  }
  let next = parent.firstElementChild;
  for (const [key, { part, item }] of kept) {
    parts.set(key, part);
    part.update(item);
    if (part.node === next) next = part.node.nextElementSibling;
    else parent.insertBefore(part.node, next);
  }
}
