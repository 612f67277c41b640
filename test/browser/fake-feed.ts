import { join } from 'node:path';
import { type ConsoleServer, serveConsole } from '../../lab/console/server/server';
import { foldersOf } from '../../lab/console/server/static-files';
import { totalOf } from '../../lab/console/snapshot/headroom-total';
import type { Command } from '../../lab/console/snapshot/page-command';
import type {
  NodeView,
  PlannedSize,
  PodView,
  PoolView,
  Snapshot,
  TimelinePoint,
} from '../../lab/console/snapshot/snapshot';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Tuesday, 11:10 in Seoul. */
const STARTED_AT = Date.parse('2025-03-11T02:10:00Z');
const OPENS_AT = STARTED_AT + 20 * MINUTE;
const CLOSES_AT = OPENS_AT + 2 * HOUR;
const LEAD = 5 * MINUTE;
const NODE_DELAY = 50_000;

export interface FakeFeedOptions {
  readonly pools: number;
  readonly podsPerPool: number;
  readonly speed: number;
  /** How far into the run the feed begins. */
  readonly after?: number;
  readonly change?: (snapshot: Snapshot) => Snapshot;
  /** What every command is answered with. */
  readonly response?: Readonly<Record<string, unknown>> | Error;
}

export interface FakeFeed extends ConsoleServer {
  /** What the page asked for, oldest first. */
  readonly commands: readonly Command[];
}

/** The real console server over an invented lunch peak: as many pools and pods as one likes, at any speed. */
export async function startFakeFeed(options: FakeFeedOptions): Promise<FakeFeed> {
  const { change = (snapshot: Snapshot) => snapshot, speed, after = 0 } = options;
  const commands: Command[] = [];
  const begun = Date.now();
  const server = await serveConsole(
    {
      snapshot: () => change(snapshotAt(STARTED_AT + after + (Date.now() - begun) * speed, options)),
      command: async (command) => {
        commands.push(command);
        if (options.response instanceof Error) throw options.response;
        return { ...options.response };
      },
    },
    { folders: foldersOf(join(__dirname, '../..')), port: 0 },
  );
  return { ...server, commands };
}

function snapshotAt(now: number, { pools, podsPerPool, speed }: FakeFeedOptions): Snapshot {
  const names = Array.from({ length: pools }, (_, index) => (index === 0 ? 'default' : `pool-${index}`));
  const nodes = names.flatMap((name) => nodesAt(name, now));
  const all = names.map((name) => poolAt(name, now));
  return {
    mode: 'sandbox',
    clusterName: 'invented',
    simulated: ['everything: this feed is invented for tests'],
    clock: { now, startedAt: STARTED_AT, speed, paused: false, next: { at: CLOSES_AT, label: 'lunch closes' } },
    scenario: { id: 'lunch', title: 'Lunch peak', description: 'Orders grow as the window opens.' },
    scenarios: [
      { id: 'lunch', title: 'Lunch peak' },
      { id: 'storm', title: 'Spot storm' },
    ],
    configProblems: [],
    faults: { lost: 0, doubled: 0, late: 0, apiErrors: 0 },
    pools: all,
    headroom: totalOf(all),
    nodes,
    pods: names.flatMap((name) => podsAt(name, now, podsPerPool)),
    decisions: names
      .filter(() => now >= OPENS_AT - LEAD)
      .map((pool) => ({
        at: OPENS_AT - LEAD,
        pool,
        trigger: 'schedule edge: lunch',
        from: 0,
        to: 6,
        reasons: ['lunch opens 2026-11-17T02:30Z: 6 nodes'],
      })),
    waiting: {
      with: { pods: 240, medianMs: 400, p95Ms: 1_900, worstMs: 12_000 },
      without: { pods: 240, medianMs: 54_000, p95Ms: 71_000, worstMs: 98_000 },
    },
    cost: { total: 4.2 + (now - STARTED_AT) / HOUR, headroom: 0.61, nodeHours: 21.4 },
  };
}

function wantedAt(at: number): number {
  return at >= OPENS_AT - LEAD && at < CLOSES_AT ? 6 : 0;
}

