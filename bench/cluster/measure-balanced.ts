import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../test/cluster/harness/build/build';
import { VERSIONS } from '../../test/cluster/harness/build/versions';
import { type Cluster, startCluster } from '../../test/cluster/harness/cluster';
import { sweepAbandoned } from '../../test/cluster/harness/sweep';
import { NINE_TYPES, namesOf, uidsOf } from '../../test/cluster/workload/floor-stories';
import { type PodStarts, watchPodStarts } from '../../test/cluster/workload/pod-starts';
import { isRunning, workPod } from '../../test/cluster/workload/pods';
import { createPool, type Pool } from '../../test/cluster/workload/pool';
import { FLOOR } from '../../test/cluster/workload/step';
import { median, time, worst } from './statistics';

const MINUTE = 60_000;
const NODE_DELAY = '20s';
const NODES = 6;
/** Each minute so many pods come, and leave half a minute later. */
const PODS = 4;
const STAY_MS = MINUTE / 2;
const BALANCED = { consolidationPolicy: 'Balanced', consolidateAfter: '0s', budgets: [{ nodes: '100%' }] };
const UNITS = { 'room for six pods': { node: { cpu: '3' } }, 'floor of six nodes': FLOOR };

/** What was seen of one NodePool. */
interface Seen {
  readonly claims: number[];
  readonly names: Set<string>;
  readonly headroom: number[];
  readonly starts: number[];
  moved: number;
}

/** Room and a floor beside each other, for so many minutes. */
export async function measureBalanced(minutes: number): Promise<void> {
  await build((message) => console.error(message));
  await sweepAbandoned();
  const cluster = await startCluster({ karpenter: true, nodeDelay: NODE_DELAY });
  try {
    const starts = await watchPodStarts(cluster);
    const told = await Promise.all(
      Object.entries(UNITS).map(async ([name, unit]) => row(name, await watch(cluster, starts, unit, minutes))),
    );
    starts.close();
    const head = 'NodeClaims: at first, least, most, at the end | NodeClaims that were ever there';
    console.log(`Karpenter ${VERSIONS.karpenter}, ${minutes} minutes, ${PODS} pods come each minute for half of it`);
    console.log(`| headroom | ${head} | pause pods Running, least | work Running after: median, worst | work moved |`);
    console.log(['|---|---|---|---|---|---|', ...told].join('\n'));
  } finally {
    await cluster.stop();
  }
}

async function watch(cluster: Cluster, starts: PodStarts, unit: object, minutes: number): Promise<Seen> {
  const headroom = () => ({ base: NODES, max: NODES, unit });
  const pool = await createPool(cluster, { instanceTypes: NINE_TYPES, disruption: BALANCED, headroom });
  await pool.tick(0);
  await pool.awaitHeadroom(NODES);
  const seen: Seen = { claims: [], names: new Set(), headroom: [], starts: [], moved: 0 };
  const until = performance.now() + minutes * MINUTE;
  await Promise.all([look(pool, seen, until), comeAndGo(cluster, pool, starts, seen, until)]);
  await pool.headstart.remove();
  return seen;
}

async function look(pool: Pool, seen: Seen, until: number): Promise<void> {
  for (; performance.now() < until; await sleep(1_000)) {
    const [claims, pods] = await Promise.all([pool.claims(), pool.headroomPods()]);
    seen.claims.push(claims.length);
    for (const name of namesOf(claims)) seen.names.add(name);
    seen.headroom.push(pods.filter(isRunning).length);
  }
}

async function comeAndGo(cluster: Cluster, pool: Pool, starts: PodStarts, seen: Seen, until: number): Promise<void> {
  const namespace = `work-${pool.name}`;
  const running = async () => uidsOf((await pool.workPods()).filter(isRunning));
  let ran = 0;
  for (let minute = 1; performance.now() < until; minute += 1) {
    const came = performance.now();
    const names = Array.from({ length: PODS }, (_, pod) => `work-${minute}-${pod}`);
    const started = starts.awaitRunning(namespace, ran + PODS, came, STAY_MS);
    await starts.create(
      namespace,
      names.map((name) => workPod(name, pool.name, { cpu: '3' })),
    );
    const times = (await started).filter((ms) => ms > 0);
    ran += times.filter(Number.isFinite).length;
    seen.starts.push(...times);
    const before = await running();
    await sleep(Math.max(0, came + STAY_MS - performance.now()));
    // A pod that Karpenter evicts is gone: nobody creates it again.
    const after = await running();
    seen.moved += before.filter((uid) => !after.includes(uid)).length;
    await Promise.all(names.map((name) => cluster.admin.remove(`/api/v1/namespaces/${namespace}/pods/${name}`)));
    await sleep(Math.max(0, Math.min(came + MINUTE, until) - performance.now()));
  }
}

function row(name: string, { claims, names, headroom, starts, moved }: Seen): string {
  const counts = [claims[0], Math.min(...claims), Math.max(...claims), claims.at(-1)].join(', ');
  const took = `${time(median(starts))}, ${time(worst(starts))}`;
  return `| ${name} | ${counts} | ${names.size} | ${Math.min(...headroom)} | ${took} | ${moved} of ${starts.length} |`;
}
