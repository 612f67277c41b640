import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../test/cluster/harness/build/build';
import { VERSIONS } from '../../test/cluster/harness/build/versions';
import { type Cluster, startCluster } from '../../test/cluster/harness/cluster';
import { sweepAbandoned } from '../../test/cluster/harness/sweep';
import {
  type CreatePool,
  endOfWindow,
  floorAndLargeWork,
  running,
  uidsOf,
} from '../../test/cluster/workload/floor-stories';
import { watchPodStarts } from '../../test/cluster/workload/pod-starts';
import { createPool } from '../../test/cluster/workload/pool';
import { type OpenStep, openStep, STEPS, type Step } from '../../test/cluster/workload/step';
import { machineFacts, writeSection } from '../results';
import { idleFloor, lostNode } from './floor-stories';
import { median, time, worst } from './statistics';

const NODE_DELAY = '50s';
/** Karpenter looks around every 10 s and checks what it found 15 s later; a refill waits for its nodes besides. */
const QUIET_MS = 75_000;
const REST_MS = 5000;

/** Tells all stories of floors on one cluster and writes them down. */
export async function measureFloors(): Promise<void> {
  await build((message) => console.error(message));
  await sweepAbandoned();
  const cluster = await startCluster({ karpenter: true, nodeDelay: NODE_DELAY });
  try {
    const steps = await measureSteps(cluster);
    console.error(steps);
    const stories = await measureStories(cluster);
    console.error(stories);
    writeSection('floors', page(steps, stories));
  } finally {
    await cluster.stop();
  }
}

async function measureSteps(cluster: Cluster): Promise<string> {
  const starts = await watchPodStarts(cluster);
  const steps = Object.entries<Step>(STEPS);
  const ready = steps.filter(([, { earlyBy }]) => earlyBy === undefined);
  const open = async ([name, step]: [string, Step]) => [name, await openStep(cluster, starts, step)] as const;
  const opened = new Map<string, OpenStep>(await Promise.all(ready.map(open)));
  const told: { name: string; step: Step; open: OpenStep; times: readonly number[] }[] = [];
  // In turn, so that no burst shares the machine with another.
  for (const [name, step] of steps) {
    await sleep(REST_MS);
    const found = opened.get(name) ?? (await openStep(cluster, starts, step));
    told.push({ name, step, open: found, times: await found.arrive() });
  }
  const rows = await Promise.all(
    told.map(async ({ name, step, open: { baseline, before, after }, times }) => {
      const claims = [...(step.baseline ? [baseline] : []), before, await after(QUIET_MS)];
      return `| ${name}; ${step.pods} pods | ${claims.join(' → ')} | ${time(median(times))}, ${time(worst(times))} |`;
    }),
  );
  starts.close();
  await Promise.all(told.map(({ open: { pool } }) => pool.headstart.remove()));
  return [
    '| headroom; work that comes at once | NodeClaims | work Running after: median, worst |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

async function measureStories(cluster: Cluster): Promise<string> {
  const create: CreatePool = (options) => createPool(cluster, options);
  const [idle, large, lost, ended] = await Promise.all([
    idleFloor(create),
    floorAndLargeWork(create),
    lostNode(create, cluster),
    endOfWindow(create),
  ]);
  const stays = async ({ pool, work }: typeof large | typeof ended) => {
    const left = uidsOf(await running(pool, work.length));
    return left.join() === uidsOf(work).join() ? 'the work runs on, untouched' : 'the work was moved';
  };
  const { length: kept } = large.after.filter((name) => large.before.includes(name));
  const rows = [
    [
      'floor of 6, consolidated after 0s, nine instance types, two minutes',
      idle,
      `${idle.sets} set of NodeClaims seen`,
    ],
    ['the same, floor of 4; work of 12 CPUs comes', large, `${kept} of the 4 stay; ${await stays(large)}`],
    ['floor of 3, one node vanishes', lost, `all 3 ready again after ${time(lost.tookMs)}`],
    ['3 nodes more than one with work; work comes to one of them; the window ends', ended, await stays(ended)],
  ] as const;
  await Promise.all(rows.map(([, { pool }]) => pool.headstart.remove()));
  return [
    '| story | NodeClaims | |',
    '|---|---|---|',
    ...rows.map(([name, { before, after }, seen]) => `| ${name} | ${before.length} → ${after.length} | ${seen} |`),
  ].join('\n');
}

function page(steps: string, stories: string): string {
  return `## What a peak costs: room and floors

\`npm run bench -- floor\`, ${machineFacts()}. Kubernetes ${VERSIONS.kubernetes} and Karpenter ${VERSIONS.karpenter}, real; kubelets and the node delay of ${NODE_DELAY} are simulated (20s where work comes early). The stories are those of \`test/cluster/floors.test.ts\` and \`floor-life.test.ts\`. All figures are from one run. NodeClaims are counted before the work comes, and after ${QUIET_MS / 1000} s without a change; a first figure of three is the baseline.

${steps}

Karpenter provisions room again when work takes it, but not a floor, because work lands beside it. If work takes a node's last pod slot, use nodes with more slots (16 here; on EKS prefix delegation or a larger \`maxPods\`), or run one pod less per node. A node that vanishes without notice is found by Karpenter's garbage collection, every two minutes; its replacement takes the node delay. In the last story the NodePool consolidates \`WhenEmpty\`: with \`WhenEmptyOrUnderutilized\` and \`0s\` Karpenter may move work to another node at that moment, which was seen in one run of three.

${stories}`;
}
