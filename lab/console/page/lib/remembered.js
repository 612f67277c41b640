/** Settings in the browser's storage. */

/** @param {string} key @returns {string | undefined} */
export function recall(key) {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} key @param {string} value */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is forbidden: the setting lasts until the page is closed.
  }
}
