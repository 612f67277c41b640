import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../test/cluster/harness/build/build';
import { VERSIONS } from '../../test/cluster/harness/build/versions';
import { type Cluster, startCluster } from '../../test/cluster/harness/cluster';
import { sweepAbandoned } from '../../test/cluster/harness/sweep';
import { median, time, worst } from '../cluster/statistics';
import { machineFacts, writeSection } from '../results';
import { buildKeda, KEDA_VERSION } from './build-keda';
import { awaitReaction, type Contestant, createContestants, PREPARATION_MS, type Reaction } from './keda-windows';
import type { Window } from './manifests';
import { prepareOwnWindow } from './own-window';
import { startKeda } from './start-keda';
import { watchReplicas } from './watch-replicas';

const MINUTE_MS = 60_000;
const REPLICAS = 10;

/** How all answered to one edge of the window. */
interface Edge {
  readonly keda: readonly (Contestant & Reaction)[];
  readonly warmMs: number;
  readonly coldMs: number;
}

/** Lets KEDA and Headstart open and close the same window on one cluster and writes down when they did. */
export async function measureKeda(): Promise<void> {
  const report = (message: string) => console.error(message);
  await build(report);
  const keda = await buildKeda(report);
  await sweepAbandoned();
  const cluster = await startCluster({ karpenter: false });
  try {
    await startKeda(cluster, keda);
    await measureWindow(cluster, report);
  } finally {
    await cluster.stop();
  }
}

async function measureWindow(cluster: Cluster, report: (message: string) => void): Promise<void> {
  const from = Math.ceil((Date.now() + PREPARATION_MS) / MINUTE_MS) * MINUTE_MS;
  const window: Window = { from, to: from + 2 * MINUTE_MS, replicas: REPLICAS };
  const watch = await watchReplicas(cluster);
  const own = await prepareOwnWindow(cluster, watch, window);
  const contestants = await createContestants(cluster, window);
  const edge = async (at: number, ours: number, wanted: (contestant: Contestant) => number): Promise<Edge> => {
    if (Date.now() > at)
      throw new Error(`the window's edge came before everything was ready: ${new Date(at).toJSON()}`);
    const ticks = await ownTicks(at, ours);
    const keda = contestants.map(async (one) => ({ ...one, ...(await awaitReaction(watch, one, at, wanted(one))) }));
    return { ...ticks, keda: await Promise.all(keda) };
  };
  const ownTicks = async (at: number, wanted: number) => {
    await sleepUntil(at);
    return { warmMs: await own.tickWarm(wanted), coldMs: await own.tickCold(wanted) };
  };
  try {
    const opened = await edge(window.from, REPLICAS, () => REPLICAS);
    writeSection('keda', page(opened));
    report(table(opened));
    const closed = await edge(window.to, 0, ({ least }) => least);
    writeSection('keda', page(opened, closed));
    report(table(opened, closed));
  } finally {
    await own.remove();
    watch.close();
  }
}

async function sleepUntil(at: number): Promise<void> {
  // Timers may fire a little early.
  while (Date.now() < at) await sleep(at - Date.now());
}

function table(opened: Edge, closed?: Edge): string {
  const notMeasured = 'not measured';
  const kedaRow = (least: number) => {
    const of = (edge: Edge | undefined, figure: keyof Reaction) => {
      const figures = edge?.keda.filter((one) => one.least === least).map((one) => one[figure]);
      return figures === undefined
        ? notMeasured
        : `${time(Math.min(...figures))}, ${time(median(figures))}, ${time(worst(figures))}`;
    };
    return `| KEDA, ${least} → ${REPLICAS} | ${of(opened, 'firstMs')} | ${of(opened, 'fullMs')} | ${of(closed, 'firstMs')} | ${of(closed, 'fullMs')} |`;
  };
  const ownRow = (name: string, figure: 'warmMs' | 'coldMs') => {
    const [open, close] = [time(opened[figure]), closed === undefined ? notMeasured : time(closed[figure])];
    return `| Headstart, 0 → ${REPLICAS}, ${name}, after its tick | ${open} | ${open} | ${close} | ${close} |`;
  };
  return [
    `| | start → first change | start → all ${REPLICAS} | end → first change | end → back |`,
    '|---|---|---|---|---|',
    kedaRow(0),
    kedaRow(1),
    ownRow('warm', 'warmMs'),
    ownRow('cold process', 'coldMs'),
    '| EventBridge Scheduler, edge → tick (not measured) | 0–59 s | 0–59 s | 0–59 s | 0–59 s |',
  ].join('\n');
}

function page(opened: Edge, closed?: Edge): string {
  return `## The same window, opened by KEDA

\`npm run bench -- keda\`, ${machineFacts()}. Kubernetes ${VERSIONS.kubernetes} and KEDA ${KEDA_VERSION} run as plain processes on this machine. All use the same two-minute window, opened and closed once, on one cluster. The figures measure \`spec.replicas\` of the Deployment as a watch shows it; pods are not scheduled.

KEDA's cron scaler runs with its defaults: it polls every 30 s, leaves scaling from one replica on to the HorizontalPodAutoscaler (every 15 s), and scales down after a cooldown, or a stabilization window, of 300 s. Each row shows the minimum, median and maximum of three ScaledObjects, created 10 s apart so that they meet the edge in different phases. Headstart is the deployed \`reconcile\` bundle, once per edge; its times count from its tick.

${table(opened, closed)}

On AWS, EventBridge Scheduler sends the tick, with a precision of one minute: 0–59 s after the edge. Add this to each of Headstart's figures; it is AWS's documented precision and was not measured here. KEDA has no such delay, because it runs in the cluster. After its tick Headstart writes the whole number at once. The HorizontalPodAutoscaler goes to four and then at most doubles every 15 s, so a larger window takes KEDA longer.`;
}
