// Runs a bundle as a cold function would, on one heartbeat, and prints what took how long. It measures around
// the bundle and changes nothing in it: node timed-run.mjs <folder of the bundle> <the time to decide for>
import { subscribe } from 'node:diagnostics_channel';

const [folder, now] = process.argv.slice(2);
const spent = { nodeModules: 0, ourCode: 0, firstRequest: 0, answers: 0, rest: 0 };

async function timed(part, work) {
  const began = performance.now();
  const result = await work();
  spent[part] += performance.now() - began;
  return result;
}

await timed('nodeModules', () => Promise.all([import('node:https'), import('node:crypto'), import('node:fs')]));
const { handler } = await timed('ourCode', () => import(`${folder}/index.mjs`));

let requestedAt = 0;
let answeredAt = 0;
subscribe('http.client.request.start', () => {
  requestedAt ||= performance.now();
});
subscribe('http.client.response.finish', ({ response }) => {
  response.on('end', () => {
    answeredAt = performance.now();
  });
});

Date.now = () => Number(now);
const began = performance.now();
await handler({ source: 'headstart.schedule', 'detail-type': 'Headstart Heartbeat', detail: {} });
const ended = performance.now();
spent.firstRequest = requestedAt - began;
spent.answers = answeredAt - requestedAt;
spent.rest = ended - answeredAt;
process.stderr.write(JSON.stringify(spent));
process.exit(0);
