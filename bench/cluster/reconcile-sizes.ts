import { heartbeat } from '../../test/cluster/functions/events';
import { type Installation, install } from '../../test/cluster/functions/installation';
import { virtualTime } from '../../test/cluster/functions/virtual-time';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { openGateway } from '../../test/cluster/harness/gateway';
import { eventually } from '../../test/cluster/harness/process/eventually';
import { createNodePools } from './node-pools';
import { median, time } from './statistics';

/** Up to the most that a config may have. */
const SIZES = [1, 10, 100, 200];
const QUIET_ROUNDS = 11;
/** A busy machine may take longer to create so many Deployments than a function may run; the next heartbeat would go on. */
const CREATE_TIMEOUT_MS = 15 * 60_000;

/** Windows of one NodePool that are all closed on any clock of the benchmark: they open once a year. */
const WINDOWS = [1, 2, 3, 4, 5].map((hour) => ({
  name: `window-${hour}`,
  timezone: 'Asia/Seoul',
  start: `${hour} ${hour} 1 1 *`,
  end: `30 ${hour} 1 1 *`,
  desiredReplicas: hour,
}));

interface Row {
  readonly size: number;
  readonly createMs: number;
  readonly quietMs: readonly number[];
  readonly calls: readonly string[];
  readonly memoryBytes: number;
}

/** A reconcile of more and more NodePools with five windows each: the first, which creates, and those without a change. */
export async function measureSizes(cluster: Cluster): Promise<string> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(await measureSize(cluster, size));
  return table(rows);
}

async function measureSize(cluster: Cluster, size: number): Promise<Row> {
  const names = Array.from({ length: size }, (_, index) => `bench-${size}-${index}`);
  await createNodePools(cluster, names);
  const pool = { max: 5, schedules: WINDOWS };
  const nodePools = Object.fromEntries(names.map((name) => [name, pool]));
  const headstart = await install(cluster, { nodePools, timeoutMs: CREATE_TIMEOUT_MS });
  const at = virtualTime()(5);
  try {
    const process = await headstart.start('reconcile');
    const { tookMs: createMs } = await process.invoke(heartbeat(at), at);
    await awaitControllers(cluster, headstart);
    const quietMs: number[] = [];
    let memoryBytes = 0;
    for (let round = 0; round < QUIET_ROUNDS; round += 1) {
      const answer = await process.invoke(heartbeat(at), at);
      quietMs.push(answer.tookMs);
      memoryBytes = Math.max(memoryBytes, answer.memoryBytes);
    }
    const calls = await countCalls(cluster, headstart, nodePools, at);
    return { size, createMs, quietMs: quietMs.slice(1), calls, memoryBytes };
  } finally {
    await headstart.remove();
  }
}

/** The Deployment controller looks at each new Deployment, a few in a second; what it does is not measured. */
async function awaitControllers(cluster: Cluster, { namespace }: Installation): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const seen = async () =>
    (await cluster.admin.list<{ status: { observedGeneration?: number } }>(path)).every(
      ({ status }) => status.observedGeneration !== undefined,
    );
  await eventually(seen, { what: 'the Deployment controller', timeoutMs: 600_000, intervalMs: 2000 });
}

async function countCalls(
  cluster: Cluster,
  headstart: Installation,
  nodePools: Readonly<Record<string, object>>,
  at: number,
): Promise<readonly string[]> {
  const gateway = await openGateway(cluster);
  try {
    await headstart.deploy(nodePools, gateway.url);
    await headstart.invoke('reconcile', heartbeat(at), at);
    return gateway.calls.map(({ url }) => url);
  } finally {
    await gateway.close();
  }
}

function table(rows: readonly Row[]): string {
  return [
    '| NodePools | without a change: median, worst | API calls | memory | first run, creates all |',
    '|---|---|---|---|---|',
    ...rows.map(({ size, createMs, quietMs, calls, memoryBytes }) => {
      const lists = calls.map((call) => call.replace(/\?.*/, '').replace(/.*\//, ''));
      const kinds = [...new Set(lists)].map((list) => `LIST ${list} × ${lists.filter((one) => one === list).length}`);
      const memory = `${Math.round(memoryBytes / 2 ** 20)} MiB`;
      const quiet = `${time(median(quietMs))}, ${time(Math.max(...quietMs))}`;
      return `| ${size} | ${quiet} | ${calls.length}: ${kinds.join(', ')} | ${memory} | ${time(createMs)} |`;
    }),
  ].join('\n');
}
