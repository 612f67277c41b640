import { EVENT_QUEUE } from '../../shared/core/events/delivery-limits';
import { announcement, heartbeat } from '../../test/cluster/functions/events';
import { install } from '../../test/cluster/functions/installation';
import { type Delivered, deliverAll } from '../../test/cluster/functions/queue';
import { virtualTime } from '../../test/cluster/functions/virtual-time';
import { build } from '../../test/cluster/harness/build/build';
import { VERSIONS } from '../../test/cluster/harness/build/versions';
import { type Cluster, startCluster } from '../../test/cluster/harness/cluster';
import { applyCrds, readManifests } from '../../test/cluster/harness/crds';
import { openGateway } from '../../test/cluster/harness/gateway';
import { sweepAbandoned } from '../../test/cluster/harness/sweep';
import { createNodePools } from '../cluster/node-pools';
import { time } from '../cluster/statistics';
import { machineFacts, writeSection } from '../results';
import { callsThrough } from './measure-storms';
import { shuffled } from './notices';

const SIZE = 5000;
/** Lambda does not always fill them. */
const BATCHES = [10, 100, EVENT_QUEUE.batchSize];
/** As the event source mapping is deployed. */
const CONCURRENCY = 2;
const POOL = 'burst';
const SEED = 20_261_118;
/** The events of an import come over this long. */
const OVER_MINUTES = 5;
const HOLD_MINUTES = 45;

interface Row extends ReturnType<typeof callsThrough> {
  readonly batchSize: number;
  readonly delivered: Delivered;
  readonly tookMs: number;
  /** The size a second before the peak ends by its last event, and a minute after. */
  readonly sizes: readonly number[];
}

/** Lets thousands of announcements of one peak pass through the deployed function, and writes down what came of them. */
export async function measureBurst(size = SIZE): Promise<void> {
  await build((message) => console.error(message));
  await sweepAbandoned();
  const cluster = await startCluster({ karpenter: false });
  try {
    await applyCrds(cluster.admin, readManifests('karpenter', 'CustomResourceDefinition'));
    await createNodePools(cluster, [POOL]);
    const rows: Row[] = [];
    for (const batchSize of BATCHES) {
      rows.push(await measure(cluster, size, batchSize));
      console.error(burstTable(rows));
    }
    if (size === SIZE) writeSection('bursts', burstPage(rows, machineFacts()));
  } finally {
    await cluster.stop();
  }
}

async function measure(cluster: Cluster, size: number, batchSize: number): Promise<Row> {
  const event = {
    name: 'import',
    pattern: { source: ['aws.s3'] },
    hold: `${HOLD_MINUTES}m`,
    desiredReplicas: 6,
  };
  const gateway = await openGateway(cluster);
  const nodePools = { [POOL]: { base: 1, max: 10, events: [event] } };
  const headstart = await install(cluster, { nodePools, endpoint: gateway.url });
  const minute = virtualTime();
  const at = minute(OVER_MINUTES);
  try {
    await headstart.invoke('reconcile', heartbeat(at), at);
    const processes = await Promise.all(Array.from({ length: CONCURRENCY }, () => headstart.start('announce')));
    const before = gateway.calls.length;
    const bodies = Array.from({ length: size }, (_, index) =>
      JSON.stringify(announcement(POOL, 'import', minute((OVER_MINUTES * index) / (size - 1)))),
    );
    const began = performance.now();
    const delivered = await deliverAll(shuffled(bodies, SEED), processes, {
      batchSize,
      maxReceives: EVENT_QUEUE.maxReceives,
      visibilityMs: EVENT_QUEUE.visibilitySeconds * 1000,
      at,
    });
    const tookMs = performance.now() - began;
    const calls = callsThrough({ calls: gateway.calls.slice(before) });
    const sizes: number[] = [];
    for (const end of [minute(OVER_MINUTES + HOLD_MINUTES) - 1000, minute(OVER_MINUTES + HOLD_MINUTES + 1)]) {
      await headstart.invoke('reconcile', heartbeat(end), end);
      sizes.push((await headstart.headroom(POOL)).spec.replicas);
    }
    return { batchSize, delivered, tookMs, sizes, ...calls };
  } finally {
    await headstart.remove();
    await gateway.close();
  }
}

function burstTable(rows: readonly Row[]): string {
  return [
    '| batches of | invocations | API calls: reads, writes | conflicts | other failures | redelivered | all handled after | slowest invocation | memory | dead letters | size until the end, and after |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map(({ batchSize, delivered, ...row }) => {
      const { invocations, redelivered, slowestMs, memoryBytes, deadLetters } = delivered;
      const [calls, memory] = [`${row.reads}, ${row.writes}`, `${Math.round(memoryBytes / 2 ** 20)} MiB`];
      const times = [time(row.tookMs), time(slowestMs)];
      const counts = [invocations, calls, row.conflicts, row.failedCalls, redelivered, ...times, memory, deadLetters];
      return `| ${[batchSize, ...counts, row.sizes.join(', ')].join(' | ')} |`;
    }),
  ].join('\n');
}

function burstPage(rows: readonly Row[], machine: string): string {
  return `## A burst of announcements

\`npm run bench -- burst\`, ${machine}. An import announces one peak ${SIZE.toLocaleString('en')} times within ${OVER_MINUTES} minutes: events without a key, ${HOLD_MINUTES} minutes of \`hold\` from each, 6 replicas. They pass through the deployed \`announce\` bundle on Kubernetes ${VERSIONS.kubernetes} as SQS delivers them: shuffled, in batches, to two processes at once. How full Lambda makes a batch: [above](#how-full-lambda-makes-a-batch). Targets: at most a handful of writes, nothing redelivered, and the peak ends when its last event says.

${burstTable(rows)}`;
}
