import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUNDLE_FILE } from '../../infra/bundling/bundling';
import { startCloudWatch } from '../../test/cluster/functions/cloudwatch';
import { alarmChange, batch, heartbeat, spotWarning } from '../../test/cluster/functions/events';
import { type FunctionName, type FunctionProcess, startFunction } from '../../test/cluster/functions/function-process';
import { type Installation, install } from '../../test/cluster/functions/installation';
import { addInstances, removeInstances } from '../../test/cluster/functions/instances';
import { onceWindow, virtualTime } from '../../test/cluster/functions/virtual-time';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { workDeployment } from '../../test/cluster/workload/pods';
import { FLOORS, floorVariants } from '../functions/bundles';
import { median, ratio, time } from './statistics';

const WARM_ROUNDS = 40;
const COLD_ROUNDS = 10;
/** The controllers write to a Deployment after each change, and a write that meets theirs has to be done again. */
const SETTLE_MS = 300;
const LOWER_BOUND = 'lower bound: one PATCH';
/** Other bundles to measure in turn with ours, such as those of the release before. */
const { BENCH_BEFORE } = process.env;

const tick = (at: number) => ({ event: heartbeat(at), at });

/** One way to make a change, and the event of each round that makes it. */
interface Contestant {
  readonly name: string;
  start(): Promise<FunctionProcess>;
  event(round: number): { readonly event: unknown; readonly at?: number };
}

/** From an event to the written replicas, warm and cold, against one bare PATCH to the same apiserver. */
export async function measureHandlers(cluster: Cluster): Promise<string> {
  const cloudwatch = await startCloudWatch();
  await addInstances(cluster, 'bench-plain', ['i-0bench']);
  const installed: Installation[] = [];
  const contestants: Contestant[] = [];
  try {
    for (const bundles of BENCH_BEFORE ? [undefined, BENCH_BEFORE] : [undefined]) {
      const { plain, functions } = await functionsOf(cluster, cloudwatch, installed, bundles);
      if (bundles === undefined) contestants.push(...(await floorsOf(cluster, plain)));
      contestants.push(...functions.map((one) => (bundles ? { ...one, name: `${one.name} (before)` } : one)));
    }
    const warm = await warmTimes(contestants);
    const cold = await coldTimes(contestants);
    return table(contestants, warm, cold);
  } finally {
    await Promise.all(installed.map((one) => one.remove()));
    await removeInstances(cluster, 'bench-plain');
    await cloudwatch.close();
  }
}

/** The deployed functions, each with what changes its NodePool's size in every round. */
async function functionsOf(
  cluster: Cluster,
  cloudwatch: Awaited<ReturnType<typeof startCloudWatch>>,
  installed: Installation[],
  bundles: string | undefined,
): Promise<{ plain: Installation; functions: readonly Contestant[] }> {
  const minute = virtualTime();
  const plain = await install(cluster, {
    bundles,
    nodePools: {
      'bench-plain': {
        max: 5,
        leadTime: '0m',
        schedules: [onceWindow('peak', minute(12), minute(13), 1)],
        interruptions: { hold: '1s' },
      },
    },
  });
  installed.push(plain);
  const watching = await install(cluster, {
    bundles,
    cloudwatch: cloudwatch.url,
    nodePools: { 'bench-alarm': { max: 5, alarms: [{ alarmName: 'busy', add: 1, hold: '1s' }] } },
  });
  installed.push(watching);
  // Four seconds apart, so that what the round before recorded has expired.
  const at = (round: number) => minute(0) + round * 4000;
  const functions: Contestant[] = [
    functionOf(plain, 'reconcile', (round) => tick(minute(12) + (round % 2 === 0 ? 10_000 : -10_000))),
    {
      ...functionOf(plain, 'reconcile', (round) => tick(minute(12) + (round % 2 === 0 ? -45_000 : 45_000))),
      name: 'reconcile, after a pause of 90 s',
    },
    functionOf(watching, 'alarm', (round) => {
      const [state, before] = round % 2 === 0 ? (['ALARM', 'OK'] as const) : (['OK', 'ALARM'] as const);
      cloudwatch.setAlarm('busy', state, at(round));
      return { event: alarmChange('busy', state, before, at(round)), at: at(round) + 2000 };
    }),
    functionOf(plain, 'interruption', (round) => {
      const id = round % 2 === 0 ? 'i-0bench' : 'i-0elsewhere';
      return { event: batch(spotWarning(id, at(round))), at: at(round) };
    }),
    functionOf(plain, 'inflate', (round) => ({
      event: { headroom: 'bench-plain', exactly: 2 + (round % 2), for: '1s' },
      at: at(round),
    })),
  ];
  return { plain, functions };
}

