import { setTimeout as sleep } from 'node:timers/promises';
import { heartbeat } from '../../test/cluster/functions/events';
import type { KubeObject } from '../../test/cluster/harness/api-client';
import { podDeletions } from '../../test/cluster/harness/audit';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { DEFAULT_NODE_CLASS, kwokNodeClass } from '../../test/cluster/harness/manifests';
import { eventually } from '../../test/cluster/harness/process/eventually';
import { type PodStarts, watchPodStarts } from '../../test/cluster/workload/pod-starts';
import { isRunning, type Pod } from '../../test/cluster/workload/pods';
import type { Pool } from '../../test/cluster/workload/pool';
import { fillNodes } from './full-nodes';
import { burst, CPU, LEFT_BEHIND_MS, openPool, REQUESTS } from './last-pods';

export const LONG_DELAY = '90s';
const PODS = 60;
const SLICES = { unit: { slice: REQUESTS }, count: PODS };
const FEW_SLICES = { unit: { slice: REQUESTS }, count: 20 };
/** Until so many bursts left pods behind, or so many were made. */
const [ENOUGH, AT_MOST] = [5, 42];
const POOLS_AT_ONCE = 7;
const MINUTE = 60_000;
/** Longer than kube-scheduler forgets a pod. */
const PATIENCE_MS = 6 * MINUTE;
const SETTLED_MS = 15_000;

interface Beat {
  readonly at: number;
  readonly endedAt: number;
  readonly deleted: number;
}

interface Followed {
  readonly leftBehind: number;
  readonly refillMs: number;
  readonly wokenMs: number;
  readonly lastMs: number;
  readonly readyMs: number;
  /** Whether the last pod ran by the end of the second heartbeat after the refill. */
  readonly inTime: boolean;
  /** Before the burst, with the refill, and in the end. */
  readonly nodes: readonly [number, number, number];
  readonly moved: number;
}

/** Bursts with heartbeats: when the pods that were left behind run; and what takes one at a time lead to. */
export async function measureWakeUps(cluster: Cluster): Promise<string> {
  await cluster.admin.apply(kwokNodeClass(DEFAULT_NODE_CLASS, LONG_DELAY));
  const starts = await watchPodStarts(cluster);
  try {
    const followed: (Followed | undefined)[] = [];
    const needed = () => followed.length < AT_MOST && followed.filter(Boolean).length < ENOUGH;
    while (needed()) {
      const pools = await Promise.all(Array.from({ length: POOLS_AT_ONCE }, () => openPool(cluster, SLICES)));
      try {
        for (const pool of pools) await pool.awaitHeadroom(PODS);
        for (const pool of pools) await fillNodes(cluster, pool.name, CPU);
        for (const pool of pools) {
          if (!needed()) break;
          followed.push(await follow(cluster, starts, pool));
          console.error(JSON.stringify(followed.at(-1) ?? 'none left behind'));
          await pool.headstart.invoke('inflate', { headroom: pool.name, exactly: 0, for: '2h' });
        }
      } finally {
        await Promise.all(pools.map((pool) => pool.remove()));
      }
    }
    const singles = await Promise.all([takes(cluster, 70_000, 9), takes(cluster, 20_000, 15)]);
    return [burstTable(followed), singlesTable(singles)].join('\n\n');
  } finally {
    starts.close();
  }
}

/** One burst, and what becomes of the pods that it leaves behind. */
async function follow(cluster: Cluster, starts: PodStarts, pool: Pool): Promise<Followed | undefined> {
  const before = (await pool.claims()).length;
  const since = performance.now();
  const ms = () => performance.now() - since;
  const beats = beatEvery(cluster, pool, since);
  try {
    const running = burst(starts, pool, PODS, PATIENCE_MS);
    await sleep(LEFT_BEHIND_MS);
    const leftBehind =
      PODS -
      (await pool.workPods()).filter(({ metadata, status }) => isWork(metadata.name) && status.phase === 'Running')
        .length;
    if (leftBehind === 0) return undefined;
    await pool.awaitHeadroom(PODS);
    const refillMs = ms();
    const nodesWithRefill = (await pool.claims()).length;
    const placed = places(await pool.workPods());
    const woken = await eventually(() => beats.made.find(({ deleted }) => deleted > 0), { timeoutMs: PATIENCE_MS });
    await pool.awaitHeadroom(PODS);
    const readyMs = ms() - woken.endedAt;
    const lastMs = Math.max(...(await running));
    await sleep(SETTLED_MS);
    const there = places(await pool.workPods());
    const second = beats.made.filter(({ at }) => at > refillMs)[1];
    return {
      leftBehind,
      refillMs,
      wokenMs: woken.at,
      lastMs,
      readyMs,
      inTime: lastMs <= (second?.endedAt ?? Number.POSITIVE_INFINITY) && lastMs <= refillMs + 2 * MINUTE,
      nodes: [before, nodesWithRefill, (await pool.claims()).length],
      moved: placed.filter((place) => !there.includes(place)).length,
    };
  } finally {
    await beats.stop();
  }
}

