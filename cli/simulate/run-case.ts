import { kubeCluster } from '../../shared/adapters/kube-cluster';
import type { Config } from '../../shared/core/config/config';
import { clusterObjects } from '../../shared/core/manifests/cluster-objects';
import { seededRandom, seedFor } from '../../simulator/bus/seeded-random';
import { createSimulatedCluster, type SimulatedCluster } from '../../simulator/engine/simulated-cluster';
import { KINDS, NODE_POOLS } from '../../simulator/kube/kinds';
import { demoDeployment, demoNamespace } from '../../simulator/run/demo-workload';
import { HandlerHost } from '../../simulator/run/handler-host';
import { inProcessTransport } from '../../simulator/run/in-process-transport';
import { sandboxCatalogue, sandboxPools, zonesOf } from '../../simulator/run/sandbox-pools';
import { type NodeCount, Recorder, type Wait } from './recorder';
import type { Trace } from './trace';

/** Before the trace begins its first demand and the headroom of the moment find their nodes. */
const WARM_UP_MS = 30 * 60_000;

export interface CaseOptions {
  readonly seed: number;
  readonly nodeDelaySeconds: number;
  /** Whether Headstart runs at all. */
  readonly headroom: boolean;
}

/** What came of one simulated run. */
export interface CaseResult {
  /** The shortest first. */
  readonly waits: readonly Wait[];
  readonly nodeHours: number;
  readonly cost: number;
  readonly nodeCounts: readonly NodeCount[];
}

/** Replays a trace on a simulated cluster, with the real handlers where there is headroom. */
export async function runCase(config: Config, trace: Trace, options: CaseOptions): Promise<CaseResult> {
  const { seed, nodeDelaySeconds } = options;
  const start = trace.from - WARM_UP_MS;
  const cluster = createSimulatedCluster({
    seed,
    startTime: start,
    zones: zonesOf(config),
    catalog: sandboxCatalogue(config),
    nodeDelay: { kind: 'spread', medianSeconds: nodeDelaySeconds, spread: 0.2 },
  });
  const priceOf = (nodePool: string) => config.nodePools.find(({ name }) => name === nodePool)?.price;
  const recorder = new Recorder(trace.from, (node) => priceOf(node.nodePool) ?? node.pricePerHour);
  cluster.on((fact) => recorder.see(fact));
  for (const manifest of [...clusterObjects(config.cluster.namespace), demoNamespace(), ...sandboxPools(config)])
    apply(cluster, manifest);
  const host = options.headroom ? handlersOn(cluster, config, seed) : undefined;
  host?.deploy(config);
  await replay(cluster, trace, host, config);
  const { nodeHours, cost } = recorder.finish(trace.to);
  return { waits: [...recorder.waits].sort((a, b) => a.ms - b.ms), nodeHours, cost, nodeCounts: recorder.nodeCounts };
}

function handlersOn(cluster: SimulatedCluster, config: Config, seed: number): HandlerHost {
  const transport = inProcessTransport(cluster.api);
  return new HandlerHost({
    config,
    now: cluster.now,
    random: seededRandom(seedFor(seed, 'bus')),
    cluster: () => kubeCluster(transport, config.cluster.namespace),
    lateSchedules: true,
  });
}

/** Moves the time from one thing that is due to the next: demand, events, and the cluster's own. */
async function replay(
  cluster: SimulatedCluster,
  trace: Trace,
  host: HandlerHost | undefined,
  config: Config,
): Promise<void> {
  const first = new Map(trace.demands.filter(({ at }) => at === trace.from).map((demand) => [demand.pool, demand]));
  const rest = trace.demands.filter(({ at }) => at > trace.from);
  for (const { pool, pods } of first.values()) setDemand(cluster, config, pool, pods);
  let next = 0;
  for (;;) {
    const demandAt = rest[next]?.at ?? Number.POSITIVE_INFINITY;
    const at = Math.max(cluster.now(), Math.min(trace.to, demandAt, host?.bus.nextAt ?? Number.POSITIVE_INFINITY));
    cluster.advanceTo(at);
    for (; (rest[next]?.at ?? Number.POSITIVE_INFINITY) <= at; next += 1) {
      const demand = rest[next];
      if (demand) setDemand(cluster, config, demand.pool, demand.pods);
    }
    await host?.bus.runDue(at);
    if (at >= trace.to) return;
  }
}

function setDemand(cluster: SimulatedCluster, config: Config, poolName: string, pods: number): void {
  const pool = config.nodePools.find(({ name }) => name === poolName);
  const taints = cluster.store.get(NODE_POOLS, undefined, poolName)?.spec.template.spec.taints ?? [];
  if (pool) apply(cluster, demoDeployment(pool, pods, taints));
}

function apply(
  { api }: SimulatedCluster,
  manifest: { readonly kind: string; readonly metadata: { readonly name: string; readonly namespace?: string } },
): void {
  const kind = KINDS.find((one) => one.kind === manifest.kind);
  if (!kind) throw new Error(`the sandbox serves no ${manifest.kind}`);
  const { name, namespace } = manifest.metadata;
  api.apply(kind, { name, ...(namespace !== undefined && { namespace }) }, manifest, {
    fieldManager: 'headstart-simulate',
    force: true,
  });
}
