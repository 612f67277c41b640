import { join } from 'node:path';
import { readPrometheus } from '../../../lab/suggest/history/read-prometheus';
import { folderWith, runCli } from '../../cli/run-cli';
import { loadedConfig } from '../../fakes/loaded-config';
import { type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { ONE_POOL } from './one-pool';

const FROM = Date.UTC(2026, 10, 2) / 1_000;
const FILE = join(folderWith({ 'headroom.yaml': ONE_POOL }), 'headroom.yaml');
const config = loadedConfig(ONE_POOL);

let server: LoopbackServer;
let answer: (form: URLSearchParams) => string;
beforeAll(async () => {
  server = await loopbackServer(({ body }, response) => void response.end(answer(new URLSearchParams(body))));
});
afterAll(() => server.close());

/** Values of one series, so many seconds after the start of what was queried. */
function series(form: URLSearchParams, ...after: readonly number[]): string {
  const values = after.map((seconds) => [Number(form.get('start')) + seconds, '4']);
  return JSON.stringify({ status: 'success', data: { result: [{ metric: { pool: 'default' }, values }] } });
}

const query = (minutes: number) => ({
  ...{ url: server.url, query: 'x', from: FROM * 1_000, to: (FROM + minutes * 60) * 1_000 },
  ...{ stepSeconds: 60, perUnit: 2 },
});

test('a long range is read in pieces that Prometheus accepts, and missing steps are unknown', async () => {
  const asked: URLSearchParams[] = [];
  answer = (form) => {
    asked.push(form);
    return series(form, 0, 60, 600);
  };
  const store = await readPrometheus(config, query(30 * 1_440));
  expect(asked.every((form) => (Number(form.get('end')) - Number(form.get('start'))) / 60 <= 10_000)).toBe(true);
  expect([Number(asked[0]?.get('start')), Number(asked.at(-1)?.get('end'))]).toEqual([FROM, FROM + 30 * 86_400]);
  expect([...store.samplesOf('default').values.slice(0, 4)]).toEqual([2, 2, Number.NaN, 2]);
});

test.each(['{}', '{"status":"success"}', '{"status":"success","data":{"result":null}}', '<html>'])(
  'an answer that is none of Prometheus, such as %s, is an error that names the address',
  async (body) => {
    answer = () => body;
    const { code, err } = await runCli(['suggest', '--prometheus', server.url, '-c', FILE]);
    const says = `--prometheus ${server.url}: answered 200; check the address and the query`;
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(says) });
  },
);

test('a piece that is too much for Prometheus is read as smaller ones, and what stays too much is an error', async () => {
  const read: number[] = [];
  let most = 300;
  answer = (form) => {
    const points = (Number(form.get('end')) - Number(form.get('start'))) / 60 + 1;
    if (points > most) return '{"status":"error","error":"query processing would load too many samples into memory"}';
    read.push(points);
    return series(form, 0);
  };
  await readPrometheus(config, query(999));
  expect(read.reduce((sum, points) => sum + points, 0)).toBe(1_000);
  most = 10;
  await expect(readPrometheus(config, query(999))).rejects.toThrow('too many samples');
});
