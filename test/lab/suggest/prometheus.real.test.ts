import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWaits } from '../../../cli/report/read-waits';
import { readPrometheus } from '../../../lab/suggest/history/read-prometheus';
import { folderWith, runCli } from '../../cli/run-cli';
import { loadedConfig } from '../../fakes/loaded-config';
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

/** What kube-state-metrics shows of a pod, from its creation until it is deleted. */
interface Pod {
  readonly name: string;
  readonly namespace?: string;
  readonly cpu: number;
  readonly kind?: string;
  readonly created: number;
  /** @default never */
  readonly scheduled?: number;
  readonly node?: string;
  /** When its last container ends with success. @default never */
  readonly finished?: number;
  readonly deleted: number;
}

const END = FROM + DAYS * 86_400;

/**
 * Eight days of one-minute scrapes: three pods of 2 CPUs; six more that are created at 11:30 in Seoul, 20 s after a
 * scrape, and wait five minutes for a node of their own. Beside them a pool that has no node but from 18:00 to 20:00,
 * and what is no demand.
 */
const PODS = podsOfTheWeek();

function podsOfTheWeek(): readonly Pod[] {
  const always = { created: FROM - 7 * 86_400, scheduled: FROM - 7 * 86_400, deleted: END };
  return [
    ...[1, 2, 3].map((n) => ({ ...always, name: `web-${n}`, cpu: 2, node: 'n1' })),
    ...['n1', 'n2', 'b1'].map((node) => ({
      ...always,
      name: `headroom-edge-7d9f8b6c5-${node}`,
      namespace: 'headroom',
      cpu: 50,
      node,
    })),
    { ...always, name: 'agent', cpu: 5, kind: 'DaemonSet', node: 'n1' },
    { ...always, name: 'import', cpu: 40, kind: 'Job', node: 'n1', finished: FROM + 2 * 86_400 },
    { ...always, name: 'static', cpu: 7, node: 'managed' },
    { name: 'greedy', cpu: 64, created: FROM + 3 * 86_400, deleted: FROM + 3 * 86_400 + 7_200 },
    ...Array.from({ length: DAYS }, (_, day): Pod[] => {
      const created = FROM + day * 86_400 + 2.5 * 3_600 + 20;
      const evening = FROM + day * 86_400 + 9 * 3_600;
      const deleted = created + 2 * 3_600;
      return [
        ...[1, 2, 3, 4, 5, 6].map((n) => ({
          name: `lunch-${day}-${n}`,
          cpu: 2,
          created,
          scheduled: created + 5 * MINUTE,
          node: 'n2',
          deleted,
        })),
        { name: `agent-${day}`, cpu: 5, kind: 'DaemonSet', created, scheduled: created, node: 'n2', deleted },
        {
          name: 'batch-0',
          cpu: 4,
          kind: 'StatefulSet',
          created: evening,
          scheduled: evening + 10 * MINUTE,
          node: 'b1',
          deleted: evening + 2 * 3_600,
        },
      ];
    }).flat(),
  ];
}

/** Families of samples, as an exporter shows them minute by minute. */
function metrics(labelled: boolean): string {
  const families = new Map<string, string[]>();
  const add = (family: string, labels: Readonly<Record<string, string>>, value: number, at: number) => {
    const text = Object.entries(labels).map(([name, label]) => `${name}="${label}"`);
    const lines = families.get(family) ?? [`# HELP ${family} x\n# TYPE ${family} gauge`];
    lines.push(`${family}{${text.join(',')}} ${value} ${at}`);
    families.set(family, lines);
  };
  const addPod = (pod: Pod, at: number) => {
    const own = { namespace: pod.namespace ?? 'shop', pod: pod.name, uid: `${pod.name}-${pod.created}` };
    const node = at >= (pod.scheduled ?? END + 1) ? (pod.node ?? '') : '';
    const finished = at >= (pod.finished ?? END + 1);
    add('kube_pod_container_resource_requests', { ...own, container: 'c', node, resource: 'cpu' }, pod.cpu, at);
    const by = pod.name.replace(/-[^-]+$/, '');
    add('kube_pod_info', { ...own, node, created_by_kind: pod.kind ?? 'ReplicaSet', created_by_name: by }, 1, at);
    add('kube_pod_created', own, pod.created, at);
    if (node !== '') add('kube_pod_status_scheduled_time', own, pod.scheduled ?? 0, at);
    add('kube_pod_status_phase', { ...own, phase: 'Succeeded' }, finished ? 1 : 0, at);
    add('kube_pod_status_phase', { ...own, phase: 'Running' }, node !== '' && !finished ? 1 : 0, at);
  };
  for (let at = FROM; at <= END; at += MINUTE) {
    for (const pod of PODS) if (at >= pod.created && at < pod.deleted) addPod(pod, at);
    for (const [node, pool] of Object.entries({ n1: 'default', n2: 'default', b1: 'batch', managed: '' }))
      add('kube_node_labels', { node, label_karpenter_sh_nodepool: labelled ? pool : '' }, 1, at);
  }
  return `${[...families.values()].flat().join('\n')}\n# EOF\n`;
}

