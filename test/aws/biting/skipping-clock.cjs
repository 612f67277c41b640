/**
 * Loaded into a function's process before its code: waits end at once, and the clock moves by as much, so that two
 * minutes of patience take no time. Only plain waits are skipped, whose callback is a promise's own; time-outs are real.
 */
const [wait, now] = [globalThis.setTimeout, Date.now];
let skipped = 0;
Date.now = () => now() + skipped;
globalThis.setTimeout = (callback, ms = 0, ...args) => {
  if (ms < 500 || !Function.prototype.toString.call(callback).includes('[native code]'))
    return wait(callback, ms, ...args);
  return wait(() => {
    skipped += ms;
    callback(...args);
  }, 1);
};
