import { setTimeout as sleep } from 'node:timers/promises';
import { heartbeat } from '../../test/cluster/functions/events';
import { install } from '../../test/cluster/functions/installation';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { openGateway } from '../../test/cluster/harness/gateway';
import { type OpenApiserver, openApiserver } from '../../test/cluster/workload/open-apiserver';
import { type PodStarts, watchPodStarts } from '../../test/cluster/workload/pod-starts';
import type { Pool } from '../../test/cluster/workload/pool';
import { preemptionsIn, unitsIn, victimsIn } from '../../test/cluster/workload/takes';
import { fillNodes } from './full-nodes';
import { burst, CPU, openPool, REQUESTS } from './last-pods';
import { createNodePools } from './node-pools';
import { median, time, worst } from './statistics';

const BURSTS = [60, 60, 60, 60, 200, 200];
/** More often than heartbeats come, so that several meet every burst. */
const BEAT_MS = 5_000;
const GIVEN_UP_MS = 35_000;
const SETTLED_MS = 20_000;
const ROUNDS = 15;
const SLICES = 2;
const MINUTE = 60_000;
const LATER_MS = 3 * MINUTE;

interface PreemptedEvent {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly reason: string;
  readonly eventTime: string;
}

/** How exactly bursts are counted, and what reading Events costs a heartbeat. */
export async function measureTakes(cluster: Cluster): Promise<string> {
  const starts = await watchPodStarts(cluster);
  const apiserver = await openApiserver(cluster);
  const late = watchLateness(apiserver);
  try {
    const rows: string[] = [];
    for (const pods of BURSTS) {
      rows.push(await countBurst(cluster, starts, late, pods));
      console.error(rows.at(-1));
    }
    return [
      '| pods at once | pause pods that kube-scheduler deleted | Preempted Events | pause pods in them | latest Event written after | counted | heartbeats that counted |',
      '|---|---|---|---|---|---|---|',
      ...rows,
      '',
      await costs(cluster),
    ].join('\n');
  } finally {
    starts.close();
    apiserver.close();
  }
}

/** How long after its own time each Event could be read, by namespace. */
function watchLateness(apiserver: OpenApiserver): ReadonlyMap<string, readonly number[]> {
  const late = new Map<string, number[]>();
  apiserver.watch<PreemptedEvent>('/apis/events.k8s.io/v1/events?watch=true&fieldSelector=reason%3DPreempted', note);
  function note({ type, object }: { readonly type: string; readonly object: PreemptedEvent }): void {
    const { namespace } = object.metadata;
    if (type !== 'ADDED') return;
    late.set(namespace, [...(late.get(namespace) ?? []), Date.now() - Date.parse(object.eventTime)]);
  }
  return late;
}

/** A burst on as many slices, with heartbeats at the machine's time. */
async function countBurst(
  cluster: Cluster,
  starts: PodStarts,
  late: ReadonlyMap<string, readonly number[]>,
  pods: number,
): Promise<string> {
  const pool = await openPool(cluster, { unit: { slice: REQUESTS }, count: pods });
  try {
    await pool.awaitHeadroom(pods);
    await fillNodes(cluster, pool.name, CPU);
    await sleep(SETTLED_MS);
    const stop = beatEvery(pool);
    await burst(starts, pool, pods, GIVEN_UP_MS);
    await sleep(SETTLED_MS);
    await stop();
    const lines = pool.headstart.linesOf('reconcile');
    const written = late.get(pool.headstart.namespace) ?? [];
    const cells = [
      pods,
      victimsIn(cluster, pool).length,
      written.length,
      (await preemptionsIn(cluster, pool)).length,
      time(worst(written)),
      unitsIn(lines),
      lines.filter(({ TakenHeadroom }) => TakenHeadroom !== undefined).length,
    ];
    return `| ${cells.join(' | ')} |`;
  } finally {
    await pool.remove();
  }
}