/** What was wanted at a time, by the pods themselves. */
function wanted(pool: string, at: number): number {
  const nodes: Readonly<Record<string, readonly string[]>> = { default: ['n1', 'n2'], batch: ['b1'] };
  const counts = PODS.filter(
    ({ kind, namespace, node = '', created, finished = END + 1, deleted }) =>
      kind !== 'DaemonSet' &&
      namespace !== 'headroom' &&
      nodes[pool]?.includes(node) &&
      created <= at &&
      at < Math.min(finished, deleted),
  );
  return counts.reduce((sum, { cpu }) => sum + cpu, 0);
}

/** Whether a pod runs that does not follow the nodes. */
function isWorkAt(
  { namespace = 'shop', kind, scheduled = END + 1, finished = END + 1, deleted }: Pod,
  at: number,
): boolean {
  return namespace === 'shop' && kind !== 'DaemonSet' && scheduled <= at && at < Math.min(finished, deleted);
}

/** Debian's Prometheus on loopback, with a history of its own. */
async function startPrometheus(labelled: boolean): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'headstart-prometheus-'));
  writeFileSync(join(folder, 'history.txt'), metrics(labelled));
  writeFileSync(join(folder, 'prometheus.yml'), 'global: {}\n');
  execFileSync(
    'promtool',
    // By default it reads the file once for every two hours of it.
    [
      ...['tsdb', 'create-blocks-from', '--max-block-duration=720h', 'openmetrics'],
      ...[join(folder, 'history.txt'), join(folder, 'data')],
    ],
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
      // Imported samples have no marks of staleness, which a scrape writes when a series ends.
      '--query.lookback-delta=59s',
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

const WORDS = ['--from', '2026-11-02', '--to', '8d', '--step', '1m'];

if (!installed)
  test('Prometheus is installed where CI runs', () => {
    if (process.env.CI === 'true')
      throw new Error("prometheus and promtool are missing; install Debian's package prometheus");
    console.warn('skipped: prometheus and promtool are not installed; the tests against a real Prometheus did not run');
  });
else
  describe('a real Prometheus', () => {
    const file = join(folderWith({ 'headroom.yaml': ONE_POOL }), 'headroom.yaml');

    test('pods count from their creation until they finish, for the pool that they got later', async () => {
      const { url, stop } = await startPrometheus(true);
      try {
        const config = loadedConfig(ONE_POOL);
        const query = { url, from: FROM * 1_000, to: END * 1_000, stepSeconds: MINUTE };
        const store = await readPrometheus(config, query);
        expect(store.names).toEqual(['batch', 'default']);
        for (const [pool, each] of [
          ['default', 2],
          ['batch', 1],
        ] as const) {
          const { times, values } = store.samplesOf(pool);
          const differs = [...times].filter((at, index) => values[index] !== wanted(pool, at / 1_000) / each);
          expect(differs.map((at) => new Date(at).toISOString())).toEqual([]);
          expect(times.length).toBeGreaterThan((DAYS - 1) * 1_440);
        }
        expect(store.notes).toEqual([
          '1 pod got no node within 6 hours or before the history ends; no NodePool is known for it, so it is left out',
        ]);
        const edge = '\n  edge: {nodePool: default, max: 4, unit: {floor: {cpu: 4}}}\n';
        const found = await readWaits({ url }, loadedConfig(ONE_POOL + edge), { from: FROM * 1_000, to: END * 1_000 });
        const seconds = [...found.waits].map(([pool, all]) => [pool, all.map((one) => one.seconds).join()]);
        expect(Object.fromEntries(seconds)).toEqual({
          default: Array(6 * DAYS)
            .fill(300)
            .join(),
          batch: Array(DAYS).fill(600).join(),
        });
        expect(found.waits.get('default')?.[0]).toMatchObject({ workload: 'shop/lunch-0', cpu: 2 });
        expect([...found.withoutNode]).toEqual([['shop/greedy', 1]]);
        expect(found.work.get('edge')).toEqual(
          Array.from({ length: DAYS * 1_440 }, (_, minute) => {
            const at = FROM + minute * MINUTE;
            const nodes = PODS.filter((pod) => isWorkAt(pod, at)).map(({ node }) => node);
            return { at: at * 1_000, nodes: new Set(nodes.filter((node) => node !== 'managed')).size };
          }),
        );
        const { code, out, err } = await runCli(['suggest', '--prometheus', url, ...WORDS, '-c', file, '--json']);
        expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('note: 1 pod got no node') });
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
