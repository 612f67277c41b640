import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { eventually } from '../../test/cluster/harness/process/eventually';
import {
  AT_ONCE,
  type CreatePool,
  floorOf,
  NINE_TYPES,
  namesOf,
  patience,
  TWO_MINUTES,
} from '../../test/cluster/workload/floor-stories';
import { isRunning } from '../../test/cluster/workload/pods';
import { FOUR_CPUS } from '../../test/cluster/workload/step';

const NODES = '/api/v1/nodes';

/** A floor of six that Karpenter may consolidate at any time: every set of NodeClaims that was there in two minutes. */
export async function idleFloor(create: CreatePool) {
  const pool = await create({ instanceTypes: NINE_TYPES, disruption: AT_ONCE, headroom: floorOf(6) });
  await pool.tick(0);
  await pool.awaitHeadroom(6);
  const sets = new Set<string>();
  const before = namesOf(await pool.claims());
  let after = before;
  for (const until = performance.now() + TWO_MINUTES; performance.now() < until; await sleep(1000)) {
    after = namesOf(await pool.claims());
    sets.add(after.join());
  }
  return { pool, before, after, sets: sets.size };
}

/** One machine of three is gone, without notice, and nobody calls Headstart. */
export async function lostNode(create: CreatePool, cluster: Cluster) {
  const pool = await create({ instanceTypes: FOUR_CPUS, headroom: floorOf(3) });
  await pool.tick(0);
  await pool.awaitHeadroom(3);
  // Karpenter may write the name of a node after the node's pods run.
  const before = await eventually(async () => {
    const claims = await pool.claims();
    return claims.every(({ status }) => status?.nodeName) && claims;
  }, patience);
  const [lost, ...others] = before;
  const node = `${NODES}/${lost?.status.nodeName}`;
  const since = performance.now();
  // What Karpenter would do first on the machine can no longer be done.
  await cluster.admin.send('PATCH', node, { metadata: { finalizers: null } }, 'application/merge-patch+json');
  await cluster.admin.remove(node);
  const after = await eventually(async () => {
    const left = await pool.claims();
    const replaced = left.every(({ metadata }) => metadata.name !== lost?.metadata.name);
    const alive = namesOf(await cluster.admin.list(NODES));
    const pods = (await pool.headroomPods()).filter((pod) => isRunning(pod) && alive.includes(pod.spec.nodeName ?? ''));
    return replaced && left.length === 3 && pods.length === 3 && left;
  }, patience);
  return {
    pool,
    before: namesOf(before),
    others: namesOf(others),
    after: namesOf(after),
    tookMs: performance.now() - since,
  };
}
