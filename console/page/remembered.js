/** What the browser remembers for the user; one that forbids storage forgets. */

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
    // See above.
  }
}
