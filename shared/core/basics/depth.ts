/** Deeper than anything that AWS or Headstart writes, and far from the stack's limit. */
const MAX_DEPTH = 50;

/** Whether JSON is nested so deeply that writing it as text could exhaust the stack. */
export function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((child) => isTooDeep(child, left - 1));
}
