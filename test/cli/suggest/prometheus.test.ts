import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPrometheus } from '../../../cli/suggest/read-prometheus';
import { loadConfigFiles } from '../../../shared/adapters/files/config-files';
import { folderWith, runCli } from '../run-cli';

const installed = isInstalled();
const MINUTE = 60;
const FROM = Date.UTC(2026, 10, 2) / 1_000;
const DAYS = 8;

function isInstalled(): boolean {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' });
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const CONFIG = `
cluster: { name: shop, region: ap-northeast-2 }
nodePools:
  default:
    max: 20
    leadTime: 5m
    unit: { node: { cpu: 2, memory: 4Gi } }
`;

/** Eight days of kube-state-metrics: three pods of 2 CPUs, nine from 11:30 to 13:30 in Seoul; a pause pod beside them. */
function metrics(labelled: boolean): string {
  const [requests, labels]: [string[], string[]] = [[], []];
  for (let at = FROM; at <= FROM + DAYS * 86_400; at += 5 * MINUTE) {
    const clock = (at + 9 * 3_600) % 86_400;
    const cpu = clock >= 11.5 * 3_600 && clock < 13.5 * 3_600 ? 18 : 6;
    const sample = (namespace: string, value: number) =>
      `kube_pod_container_resource_requests{resource="cpu",namespace="${namespace}",pod="${namespace}",node="n1"} ${value} ${at}`;
    requests.push(sample('shop', cpu), sample('headroom', 50));
    labels.push(`kube_node_labels{node="n1"${labelled ? ',label_karpenter_sh_nodepool="default"' : ''}} 1 ${at}`);
  }
  const head = (name: string) => `# HELP ${name} x\n# TYPE ${name} gauge`;
  return [
    head('kube_pod_container_resource_requests'),
    ...requests,
    head('kube_node_labels'),
    ...labels,
    '# EOF\n',
  ].join('\n');
}

/** Debian's Prometheus on loopback, with a history of its own. */
async function startPrometheus(labelled: boolean): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'headstart-prometheus-'));
  writeFileSync(join(folder, 'history.txt'), metrics(labelled));
  writeFileSync(join(folder, 'prometheus.yml'), 'global: {}\n');
  execFileSync(
    'promtool',
    ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'history.txt'), join(folder, 'data')],
    { stdio: 'ignore' },
  );
  const port = await freePort();
  const child: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--storage.tsdb.retention.time=100y',
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}`);
    const ready = await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { url, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const WORDS = ['--from', '2026-11-02', '--to', '8d', '--step', '5m'];

if (!installed)
  test('Prometheus is installed where CI runs', () => {
    if (process.env.CI === 'true')
      throw new Error("prometheus and promtool are missing; install Debian's package prometheus");
    console.warn('skipped: prometheus and promtool are not installed; the tests against a real Prometheus did not run');
  });
else
  describe('a real Prometheus', () => {
    const file = join(folderWith({ 'headroom.yaml': CONFIG }), 'headroom.yaml');

    test('the default query finds the lunch window, without the pause pods', async () => {
      const { url, stop } = await startPrometheus(true);
      try {
        const { code, out, err } = await runCli(['suggest', '--prometheus', url, ...WORDS, '-c', file, '--json']);
        expect({ code, err }).toEqual({ code: 0, err: '' });
        const { schedules, timezone } = JSON.parse(out).nodePools.default;
        expect(timezone).toBe('Asia/Seoul');
        // Twelve more CPUs are six units of two; the margin of a short history is 25 minutes.
        expect(schedules).toEqual([expect.objectContaining({ start: '0 11 * * *', desiredReplicas: 6 })]);
      } finally {
        await stop();
      }
    });

    test('an empty answer names the label allow-list that is missing', async () => {
      const { url, stop } = await startPrometheus(false);
      try {
        const run = await runCli(['suggest', '--prometheus', url, ...WORDS, '-c', file]);
        expect(run.code).toBe(1);
        expect(run.err).toContain('--metric-labels-allowlist=nodes=[karpenter.sh/nodepool]');
        const wrong = await runCli(['suggest', '--prometheus', url, ...WORDS, '-c', file, '--query', 'sum(']);
        expect(wrong.code).toBe(1);
        expect(wrong.err).toContain('parse error');
      } finally {
        await stop();
      }
    });
  });

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
  const loaded = loadConfigFiles(join(folderWith({ 'headroom.yaml': CONFIG }), 'headroom.yaml'));
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
    const file = join(folderWith({ 'headroom.yaml': CONFIG }), 'headroom.yaml');
    const { code, err } = await runCli(['suggest', '--prometheus', url, '-c', file]);
    server.close();
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`--prometheus ${url}: answered 200; check the address and the query`),
    });
  },
);
