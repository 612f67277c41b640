import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderWith, runCli } from '../run-cli';
import { ONE_POOL } from './one-pool';

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
    const file = join(folderWith({ 'headroom.yaml': ONE_POOL }), 'headroom.yaml');

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
