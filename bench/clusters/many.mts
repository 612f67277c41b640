// How long the commands over many clusters take, beside the same command for one: each endpoint (Lambda, and STS for --role) answers
// after 300 ms. Writes a section of docs/benchmarks.md.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { machineFacts, writeSection } from '../results';

const [CLUSTERS, DELAY_MS, ROUNDS] = [20, 300, 7];
const at = new Date().toISOString();
const status = { headroom: 'web', wanted: 4, replicas: 4, ready: 4, shortfall: 0, reasons: ['lunch'] };
const ANSWER = JSON.stringify({ at, status: [{ ...status, intents: { alarms: {}, surges: {} } }] });
const ASSUMED = `<AccessKeyId>ASIAEXAMPLE</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>`;

const server = createServer((request, response) => {
  request.resume();
  setTimeout(() => response.end(request.url?.includes('AssumeRole') ? ASSUMED : ANSWER), DELAY_MS);
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const folder = mkdtempSync(join(tmpdir(), 'headstart-many-'));
writeFileSync(join(folder, 'base.yaml'), 'nodePools: {web: {max: 8}, ci: {max: 4}}\n');
for (let index = 0; index < CLUSTERS; index += 1)
  writeFileSync(
    join(folder, `c${index}.yaml`),
    `extends: base.yaml\ncluster: {name: c${index}, region: eu-west-1, account: "${String(index).padStart(12, '1')}"}\n`,
  );

const environment = {
  ...process.env,
  AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'example',
};

/** A process each, because somebody types a command each. */
function seconds(...words: readonly string[]): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, [resolve('bin/headstart.mjs'), 'status', ...words], {
    cwd: folder,
    env: environment,
  });
  return new Promise((done, failed) =>
    child.on('exit', (code) => {
      if (code === 0) done((performance.now() - begun) / 1_000);
      else failed(new Error(`status ${words.join(' ')} ended with ${code}`));
    }),
  );
}

const CASES = {
  'one cluster': ['-c', 'c0.yaml'],
  [`${CLUSTERS} clusters`]: ['-c', 'c*.yaml'],
  'one cluster, --role': ['-c', 'c0.yaml', '--role', 'operator'],
  [`${CLUSTERS} clusters, --role`]: ['-c', 'c*.yaml', '--role', 'operator'],
};
const took = new Map<string, number[]>(Object.keys(CASES).map((name) => [name, []]));
await seconds('-c', 'c0.yaml');
// In turn, so that what else the machine does hits all alike.
for (let round = 0; round < ROUNDS; round += 1)
  for (const [name, words] of Object.entries(CASES)) took.get(name)?.push(await seconds(...words));
server.close();
rmSync(folder, { recursive: true });

const median = (name: string) =>
  [...(took.get(name) ?? [])].sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
const names = Object.keys(CASES);
const rows = names.map((name, index) => {
  const one = median(names[index - (index % 2)] ?? name);
  return `| ${name} | ${median(name).toFixed(2)} s | ${(median(name) / one).toFixed(2)} |`;
});
const text = `## Many clusters

\`npm run bench -- many\`: \`headstart status\`, a process each, against endpoints that answer after ${DELAY_MS} ms; the median of ${ROUNDS} rounds in turn. ${machineFacts()}. Target: 3 times one cluster.

| | time | ÷ one cluster |
|---|---|---|
${rows.join('\n')}`;
console.log(text);
if (!process.argv.includes('--rehearse')) writeSection('many', text);
