// What a heartbeat pays for reading Preempted Events; writes docs/benchmarks.md. `serve` is the API that it reads from, in a
// process of its own, so that its CPU time is not counted.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { loopbackConnection } from '../../shared/adapters/kube/connection';
import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { pausePods } from '../../shared/adapters/kube/pause-pods';
import type { HeadroomConfig } from '../../shared/core/config/config';
import { EMPTY_RECORD } from '../../shared/core/record/record';
import { recordTaken } from '../../shared/core/taken/taken';
import { machineFacts, writeSection } from '../results';

const [ROUNDS, WARM, PAGE] = [60, 20, 500];
const COUNTS = [0, 60, 1_000];
const NOW = Date.parse('2026-11-18T12:00:00Z');

if (process.argv[2] === 'serve') serve();
else await measure();

function serve(): void {
  let counted = { requests: 0, bytes: 0 };
  const server = createServer(({ url = '' }, response) => {
    const { searchParams, pathname } = new URL(url, 'http://127.0.0.1');
    const [first, all] = [Number(searchParams.get('continue') ?? 0), Number(pathname.split('/')[1])];
    const end = Math.min(all, first + PAGE);
    const items = Array.from({ length: end - first }, (_, index) => preempted(first + index));
    const body = JSON.stringify({ kind: 'EventList', metadata: end < all ? { continue: `${end}` } : {}, items });
    counted = { requests: counted.requests + 1, bytes: counted.bytes + body.length };
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', () => {
    process.send?.(counted);
    counted = { requests: 0, bytes: 0 };
  });
}

async function measure(): Promise<void> {
  const api = fork(fileURLToPath(import.meta.url), ['serve']);
  const answer = async <T,>(): Promise<T> => (await once(api, 'message'))[0] as T;
  const { port } = await answer<{ port: number }>();
  const rows: string[] = [];
  for (const count of COUNTS) {
    const headroom = { name: 'web', unit: { kind: 'slice', requests: {} } } as unknown as HeadroomConfig;
    const config = { cluster: { namespace: 'headroom' }, headrooms: [headroom] };
    const { readPreemptions } = pausePods(
      kubeTransport(loopbackConnection(`http://127.0.0.1:${port}/${count}`)),
      config as never,
    );
    const heartbeat = async () => {
      const { taken } = recordTaken(EMPTY_RECORD, headroom, await readPreemptions(), NOW);
      if ((taken?.units ?? 0) !== count) throw new Error(`counted ${taken?.units} of ${count}`);
    };
    for (let round = 0; round < WARM; round += 1) await heartbeat();
    api.send('count');
    await answer();
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = process.cpuUsage();
      await heartbeat();
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1_000);
    }
    api.send('count');
    const { requests, bytes } = await answer<{ requests: number; bytes: number }>();
    const sorted = times.sort((a, b) => a - b);
    const figures = [sorted[ROUNDS / 2], sorted[Math.floor(ROUNDS * 0.95)]].map((ms = 0) => `${ms.toFixed(1)} ms`);
    rows.push(
      `| ${count.toLocaleString('en')} | ${requests / ROUNDS} | ${(bytes / ROUNDS / 1_000).toFixed(1)} KB | ${figures.join(' | ')} |`,
    );
  }
  api.kill();
  writeSection(
    'takes-reading',
    [
      '## Reading what work took',
      '',
      `\`npm run bench -- takes\`, ${machineFacts()}. While room of a size above 0 stands, and for two minutes after, each heartbeat lists the \`Preempted\` Events of the last hour in its namespace, in pages of ${PAGE}, beside its other reads, and counts the new ones. A warm process against an API on loopback that runs in another process; the Events are as kube-scheduler writes them, with managed fields. CPU time of the reading process, for ${ROUNDS} heartbeats. Its other requests are in the tables above.`,
      '',
      '| Events in the last hour | requests | bytes | CPU, median | CPU, 95 % |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
  );
}

function preempted(index: number) {
  const name = `headroom-web-7d9f8b6c5-${index.toString(36).padStart(5, '0')}`;
  const time = new Date(NOW - 600_000 + index * 500).toISOString().replace('Z', '000Z');
  const managed = {
    manager: 'kube-scheduler',
    operation: 'Update',
    apiVersion: 'events.k8s.io/v1',
    time,
    fieldsType: 'FieldsV1',
  };
  const fields = [
    'action',
    'eventTime',
    'note',
    'reason',
    'regarding',
    'related',
    'reportingController',
    'reportingInstance',
    'type',
  ];
  const fieldsV1 = Object.fromEntries(fields.map((field) => [`f:${field}`, {}]));
  const uid = (prefix: string) => `${prefix}a0e1c2-5b7d-4f3a-9c11-${String(index).padStart(12, '0')}`;
  return {
    metadata: {
      name: `${name}.18a3f0c2d4e5${index.toString(16).padStart(4, '0')}`,
      namespace: 'headroom',
      uid: uid('1f'),
      resourceVersion: `${1_000_000 + index}`,
      creationTimestamp: time,
      managedFields: [{ ...managed, fieldsV1 }],
    },
    eventTime: time,
    reportingController: 'default-scheduler',
    reportingInstance: 'default-scheduler-ip-10-0-1-23.eu-west-1.compute.internal',
    action: 'Preempting',
    reason: 'Preempted',
    regarding: {
      kind: 'Pod',
      namespace: 'headroom',
      name,
      uid: uid('2f'),
      apiVersion: 'v1',
      resourceVersion: `${900_000 + index}`,
    },
    related: { kind: 'Pod', namespace: 'shop', name: `checkout-5d4f8c9b7-${index}`, uid: uid('3f'), apiVersion: 'v1' },
    note: `Preempted by pod ${uid('3f')} on node ip-10-0-3-${index % 250}.eu-west-1.compute.internal`,
    type: 'Normal',
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  };
}
