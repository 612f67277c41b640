import { onceMore } from '../functions/virtual-time';
import type { KubeObject } from '../harness/api-client';
import { eventually } from '../harness/process/eventually';
import { isRunning, type Pod } from './pods';
import { type NodeClaim, PATIENCE_MS, type Pool, type PoolOptions, settled } from './pool';
import { FLOOR, FOUR_CPUS } from './step';

/** Creates a pool; who tells the story removes it. */
export type CreatePool = (options: PoolOptions) => Promise<Pool>;

export const NINE_TYPES = [4, 8, 16].flatMap((size) =>
  ['c', 's', 'm'].map((family) => `${family}-${size}x-amd64-linux`),
);
export const AT_ONCE = {
  consolidationPolicy: 'WhenEmptyOrUnderutilized',
  consolidateAfter: '0s',
  budgets: [{ nodes: '100%' }],
};
export const TWO_MINUTES = 120_000;
export const patience = { timeoutMs: PATIENCE_MS, intervalMs: 500 };

export const floorOf = (nodes: number) => () => ({ base: nodes, max: nodes, unit: FLOOR });
export const namesOf = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name).sort();
export const uidsOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.uid).sort();
export const nodesOf = (claims: readonly NodeClaim[]) => claims.map(({ status }) => status.nodeName ?? '').sort();

/** Waits until so many pods of work run. */
export function running({ workPods }: Pool, count: number): Promise<readonly Pod[]> {
  return eventually(async () => {
    const pods = (await workPods()).filter(isRunning);
    return pods.length === count && pods;
  }, patience);
}

/** Work that is too large for the nodes of a floor of four comes, under the same consolidation. */
export async function floorAndLargeWork(create: CreatePool) {
  const pool = await create({ instanceTypes: NINE_TYPES, disruption: AT_ONCE, headroom: floorOf(4) });
  await pool.tick(0);
  await pool.awaitHeadroom(4);
  const before = namesOf(await pool.claims());
  await pool.work('large', { cpu: '12' });
  const work = await running(pool, 1);
  const after = await settled(async () => namesOf(await pool.claims()), TWO_MINUTES);
  await pool.awaitHeadroom(4);
  return { pool, before, after, work };
}

/** A window adds three nodes to one with work, work comes to one of them, and the window ends. */
export async function endOfWindow(create: CreatePool) {
  const pool = await create({
    instanceTypes: FOUR_CPUS,
    // With WhenEmptyOrUnderutilized Karpenter may move work to a node that has just become empty.
    disruption: { ...AT_ONCE, consolidationPolicy: 'WhenEmpty' },
    headroom: (minute) => ({
      max: 3,
      leadTime: '0m',
      unit: FLOOR,
      schedules: [onceMore('peak', minute(1), minute(3), 3)],
    }),
  });
  await pool.work('always', { cpu: '3' });
  await running(pool, 1);
  await pool.tick(1);
  await pool.awaitHeadroom(4);
  await pool.work('peak', { cpu: '3' });
  const work = await running(pool, 2);
  const before = nodesOf(await pool.claims());
  await pool.tick(3);
  await pool.awaitHeadroom(0);
  await eventually(async () => (await pool.claims()).length === 2, patience);
  const after = await settled(async () => nodesOf(await pool.claims()), 30_000);
  return { pool, before, after, work };
}
