import { pathToFileURL } from 'node:url';

// Plays Lambda's runtime in a process of its own: loads a deployed bundle, hands it one event after the other, lets the
// caller say what time it is, and tells the handler how much of its time is left.
const [, , bundle, timeoutMs] = process.argv;
const machineTime = Date.now;
let aheadMs = 0;
Date.now = () => machineTime() + aheadMs;

const { handler } = await import(pathToFileURL(bundle).href);

process.on('message', async ({ id, event, at }) => {
  aheadMs = at === undefined ? 0 : at - machineTime();
  const began = performance.now();
  const context = { getRemainingTimeInMillis: () => Math.floor(Number(timeoutMs) - (performance.now() - began)) };
  const answer = await handler(event, context).then(
    (value) => ({ value }),
    (error) => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  process.send({ id, ...answer, tookMs: performance.now() - began, memoryBytes: process.memoryUsage.rss() });
});
process.send({ started: true });