function beatEvery({ headstart }: Pool): () => Promise<void> {
  let stopped = false;
  const beats = (async () => {
    while (!stopped) {
      const now = Date.now();
      await headstart.invoke('reconcile', heartbeat(now), now);
      await sleep(BEAT_MS);
    }
  })();
  return () => {
    stopped = true;
    return beats;
  };
}

/** What a heartbeat asks the apiserver for, without room, with it, and with Events. */
async function costs(cluster: Cluster): Promise<string> {
  const rows = [
    await cost(cluster, 'no room', 0, 0, 0),
    await cost(cluster, 'room, no Event', SLICES, 0, 0),
    await cost(cluster, 'room, 60 Events of a burst a minute ago', SLICES, 60, MINUTE),
    await cost(cluster, 'room, 60 Events of half an hour ago', SLICES, 60, 30 * MINUTE),
    await cost(cluster, 'room, 600 Events of half an hour ago', SLICES, 600, 30 * MINUTE),
  ];
  return ['| heartbeat without a change | API calls | bytes read | median |', '|---|---|---|---|', ...rows].join('\n');
}

async function cost(cluster: Cluster, name: string, base: number, events: number, ageMs: number): Promise<string> {
  const nodePool = `takes-${base}-${events}-${ageMs / MINUTE}`;
  await createNodePools(cluster, [nodePool]);
  const gateway = await openGateway(cluster);
  const nodePools = { [nodePool]: { base, max: SLICES, unit: { slice: REQUESTS } } };
  const headstart = await install(cluster, { nodePools });
  try {
    for (let index = 0; index < events; index += 1)
      await cluster.admin.send(
        'POST',
        `/apis/events.k8s.io/v1/namespaces/${headstart.namespace}/events`,
        preemptedEvent(headstart.namespace, nodePool, index, ageMs),
      );
    // Later than Events are looked for where there is no room.
    const now = () => Date.now() + LATER_MS;
    const beat = () => headstart.invoke('reconcile', heartbeat(now()), now());
    // The first one creates, the second counts what there is.
    await beat();
    await beat();
    const process = await headstart.start('reconcile');
    const answers: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      answers.push((await process.invoke(heartbeat(now()), now())).tookMs);
    await headstart.deploy(nodePools, gateway.url);
    await beat();
    const lists = gateway.calls.map(({ url }) => url.replace(/\?.*/, '').replace(/.*\//, ''));
    const bytes = gateway.calls.reduce((sum, call) => sum + (call.bytes ?? 0), 0);
    const calls = `${lists.length}: ${lists.sort().join(', ')}`;
    return `| ${name} | ${calls} | ${(bytes / 1000).toFixed(1)} KB | ${time(median(answers.slice(5)))} |`;
  } finally {
    await headstart.remove();
    await gateway.close();
  }
}

/** As kube-scheduler writes it. */
function preemptedEvent(namespace: string, headroom: string, index: number, ageMs: number) {
  const victim = `headroom-${headroom}-7c9d4bd6b5-${index.toString(36).padStart(5, 'x')}`;
  const at = new Date(Date.now() + LATER_MS - ageMs - index * 100).toISOString().replace('Z', '123Z');
  return {
    metadata: { name: `${victim}.${index.toString(16).padStart(16, '0')}`, namespace },
    eventTime: at,
    reportingController: 'default-scheduler',
    reportingInstance: 'default-scheduler-ip-10-0-0-1',
    action: 'Preempting',
    reason: 'Preempted',
    regarding: { apiVersion: 'v1', kind: 'Pod', name: victim, namespace, uid: `uid-of-${victim}` },
    related: { apiVersion: 'v1', kind: 'Pod', name: `work-${index}`, namespace: 'shop', uid: `uid-of-work-${index}` },
    note: `Preempted by pod uid-of-work-${index} on node ip-10-0-0-${index % 250}`,
    type: 'Normal',
  };
}
