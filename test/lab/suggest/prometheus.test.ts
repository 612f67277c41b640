import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readPrometheus } from '../../../lab/suggest/read-prometheus';
import { loadConfigFiles } from '../../../shared/adapters/files/config-files';
import { folderWith, runCli } from '../../cli/run-cli';
import { ONE_POOL } from './one-pool';

const FROM = Date.UTC(2026, 10, 2) / 1_000;

test('a long range is asked in pieces that Prometheus accepts, and missing steps are unknown', async () => {
  const asked: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const form = new URLSearchParams(body);
      asked.push(form);
      const at = Number(form.get('start'));
      const values = [0, 60, 600].map((after) => [at + after, '4']);
      response.end(
        JSON.stringify({
          status: 'success',
          data: { resultType: 'matrix', result: [{ metric: { pool: 'default' }, values }] },
        }),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const loaded = loadConfigFiles(join(folderWith({ 'headroom.yaml': ONE_POOL }), 'headroom.yaml'));
  if (!loaded.ok) throw new Error('config');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const to = FROM + 30 * 86_400;
  const store = await readPrometheus(loaded.config, {
    url,
    query: 'x',
    from: FROM * 1_000,
    to: to * 1_000,
    stepSeconds: 60,
    perUnit: 2,
  });
  server.close();
  expect(asked.every((form) => (Number(form.get('end')) - Number(form.get('start'))) / 60 <= 10_000)).toBe(true);
  expect([Number(asked[0]?.get('start')), Number(asked.at(-1)?.get('end'))]).toEqual([FROM, to]);
  expect([...store.samplesOf('default').values.slice(0, 4)]).toEqual([2, 2, Number.NaN, 2]);
});

test.each(['{}', '{"status":"success"}', '{"status":"success","data":{"result":null}}', '<html>'])(
  'an answer that is none of Prometheus, such as %s, gets a sentence',
  async (body) => {
    const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = join(folderWith({ 'headroom.yaml': ONE_POOL }), 'headroom.yaml');
    const { code, err } = await runCli(['suggest', '--prometheus', url, '-c', file]);
    server.close();
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`--prometheus ${url}: answered 200; check the address and the query`),
    });
  },
);

test('a piece that is too much for Prometheus is read as smaller ones, and what stays too much is an error', async () => {
  const read: number[] = [];
  const most = { points: 300 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const points = (Number(form.get('end')) - Number(form.get('start'))) / 60 + 1;
    if (points > most.points)
      response.end('{"status":"error","error":"query processing would load too many samples into memory"}');
    else {
      read.push(points);
      const values = [[Number(form.get('start')), '4']];
      response.end(JSON.stringify({ status: 'success', data: { result: [{ metric: { pool: 'default' }, values }] } }));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const loaded = loadConfigFiles(join(folderWith({ 'headroom.yaml': ONE_POOL }), 'headroom.yaml'));
  if (!loaded.ok) throw new Error('config');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const query = { url, query: 'x', from: FROM * 1_000, to: (FROM + 999 * 60) * 1_000, stepSeconds: 60 };
  await readPrometheus(loaded.config, query);
  expect(read.reduce((sum, points) => sum + points, 0)).toBe(1_000);
  most.points = 10;
  await expect(readPrometheus(loaded.config, query)).rejects.toThrow('too many samples');
  server.close();
});
