// Runs a bundle as a cold function would, on one heartbeat and then on another, and prints what took how long. It
// measures around the bundle and changes nothing in it: node timed-run.mjs <folder of the bundle> <the time to decide for>
import { subscribe } from 'node:diagnostics_channel';

const [folder, now] = process.argv.slice(2);
const event = { source: 'headstart.schedule', 'detail-type': 'Headstart Heartbeat', detail: {} };

let began = performance.now();
process.getBuiltinModule('node:https');
process.getBuiltinModule('node:crypto');
const nodeModules = performance.now() - began;
began = performance.now();
const { handler } = await import(`${folder}/index.mjs`);
const ourCode = performance.now() - began;

let [requestedAt, answeredAt] = [0, 0];
subscribe('http.client.request.start', () => {
  requestedAt ||= performance.now();
});
subscribe('http.client.response.finish', ({ response }) => {
  response.on('end', () => {
    answeredAt = performance.now();
  });
});

Date.now = () => Number(now);
const first = await invoke();
const again = await invoke();
process.stderr.write(JSON.stringify({ first: { nodeModules, ourCode, ...first }, again }));
process.exit(0);

async function invoke() {
  requestedAt = 0;
  began = performance.now();
  await handler(event);
  return {
    firstRequest: requestedAt - began,
    answers: answeredAt - requestedAt,
    rest: performance.now() - answeredAt,
  };
}