function plannedAt(at: number): PlannedSize {
  return { at, replicas: wantedAt(at), text: String(wantedAt(at)) };
}

/** Two replicas are used for a minute in every ten while the window is open. */
function pointAt(at: number): TimelinePoint {
  const wanted = wantedAt(at);
  const inUse = wanted > 0 && at > OPENS_AT && at % (10 * MINUTE) < MINUTE ? 2 : 0;
  return { at, wanted, inUse, free: Math.max(0, Math.min(wanted, wantedAt(at - NODE_DELAY)) - inUse) };
}

function poolAt(name: string, now: number): PoolView {
  const timeline: TimelinePoint[] = [];
  for (let at = STARTED_AT; at < now; at += MINUTE / 2) timeline.push(pointAt(at));
  const { wanted, inUse, free } = pointAt(now);
  const next = [OPENS_AT - LEAD, CLOSES_AT].find((at) => at > now);
  return {
    name,
    nodePool: name,
    kind: 'node',
    unit: 'Room · 1 vCPU, 2 GiB free on each node',
    max: 8,
    bound: 'at most 8',
    sentence: `Lunch ${new Date(OPENS_AT).toISOString()}: 6 nodes, ready 3 min early. ${free} nodes free. Next, lunch closes ${new Date(CLOSES_AT).toISOString()}: 0 nodes.`,
    noun: 'node',
    ...{ wanted, ready: free, inUse, free, missing: wanted - inUse - free, leaving: 0 },
    reasons: wanted > 0 ? ['lunch open since 2026-11-17T02:30Z: 6 nodes'] : ['base: 0 nodes'],
    ...(next && { next: { ...plannedAt(next), edge: 'lunch', units: '6 nodes' } }),
    timeline,
    plan: [now, OPENS_AT - LEAD, CLOSES_AT].filter((at) => at >= now).map(plannedAt),
    bands: [
      { kind: 'lead', label: 'lunch', from: OPENS_AT - LEAD, to: OPENS_AT },
      { kind: 'window', label: 'lunch', from: OPENS_AT, to: CLOSES_AT },
      { kind: 'boost', label: 'queue-depth +2', from: OPENS_AT + 30 * MINUTE, to: OPENS_AT + 50 * MINUTE },
      { kind: 'surge', label: '+1', from: OPENS_AT + 10 * MINUTE, to: OPENS_AT + 25 * MINUTE },
      { kind: 'surge', label: '+1', from: OPENS_AT + 20 * MINUTE, to: OPENS_AT + 35 * MINUTE },
      { kind: 'override', label: 'at least 8 by ana', from: OPENS_AT + 60 * MINUTE, to: OPENS_AT + 90 * MINUTE },
    ],
    alarms: [{ name: 'queue-depth', alarmName: `${name}-queue-depth`, firing: false }],
  };
}

function nodesAt(pool: string, now: number): NodeView[] {
  return Array.from({ length: 8 }, (_, index) => ({
    name: `${pool}-${(index * 7919 + 40_503).toString(36)}`,
    pool,
    instanceType: index % 2 === 0 ? 'm7g.xlarge' : 'c7i.xlarge',
    zone: `ap-northeast-2${'abc'[index % 3]}`,
    spot: index % 2 === 0,
    state: stateOf(index),
    since: now - 12_000,
    load: 0.2 + index / 10,
  }));
}

function stateOf(index: number): NodeView['state'] {
  if (index === 6) return 'terminating';
  return index === 7 ? 'launching' : 'ready';
}

function podsAt(pool: string, now: number, count: number): PodView[] {
  const nodes = nodesAt(pool, now);
  const step = Math.floor(now / MINUTE);
  return Array.from({ length: count }, (_, index): PodView => {
    const node = index % 9 === 8 ? undefined : nodes[(index + step) % 6];
    return {
      name: `${pool}-${index % 3 === 0 ? 'headroom' : 'orders'}-${step + index}`,
      pool,
      kind: index % 3 === 0 ? 'headroom' : 'real',
      state: node ? 'running' : 'pending',
      ...(node && { node: node.name }),
      createdAt: now - 4_000,
      waitedMs: node ? 400 : 4_000,
    };
  });
}