type Times = ReadonlyMap<string, readonly number[]>;

/** In turn, so that whatever else the machine does meets all of them alike. */
async function warmTimes(contestants: readonly Contestant[]): Promise<Times> {
  const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  const processes = await Promise.all(contestants.map(({ start }) => start()));
  for (let round = 0; round < WARM_ROUNDS + 4; round += 1) {
    for (const [index, { name, event }] of contestants.entries()) {
      const { event: sent, at } = event(round);
      await sleep(SETTLE_MS);
      const answer = await processes[index]?.invoke(sent, at);
      if (answer && round >= 4) times.get(name)?.push(answer.tookMs);
    }
  }
  await Promise.all(processes.map((one) => one.stop()));
  return times;
}

async function coldTimes(contestants: readonly Contestant[]): Promise<Times> {
  const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = WARM_ROUNDS + 4; round < WARM_ROUNDS + 4 + COLD_ROUNDS; round += 1) {
    for (const { name, start, event } of contestants) {
      const { event: sent, at } = event(round);
      await sleep(SETTLE_MS);
      const began = performance.now();
      const process = await start();
      await process.invoke(sent, at);
      times.get(name)?.push(performance.now() - began);
      await process.stop();
    }
  }
  return times;
}

function functionOf(headstart: Installation, name: FunctionName, event: Contestant['event']): Contestant {
  return { name, start: () => headstart.start(name), event };
}

/** What is below every function: one call, and processes that make none. */
async function floorsOf(cluster: Cluster, { namespace }: Installation): Promise<readonly Contestant[]> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await cluster.admin.send('POST', path, workDeployment('floor', 'nowhere', { cpu: '1' }, 0));
  const { cert, key } = await cluster.issueClient('floor', ['system:masters']);
  const environment = {
    FLOOR_URL: `${cluster.server}${path}/floor`,
    FLOOR_CA: cluster.ca,
    FLOOR_CERT: cert,
    FLOOR_KEY: key,
  };
  const patch = {
    name: LOWER_BOUND,
    start: () => startFunction(join(__dirname, 'floor.mjs'), { environment }),
    event: (round: number) => ({ event: { replicas: round % 2 } }),
  };
  const idle = floorVariants(join(cluster.folder, 'floors')).filter(({ name }) => name !== FLOORS.bare);
  const processes = idle.map(({ name, folder }) => ({
    name,
    start: () => startFunction(join(folder, BUNDLE_FILE), { environment: {} }),
    event: () => ({ event: {} }),
  }));
  return [...processes, patch];
}

function table(contestants: readonly Contestant[], warm: Times, cold: Times): string {
  const middle = (times: Times, name: string) => median(times.get(name) ?? []);
  const [warmFloor, coldFloor] = [middle(warm, LOWER_BOUND), middle(cold, LOWER_BOUND)];
  return [
    '| function | warm | vs. lower bound | cold process | vs. lower bound |',
    '|---|---|---|---|---|',
    ...contestants.map(({ name }) => {
      const [w, c] = [middle(warm, name), middle(cold, name)];
      return `| ${name} | ${time(w)} | ${ratio(w, warmFloor)} | ${time(c)} | ${ratio(c, coldFloor)} |`;
    }),
  ].join('\n');
}
