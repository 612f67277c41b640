import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { type PodStarts, watchPodStarts } from '../../test/cluster/workload/pod-starts';
import { workDeployment, workPod } from '../../test/cluster/workload/pods';
import { createPool, type Pool } from '../../test/cluster/workload/pool';
import { median, ratio, time, worst } from './statistics';

const SINGLES = 7;
const BURSTS = 3;
const BURST = 50;
/** How many pods of the work fill a node of the size that headroom asks for. */
const PER_NODE = 7;
const REQUESTS = { cpu: '1', memory: '1Gi' };
/** kube-scheduler may ask the apiserver only so often; it has to be rested before it is measured. */
const REST_MS = 10_000;
/** Three times as long as a pod waits for a new node: what preempted and does not run by then was forgotten by kube-scheduler. */
const FORGOTTEN_MS = 200_000;

const SLICES = { count: BURST, unit: { slice: REQUESTS } };
const NODES = { count: Math.ceil(BURST / PER_NODE), unit: { node: { cpu: `${PER_NODE}`, memory: `${PER_NODE}Gi` } } };
/** As many nodes of the size that the headroom above gets, CPUs alone: the kwok provider's label for memory is no number. */
const FLOOR = { count: NODES.count, unit: { floor: { cpu: PER_NODE + 1 } } };
const SINGLE = { count: 1, unit: { slice: REQUESTS } };
const NONE = { count: 0, unit: { slice: REQUESTS } };

interface Warm extends Pool {
  readonly count: number;
}

interface Row {
  readonly name: string;
  readonly times: readonly number[];
  /** The same without headroom. */
  readonly against: readonly number[];
}

async function poolsOf(
  cluster: Cluster,
  { count, unit }: typeof SLICES | typeof NODES | typeof FLOOR,
  howMany: number,
): Promise<readonly Warm[]> {
  const pools: Warm[] = [];
  for (let i = 0; i < howMany; i += 1) {
    const pool = await createPool(cluster, {
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '5m' },
      headroom: () => ({ base: count, max: 100, unit }),
    });
    pools.push({ ...pool, count });
  }
  return pools;
}

/** Creates so many pods at once and gives how long after that each runs. */
async function burst(starts: PodStarts, { name }: Pool, count: number): Promise<readonly number[]> {
  const pods = Array.from({ length: count }, (_, index) => workPod(`pod-${index}`, name, REQUESTS));
  const running = starts.awaitRunning(`work-${name}`, count, performance.now(), FORGOTTEN_MS);
  await starts.create(`work-${name}`, pods);
  return running;
}

/** The same by one Deployment: its controller creates the pods, at the pace of its own client. */
async function rollout(cluster: Cluster, starts: PodStarts, { name }: Pool): Promise<readonly number[]> {
  const path = `/apis/apps/v1/namespaces/work-${name}/deployments`;
  const running = starts.awaitRunning(`work-${name}`, BURST, performance.now(), FORGOTTEN_MS);
  await cluster.admin.send('POST', path, workDeployment('work', name, REQUESTS, BURST));
  return running;
}

/** No headroom any more, and so no refill that would be measured with what comes next. */
async function pinToZero({ headstart, name, minute }: Pool): Promise<void> {
  await headstart.invoke('inflate', { headroom: name, exactly: 0, for: '5m' }, minute(1));
}

/** Its nodes stand empty from here on, until Karpenter removes them some minutes later. */
async function emptied(pool: Pool): Promise<void> {
  await pinToZero(pool);
  await pool.awaitHeadroom(0);
  await sleep(REST_MS);
}

/** From the create of pods to Running, without and with headroom. */
export async function measureStarts(cluster: Cluster): Promise<string> {
  const starts = await watchPodStarts(cluster);
  const cold = await poolsOf(cluster, NONE, SINGLES + 2);
  const singles = await poolsOf(cluster, SINGLE, SINGLES);
  const slices = await poolsOf(cluster, SLICES, BURSTS);
  const [byDeployment, ...nodes] = await poolsOf(cluster, NODES, BURSTS + 1);
  const floors = await poolsOf(cluster, FLOOR, BURSTS);
  const free = await poolsOf(cluster, FLOOR, BURSTS);
  const [coldBurst, coldDeployment, ...coldSingles] = cold;
  if (!byDeployment || !coldBurst || !coldDeployment) throw new Error('there are not enough NodePools');
  const warm = [...singles, ...slices, byDeployment, ...nodes, ...floors, ...free];
  const inTurn = async (
    pools: readonly Pool[],
    measure: (pool: Pool) => Promise<readonly number[]>,
    restMs = REST_MS,
  ) => {
    const times: (readonly number[])[] = [];
    for (const pool of pools) {
      await sleep(restMs);
      times.push(await measure(pool));
      await pinToZero(pool);
    }
    return times;
  };
  try {
    for (const pool of warm) await pool.tick(0);
    for (const pool of warm) await pool.awaitHeadroom(pool.count);

    const one = (await inTurn(singles, (pool) => burst(starts, pool, 1), 3000)).flat();
    const bySlices = await inTurn(slices, (pool) => burst(starts, pool, BURST));
    const byNodes = await inTurn(nodes, (pool) => burst(starts, pool, BURST));
    const [rolledOut = []] = await inTurn([byDeployment], (pool) => rollout(cluster, starts, pool));
    // By turns: what else the machine does meets both alike.
    const besides = floors.flatMap((pool, index) => [pool, ...free.slice(index, index + 1)]);
    const mixed = await inTurn(besides, async (pool) => {
      if (free.some(({ name }) => name === pool.name)) await emptied(pool);
      return burst(starts, pool, BURST);
    });
    const [byFloor, unhindered] = [0, 1].map((which) => mixed.filter((_, index) => index % 2 === which));
    await sleep(REST_MS);
    // In a NodePool each, so that all wait for their nodes at the same time.
    const oneCold = (await Promise.all(coldSingles.map((pool) => burst(starts, pool, 1)))).flat();
    const burstCold = await burst(starts, coldBurst, BURST);
    const rolledOutCold = await rollout(cluster, starts, coldDeployment);
    const numbered = (name: string, all: readonly (readonly number[])[] = []) =>
      all.map((times, index): Row => ({ name: `${name}, ${index + 1}`, times, against: burstCold }));
    return table([
      { name: `one pod, ${SINGLES} times`, times: one, against: oneCold },
      ...numbered(`${BURST} pods, headroom of ${SLICES.count} slices`, bySlices),
      ...numbered(`${BURST} pods, headroom of ${NODES.count} nodes`, byNodes),
      { name: `a Deployment of ${BURST}, headroom of ${NODES.count} nodes`, times: rolledOut, against: rolledOutCold },
      ...numbered(`${BURST} pods, floor of ${FLOOR.count} nodes`, byFloor),
      ...numbered(`lower bound: ${BURST} pods on empty nodes`, unhindered),
    ]);
  } finally {
    starts.close();
    await Promise.allSettled([...cold, ...warm].map(({ headstart }) => headstart.remove()));
  }
}

function table(rows: readonly Row[]): string {
  const both = (times: readonly number[]) => `${time(median(times))}, ${time(worst(times))}`;
  return [
    '| workload | without headroom: median, worst | with headroom: median, worst | median | worst |',
    '|---|---|---|---|---|',
    ...rows.map(({ name, times, against }) => {
      const [middle, last] = [ratio(median(against), median(times)), ratio(worst(against), worst(times))];
      return `| ${name} | ${both(against)} | ${both(times)} | ${middle} | ${last} |`;
    }),
  ].join('\n');
}
