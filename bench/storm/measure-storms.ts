import { kubeCluster } from '../../shared/adapters/kube/kube-cluster';
import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { kubeconfigConnection } from '../../shared/adapters/kube/kubeconfig-connection';
import { inParallel } from '../../shared/core/basics/promises';
import { EVENT_QUEUE } from '../../shared/core/events/delivery-limits';
import { type Installation, install } from '../../test/cluster/functions/installation';
import { deliverAll } from '../../test/cluster/functions/queue';
import { virtualTime } from '../../test/cluster/functions/virtual-time';
import { build } from '../../test/cluster/harness/build/build';
import { type Cluster, startCluster } from '../../test/cluster/harness/cluster';
import { applyCrds, readManifests } from '../../test/cluster/harness/crds';
import { type Call, type Gateway, openGateway } from '../../test/cluster/harness/gateway';
import { eventually } from '../../test/cluster/harness/process/eventually';
import { sweepAbandoned } from '../../test/cluster/harness/sweep';
import { createNodePools } from '../cluster/node-pools';
import { machineFacts, writeSection } from '../results';
import { type Claim, createClaims } from './node-claims';
import { instanceId, type Storm, stormOf } from './notices';
import { pollerTable } from './poller-table';
import { medianStorm, type Row, stormPage, stormTable } from './storm-page';

const SIZES = [100, 1000, 5000, 15_000];
/** The storm that is also delivered in smaller batches, for Lambda does not always fill them. */
const COMPARED = 5000;
const SMALLER_BATCHES = [100, 300];
/** One storm of seconds says little about the growth, so both sides of the ratio are the median of three. */
const TIMES = 3;
/** As many notices as one NodePool may count at once. */
const PER_POOL = 500;
const POOLS = Array.from({ length: Math.max(...SIZES) / PER_POOL }, (_, index) => `storm-${index}`);
const BASE = 1;
/** As the event source mapping is deployed. */
const CONCURRENCY = 2;
const SEED = 20_261_116;

/** Lets storms of more and more notices pass through the deployed function on one cluster, and writes down what came of them. */
export async function measureStorms(sizes: readonly number[] = SIZES): Promise<void> {
  const report = (message: string) => console.error(message);
  await build(report);
  await sweepAbandoned();
  const cluster = await startCluster({ karpenter: false });
  try {
    await applyCrds(cluster.admin, readManifests('karpenter', 'CustomResourceDefinition'));
    await createNodePools(cluster, POOLS);
    const claims: Claim[] = [];
    const rows: Row[] = [];
    for (const size of sizes) {
      report(`${size} NodeClaims`);
      const more = claimsBetween(claims.length, size);
      await createClaims(cluster, more);
      claims.push(...more);
      const smaller = size === COMPARED ? SMALLER_BATCHES : [];
      for (const batchSize of [...smaller, EVENT_QUEUE.batchSize]) {
        const times = size >= COMPARED && batchSize === EVENT_QUEUE.batchSize ? TIMES : 1;
        const storms: Row[] = [];
        while (storms.length < times) {
          storms.push(await measureStorm(cluster, claims.slice(0, size), batchSize));
          report(stormTable(storms.slice(-1)));
        }
        const typical = medianStorm(storms);
        const listsMs = times === 1 ? undefined : await readClaims(cluster, typical.delivered.invocations);
        rows.push({ ...typical, ...(listsMs !== undefined && { listsMs }) });
      }
    }
    report(pollerTable(rows));
    if (sizes === SIZES) writeSection('storms', stormPage(rows, machineFacts(), POOLS.length));
  } finally {
    await cluster.stop();
  }
}

/** The NodeClaims by which the cluster grows, spread over its NodePools. */
function claimsBetween(from: number, to: number): readonly Claim[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
    nodePool: POOLS[(from + index) % POOLS.length] ?? '',
    instanceId: instanceId(from + index),
  }));
}

/** Every node of the cluster is announced. */
async function measureStorm(cluster: Cluster, claims: readonly Claim[], batchSize: number): Promise<Row> {
  const gateway = await openGateway(cluster);
  const pool = { base: BASE, max: BASE + PER_POOL, interruptions: { surge: 1, max: PER_POOL, hold: '2h' } };
  const nodePools = Object.fromEntries(POOLS.map((name) => [name, pool]));
  const headstart = await install(cluster, { nodePools, endpoint: gateway.url });
  const at = virtualTime()(1);
  await keepPodsOut(cluster, headstart.namespace);
  try {
    const storm = stormOf(
      claims.map((claim) => claim.instanceId),
      at,
      SEED + claims.length,
    );
    const processes = await Promise.all(Array.from({ length: CONCURRENCY }, () => headstart.start('interruption')));
    const began = performance.now();
    const delivered = await deliverAll(storm.bodies, processes, {
      batchSize,
      maxReceives: EVENT_QUEUE.maxReceives,
      visibilityMs: EVENT_QUEUE.visibilitySeconds * 1000,
      at,
    });
    const tookMs = performance.now() - began;
    return { storm, batchSize, delivered, tookMs, ...callsThrough(gateway), ...(await countedIn(headstart, storm)) };
  } finally {
    await headstart.remove();
    await gateway.close();
    const gone = async () => (await cluster.admin.find(`/api/v1/namespaces/${headstart.namespace}`)) === undefined;
    await eventually(gone, { what: 'the end of the storm', timeoutMs: 1_200_000, intervalMs: 2000 });
  }
}

/** How long it takes only to read the NodeClaims as often as a storm has invocations, as many at once. */
async function readClaims({ kubeconfigPath }: Cluster, times: number): Promise<number> {
  const transport = kubeTransport(await kubeconfigConnection(kubeconfigPath));
  const read = () => kubeCluster(transport, 'default').readNodeClaims(() => () => {}, { instancesOnly: true });
  const began = performance.now();
  const results = await inParallel(Array.from({ length: times }), CONCURRENCY, read);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return performance.now() - began;
}

/** Thousands of pods that nobody starts would take the machine away from what is measured. */
async function keepPodsOut({ admin }: Cluster, namespace: string): Promise<void> {
  const quotas = `/api/v1/namespaces/${namespace}/resourcequotas`;
  await admin.send('POST', quotas, { metadata: { name: 'no-pods' }, spec: { hard: { pods: '0' } } });
}

export function callsThrough({
  calls,
}: Pick<Gateway, 'calls'>): Pick<Row, 'reads' | 'writes' | 'conflicts' | 'failedCalls'> {
  const count = (matches: (call: Call) => boolean) => calls.filter(matches).length;
  return {
    reads: count(({ method }) => method === 'GET'),
    writes: count(({ method }) => method !== 'GET'),
    conflicts: count(({ status }) => status === 409),
    failedCalls: count(({ status = 0 }) => status === 0 || (status >= 400 && status !== 409)),
  };
}

/** What the records and sizes say in the end, against what the storm said. */
async function countedIn(headstart: Installation, { own }: Storm): Promise<Pick<Row, 'lost' | 'doubled'>> {
  const recorded = new Set<string>();
  let size = 0;
  for (const nodePool of POOLS) {
    const { surges } = await headstart.recordOf(nodePool);
    for (const id of Object.keys(surges)) recorded.add(id);
    size += (await headstart.headroom(nodePool)).spec.replicas - BASE;
  }
  return { lost: own.filter((id) => !recorded.has(id)).length, doubled: Math.max(0, size - own.length) };
}