/** Heartbeats at the machine's time, the first after a minute. */
function beatEvery(cluster: Cluster, pool: Pool, since: number) {
  const made: Beat[] = [];
  let last = Promise.resolve();
  const beat = async () => {
    const [at, already] = [performance.now() - since, deletions(cluster, pool)];
    const now = Date.now();
    await pool.headstart.invoke('reconcile', heartbeat(now), now);
    made.push({ at, endedAt: performance.now() - since, deleted: deletions(cluster, pool) - already });
  };
  const timer = setInterval(() => {
    last = beat().catch((error) => console.error(`heartbeat of ${pool.name}: ${error}`));
  }, MINUTE);
  return {
    made,
    stop: () => {
      clearInterval(timer);
      return last;
    },
  };
}

/** Takes of one pod, so long apart; gives how many pause pods each heartbeat deleted. */
async function takes(cluster: Cluster, everyMs: number, count: number) {
  const pool = await openPool(cluster, FEW_SLICES);
  try {
    await pool.awaitHeadroom(FEW_SLICES.count);
    await fillNodes(cluster, pool.name, CPU);
    const beats = beatEvery(cluster, pool, performance.now());
    for (let take = 0; take < count; take += 1) {
      await pool.work(`pod-${take}`, REQUESTS);
      await sleep(everyMs);
    }
    await beats.stop();
    const events = await cluster.admin.list<KubeObject & { reason: string }>(
      `/apis/events.k8s.io/v1/namespaces/${pool.headstart.namespace}/events`,
    );
    const preempted = events.filter(({ reason }) => reason === 'Preempted').length;
    return { everyMs, count, preempted, deleted: beats.made.map(({ deleted }) => deleted) };
  } finally {
    await pool.remove();
  }
}

function deletions(cluster: Cluster, { headstart: { namespace } }: Pool): number {
  return podDeletions(cluster.logOf, namespace).filter((line) => line.includes(`by headstart-${namespace} `)).length;
}

function places(pods: readonly Pod[]): readonly string[] {
  return pods.filter(isRunning).map(({ metadata, spec }) => `${metadata.uid} on ${spec.nodeName}`);
}

function isWork(name: string): boolean {
  return !name.startsWith('filler-');
}

function burstTable(followed: readonly (Followed | undefined)[]): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const left = followed.filter((one) => one !== undefined);
  return [
    `${left.length} of ${followed.length} bursts left pods behind:`,
    '',
    '| pods left behind | refill there | wake-up | last pod | by the second heartbeat after the refill | ready again after the wake-up | nodes before, with the refill, in the end | work pods moved |',
    '|---|---|---|---|---|---|---|---|',
    ...left.map(({ leftBehind, refillMs, wokenMs, lastMs, inTime, readyMs, nodes, moved }) => {
      const times = [refillMs, wokenMs, lastMs].map(seconds).join(' | ');
      return `| ${leftBehind} | ${times} | ${inTime ? 'yes' : 'no'} | ${seconds(readyMs)} | ${nodes.join(', ')} | ${moved} |`;
    }),
  ].join('\n');
}

function singlesTable(rows: readonly Awaited<ReturnType<typeof takes>>[]): string {
  return [
    '| takes of one pod | pause pods preempted | heartbeats | pause pods deleted | most by one heartbeat |',
    '|---|---|---|---|---|',
    ...rows.map(({ everyMs, count, preempted, deleted }) => {
      const sum = deleted.reduce((total, one) => total + one, 0);
      return `| ${count}, ${everyMs / 1000} s apart | ${preempted} | ${deleted.length} | ${sum} | ${Math.max(0, ...deleted)} |`;
    }),
  ].join('\n');
}
