import type { NodeClaimFields, NodeClassRef } from '../../shared/core/karpenter/objects';

interface Named {
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
}
interface Pod extends Named {
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly phase: string };
}
type NodeClaim = Named & Partial<NodeClaimFields>;

/** A NodePool whose headroom is a floor, with Headstart and some work on it. Minutes are of the test's own time. */
export interface FloorPool {
  readonly nodeClass: NodeClassRef;
  tick(minute: number): Promise<void>;
  order(minute: number, order: Readonly<Record<string, unknown>>): Promise<unknown>;
  replicas(): Promise<number>;
  claims(): Promise<readonly NodeClaim[]>;
  headroomPods(): Promise<readonly Pod[]>;
  workPods(): Promise<readonly Pod[]>;
  work(name: string, requests: Readonly<Record<string, string>>): Promise<unknown>;
  /** Waits until so many headroom pods run, and no others are there. */
  awaitHeadroom(count: number): Promise<unknown>;
  eventually(look: () => Promise<boolean>): Promise<unknown>;
  /** Waits until the NodeClaims have stayed the same for several of Karpenter's rounds. */
  settled(): Promise<unknown>;
  lose(claim: string): Promise<unknown>;
}

export interface FloorPoolOptions {
  /** The sizes of its nodes. A node of one CPU has 16 pod slots. */
  readonly cpus: readonly number[];
  readonly taints?: readonly { readonly key: string; readonly effect: string }[];
  readonly disruption?: Readonly<Record<string, unknown>>;
  /** As in `headroom.yaml`, without the unit. */
  readonly headroom: Readonly<Record<string, unknown>>;
  /** The floor's size. @default 4 */
  readonly floorCpu?: number;
}

/** What is told, and what happens in it. */
export type FloorStories = Readonly<Record<string, () => Promise<void>>>;

const QUIET = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '5m' };
const AT_ONCE = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' };
const MOST_OF_FOUR = { cpu: '3' };

const namesOf = (objects: readonly Named[]) => objects.map(({ metadata }) => metadata.name).sort();
const uidsOf = (objects: readonly Named[]) => objects.map(({ metadata }) => metadata.uid).sort();
const isRunning = ({ status, metadata }: Pod) => status.phase === 'Running' && metadata.deletionTimestamp === undefined;
const staying = (claims: readonly NodeClaim[]) => claims.filter(({ metadata }) => !metadata.deletionTimestamp);

/**
 * How a scheduler and Karpenter treat a floor and the NodeClaims that it is counted from: those of the sandbox, and
 * the real ones.
 */
export function floorStories(open: (options: FloorPoolOptions) => Promise<FloorPool>): FloorStories {
  const runs = (pool: FloorPool, count: number) =>
    pool.eventually(async () => (await pool.workPods()).filter(isRunning).length === count);

  return {
    'a floor buys nodes of at least its size, whose NodeClaims tell size and taints': async () => {
      const taints = [{ key: 'team', effect: 'NoSchedule' }];
      const pool = await open({ cpus: [2, 4, 8], taints, disruption: QUIET, headroom: { base: 3, max: 3 } });
      await pool.tick(0);
      await pool.awaitHeadroom(3);
      const claims = await pool.claims();
      const label = `${pool.nodeClass.group}/instance-cpu`;
      expect(claims.map(({ metadata }) => metadata.labels?.[label])).toEqual(['4', '4', '4']);
      expect(claims.map(({ spec }) => spec?.taints)).toEqual([taints, taints, taints]);
      expect(claims.every(({ status }) => status?.providerID !== undefined)).toBe(true);
    },

    'work lands beside a floor: it displaces nothing, and nothing is bought again': async () => {
      const pool = await open({ cpus: [4], disruption: QUIET, headroom: { base: 3, max: 3 } });
      await pool.tick(0);
      await pool.awaitHeadroom(3);
      const [stood, bought] = [uidsOf(await pool.headroomPods()), namesOf(await pool.claims())];
      for (const name of ['one', 'two', 'three']) await pool.work(name, MOST_OF_FOUR);
      await runs(pool, 3);
      await pool.settled();
      expect(uidsOf(await pool.headroomPods())).toEqual(stood);
      expect(namesOf(await pool.claims())).toEqual(bought);
    },

    'work that takes the last pod slot displaces a floor, which buys a node': async () => {
      const pool = await open({ cpus: [1], floorCpu: 1, disruption: QUIET, headroom: { base: 1, max: 1 } });
      await pool.tick(0);
      await pool.awaitHeadroom(1);
      const stood = uidsOf(await pool.headroomPods());
      for (let slot = 1; slot <= 16; slot += 1) await pool.work(`slot-${slot}`, { cpu: '1m' });
      await runs(pool, 16);
      await pool.awaitHeadroom(1);
      expect(uidsOf(await pool.headroomPods())).not.toEqual(stood);
      expect(await pool.claims()).toHaveLength(2);
    },

    'nodes that run nothing but a floor stay while it stands, however soon Karpenter consolidates': async () => {
      const pool = await open({ cpus: [2, 4, 8], disruption: AT_ONCE, headroom: { base: 2, max: 2 } });
      await pool.tick(0);
      await pool.awaitHeadroom(2);
      const bought = namesOf(await pool.claims());
      await pool.settled();
      expect(namesOf(await pool.claims())).toEqual(bought);
      await pool.order(1, { exactly: 0 });
      await pool.eventually(async () => (await pool.claims()).length === 0);
    },

    'a larger node that is there counts': async () => {
      const pool = await open({ cpus: [4, 8], disruption: QUIET, headroom: { base: 2, max: 2 } });
      await pool.work('large', { cpu: '6' });
      await runs(pool, 1);
      await pool.tick(0);
      await pool.awaitHeadroom(2);
      expect(await pool.claims()).toHaveLength(2);
    },

    'a node that is lost is bought again': async () => {
      const pool = await open({ cpus: [4], disruption: QUIET, headroom: { base: 2, max: 2 } });
      await pool.tick(0);
      await pool.awaitHeadroom(2);
      const [lost = ''] = namesOf(await pool.claims());
      await pool.lose(lost);
      await pool.eventually(async () => {
        const claims = await pool.claims();
        return claims.length === 2 && !namesOf(claims).includes(lost);
      });
      await pool.awaitHeadroom(2);
    },

    'an override for more nodes adds to those that are there or launching, not to those that go or are too small':
      async () => {
        const pool = await open({ cpus: [2, 4], disruption: QUIET, headroom: { max: 4 } });
        await pool.work('small', { cpu: '1500m' });
        await runs(pool, 1);
        for (const name of ['one', 'two', 'going']) await pool.work(name, MOST_OF_FOUR);
        await runs(pool, 4);
        const going = (await pool.workPods()).find(({ metadata }) => metadata.name === 'going')?.spec.nodeName;
        const claim = (await pool.claims()).find(({ status }) => status?.nodeName === going);
        await pool.lose(claim?.metadata.name ?? '');
        await pool.eventually(async () => staying(await pool.claims()).length === 3);
        await pool.work('launching', MOST_OF_FOUR);
        await pool.eventually(async () => staying(await pool.claims()).length === 4);
        await pool.order(0, { addNodes: 2 });
        expect(await pool.replicas()).toBe(5);
        await pool.awaitHeadroom(5);
        // The small one too.
        expect(staying(await pool.claims())).toHaveLength(6);
      },
  };
}
