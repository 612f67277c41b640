import { onceMore } from '../functions/virtual-time';
import type { Cluster } from '../harness/cluster';
import { kwokNodeClass } from '../harness/manifests';
import type { PodStarts } from './pod-starts';
import { workPod } from './pods';
import { createPool, type Pool, settled } from './pool';

type Requests = Readonly<Record<string, string>>;

/** Nodes that stand ready for a peak, and the work of the peak, which comes all at once. */
export interface Step {
  readonly unit: { readonly node: Requests } | { readonly floor: { readonly cpu: number } };
  readonly nodes: number;
  readonly pods: number;
  readonly requests: Requests;
  /** So many nodes are full of work before, and the nodes for the peak are more than these. @default none */
  readonly baseline?: number;
  /** The work does not wait for the nodes, which take so long ("20s"). */
  readonly earlyBy?: string;
  /** @default types of four CPUs */
  readonly instanceTypes?: readonly string[];
}

export const FOUR_CPUS = ['c-4x-amd64-linux', 's-4x-amd64-linux', 'm-4x-amd64-linux'];
/** What the kwok provider's nodes of four CPUs and 8 GiB offer to pods. */
const WHOLE_NODE = { cpu: '3900m', memory: '8182Mi' };
const SIX_PODS = { nodes: 6, pods: 6, requests: { cpu: '3' } };
export const FLOOR = { floor: { cpu: 4 } };
/** Nodes of 16 pod slots, and pods that need little else. */
const SMALL = { nodes: 4, unit: { floor: { cpu: 1 } }, instanceTypes: ['c-1x-amd64-linux'], requests: { cpu: '1m' } };

/** The steps that are told by tests, and measured. */
export const STEPS = {
  'room for six pods': { ...SIX_PODS, unit: { node: { cpu: '3' } } },
  'floor of six nodes': { ...SIX_PODS, unit: FLOOR },
  'six nodes more than three full ones': { ...SIX_PODS, unit: FLOOR, baseline: 3 },
  'room, work comes before the nodes': { ...SIX_PODS, unit: { node: { cpu: '3' } }, earlyBy: '20s' },
  'floor, work comes before the nodes': { ...SIX_PODS, unit: FLOOR, earlyBy: '20s' },
  'floor, work of whole nodes': { nodes: 4, pods: 4, unit: FLOOR, requests: WHOLE_NODE },
  'floor, work that leaves one pod slot a node': { ...SMALL, pods: 4 * 15 },
  'floor, work that takes the last pod slot': { ...SMALL, pods: 4 * 16 },
} satisfies Readonly<Record<string, Step>>;

/** A step whose nodes stand ready, or are on their way where the work is to come early. */
export interface OpenStep {
  readonly pool: Pool;
  /** NodeClaims before anything is asked for. */
  readonly baseline: number;
  /** NodeClaims before the work comes. */
  readonly before: number;
  /** The work comes; how long after that each of its pods runs. */
  arrive(): Promise<readonly number[]>;
  /** NodeClaims once nothing has changed for so long. */
  after(quietMs: number): Promise<number>;
  remove(): Promise<void>;
}

/** Asks for the nodes and, where the work is not early, waits for them. */
export async function openStep(cluster: Cluster, starts: PodStarts, step: Step): Promise<OpenStep> {
  const { unit, nodes, baseline = 0, earlyBy, instanceTypes = FOUR_CPUS } = step;
  const slow = earlyBy === undefined ? undefined : kwokNodeClass(`starts-in-${earlyBy}`, earlyBy);
  if (slow) await cluster.admin.apply(slow);
  const pool = await createPool(cluster, {
    instanceTypes,
    ...(slow && { nodeClass: slow.metadata.name }),
    // A pod that preempted may wait for five minutes, as under PATIENCE_MS; meanwhile nothing may go.
    disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: 'Never' },
    headroom: (minute) => ({
      max: nodes,
      leadTime: '0m',
      unit,
      ...(baseline > 0 ? { schedules: [onceMore('peak', minute(0), minute(9), nodes)] } : { base: nodes }),
    }),
  });
  const namespace = `work-${pool.name}`;
  const run = async (name: string, count: number, requests: Requests, already: number) => {
    const since = performance.now();
    const running = starts.awaitRunning(namespace, already + count, since);
    const pods = Array.from({ length: count }, (_, index) => workPod(`${name}-${index}`, pool.name, requests));
    await starts.create(namespace, pods);
    return (await running).filter((ms) => ms > 0);
  };
  if (baseline > 0) await run('always', baseline, WHOLE_NODE, 0);
  const stood = (await pool.claims()).length;
  await pool.tick(0);
  if (!slow) await pool.awaitHeadroom(baseline + nodes);
  return {
    pool,
    baseline: stood,
    before: (await pool.claims()).length,
    arrive: () => run('peak', step.pods, step.requests, baseline),
    after: (quietMs) => settled(async () => (await pool.claims()).length, quietMs),
    remove: pool.remove,
  };
}
