import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { DEFAULT_NODE_CLASS, kwokNodeClass } from '../../test/cluster/harness/manifests';
import { type PodStarts, watchPodStarts } from '../../test/cluster/workload/pod-starts';
import { workPod } from '../../test/cluster/workload/pods';
import { createPool, type Pool } from '../../test/cluster/workload/pool';
import { fillNodes } from './full-nodes';
import { median, time } from './statistics';

export const NODE_DELAY = '20s';
/** A pod that is Pending for longer was left behind: preemption takes a few seconds. */
export const LEFT_BEHIND_MS = 30_000;
const GIVEN_UP_MS = 35_000;
const REST_MS = 4_000;
/** Their nodes come at the same time. */
const POOLS_AT_ONCE = 10;
export const CPU = 0.5;
export const REQUESTS = { cpu: '500m' };
/** How many pods of the burst fit on a node of eight CPUs. */
const PER_NODE = 15;

interface Story {
  readonly name: string;
  readonly isRoom: boolean;
  readonly unit: object;
  readonly count: number;
  readonly pods: number;
  readonly bursts: number;
}

const slices = (each: number, pods: number, bursts: number): Story => ({
  name: each === 1 ? 'slices of 1 pod' : `slices of ${each} pods`,
  isRoom: true,
  unit: { slice: { cpu: `${each * CPU * 1000}m` } },
  count: Math.ceil(pods / each),
  pods,
  bursts,
});
const STORIES: readonly Story[] = [
  ...[1, 2, 4, 8].map((each) => slices(each, 60, 10)),
  ...[20, 200].flatMap((pods) => [1, 4].map((each) => slices(each, pods, 3))),
  {
    name: 'node units',
    isRoom: true,
    unit: { node: { cpu: `${PER_NODE * CPU * 1000}m` } },
    count: 4,
    pods: 60,
    bursts: 3,
  },
  { name: 'floor', isRoom: false, unit: { floor: { cpu: 8 } }, count: 4, pods: 60, bursts: 3 },
];

/** Bursts on headroom of several shapes: the median pod, the last one, and how many were left behind. */
export async function measureLastPods(cluster: Cluster): Promise<string> {
  await cluster.admin.apply(kwokNodeClass(DEFAULT_NODE_CLASS, NODE_DELAY));
  const starts = await watchPodStarts(cluster);
  try {
    const rows: string[] = [];
    for (const story of STORIES) {
      const bursts: (readonly number[])[] = [];
      while (bursts.length < story.bursts)
        bursts.push(...(await someBursts(cluster, starts, story, story.bursts - bursts.length)));
      rows.push(row(story, bursts));
      console.error(rows.at(-1));
    }
    return [
      '| headroom | pods at once | bursts | median pod | last pod | bursts that left pods behind | pods left behind |',
      '|---|---|---|---|---|---|---|',
      ...rows,
    ].join('\n');
  } finally {
    starts.close();
  }
}

/** In NodePools of their own, one after the other. */
async function someBursts(cluster: Cluster, starts: PodStarts, story: Story, most: number) {
  const pools = await Promise.all(
    Array.from({ length: Math.min(most, POOLS_AT_ONCE) }, () => openPool(cluster, story)),
  );
  const times: (readonly number[])[] = [];
  try {
    for (const pool of pools) await pool.awaitHeadroom(story.count);
    // A floor leaves its nodes free.
    if (story.isRoom) for (const pool of pools) await fillNodes(cluster, pool.name, CPU);
    for (const pool of pools) {
      await sleep(REST_MS);
      times.push(await burst(starts, pool, story.pods, GIVEN_UP_MS));
      // No refill that would disturb the next one.
      await pool.headstart.invoke('inflate', { headroom: pool.name, exactly: 0, for: '30m' }, pool.minute(1));
    }
    return times;
  } finally {
    await Promise.all(pools.map((pool) => pool.remove()));
  }
}

/** A NodePool whose headroom has been requested. */
export async function openPool(cluster: Cluster, { unit, count }: Pick<Story, 'unit' | 'count'>): Promise<Pool> {
  const pool = await createPool(cluster, {
    disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: 'Never' },
    headroom: () => ({ base: count, max: count, unit }),
  });
  await pool.tick(0);
  return pool;
}

/** Creates so many pods at once and gives how long after that each runs. */
export async function burst(starts: PodStarts, { name }: Pool, count: number, giveUpMs: number) {
  const pods = Array.from({ length: count }, (_, index) => workPod(`pod-${index}`, name, REQUESTS));
  const running = starts.awaitRunning(`work-${name}`, count, performance.now(), giveUpMs);
  await starts.create(`work-${name}`, pods);
  return running;
}

function row({ name, pods }: Story, bursts: readonly (readonly number[])[]): string {
  const leftBehind = bursts.map((times) => times.filter((ms) => ms > LEFT_BEHIND_MS).length);
  const cells = [
    name,
    pods,
    bursts.length,
    withRange(bursts.map(median)),
    withRange(bursts.map((times) => Math.max(...times))),
    `${leftBehind.filter((count) => count > 0).length} of ${bursts.length}`,
    leftBehind.reduce((sum, count) => sum + count, 0),
  ];
  return `| ${cells.join(' | ')} |`;
}

function withRange(times: readonly number[]): string {
  const shown = (ms: number) => (ms > LEFT_BEHIND_MS ? '> 30 s' : time(ms));
  return `${shown(median(times))} (${shown(Math.min(...times))} – ${shown(Math.max(...times))})`;
}
