import { listInPages } from '../../shared/adapters/list-in-pages';
import { messageOf } from '../../shared/core/basics/errors';
import type { Config } from '../../shared/core/config/config';
import { type FloorUse, floorUses, nodeUses } from '../../shared/core/karpenter/nodes-in-use';
import type { PoolStatus } from '../../shared/core/status';
import { defaultZone } from '../../shared/drawing/default-zone';
import type { Access } from '../access/access';
import { readCapacity } from '../access/capacity-facts';
import { openAccess } from '../access/open-access';
import type { AccessOptions } from '../access/options';
import { mapRead, type Read, read } from '../access/read';
import { causeText, whyMissing } from '../access/why-missing';
import { loadOrFail, poolOrFail } from '../input/load-config';
import { readDuration, readTimezone } from '../input/time';
import { EXIT, InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { drawStatus, type PoolView, type StatusView } from './draw-status';

export interface StatusOptions extends AccessOptions {
  readonly watch?: boolean;
  readonly interval: string;
  readonly timezone?: string;
  readonly json?: boolean;
}

const CLEAR = '\u001b[2J\u001b[H';

/** Shows each NodePool's headroom: its size, the reasons, and the next change. */
export async function status(
  nodePool: string | undefined,
  options: StatusOptions,
  terminal: Terminal,
): Promise<number> {
  const timezone = readTimezone(options.timezone);
  const config = loadOrFail(options, terminal);
  if (nodePool !== undefined) poolOrFail(config, nodePool);
  const every = readDuration(options.interval, '--interval');
  const access = await openAccess(options, config, terminal);
  const look = async () => statusView(access, config, { ...(timezone && { timezone }), ...(nodePool && { nodePool }) });
  if (options.watch) return watch(look, every * 1_000, options, terminal);
  show(await look(), options, terminal);
  return EXIT.ok;
}

async function statusView(
  access: Access,
  config: Config,
  { nodePool, timezone }: { readonly nodePool?: string; readonly timezone?: string },
): Promise<StatusView> {
  const response = await access.order({ status: true });
  if (!('status' in response))
    throw new Error(`${access.place} returned no status; check that it is Headstart's inflate function`);
  const now = access.now();
  const asked = response.status.filter((one) => nodePool === undefined || one.nodePool === nodePool);
  const uses = await readFloorUses(access, config, asked);
  const pools = await Promise.all(asked.map((one) => poolView(one, access, { config, uses, now, timezone })));
  return { clusterName: config.cluster.name, place: access.place, now, pools };
}

/** How much of each floor runs work; only the person's own kubeconfig can see that, and only floors need it. */
async function readFloorUses(
  { transport }: Access,
  { nodePools }: Config,
  asked: readonly PoolStatus[],
): Promise<Read<ReadonlyMap<string, FloorUse>> | undefined> {
  const floors = nodePools.filter(({ unit }) => unit.kind === 'floor').map(({ name }) => name);
  const standing = asked.some(({ nodePool, ready }) => ready > 0 && floors.includes(nodePool));
  if (!transport || !standing) return undefined;
  return mapRead(await read(listInPages(transport, '/api/v1/pods', { facts: nodeUses })), floorUses);
}

interface Look {
  readonly config: Config;
  readonly uses: Read<ReadonlyMap<string, FloorUse>> | undefined;
  readonly now: number;
  readonly timezone: string | undefined;
}

async function poolView(status: PoolStatus, { transport }: Access, look: Look): Promise<PoolView> {
  const { config, uses, now, timezone } = look;
  const pool = config.nodePools.find(({ name }) => name === status.nodePool);
  const short = status.shortfall > 0 && transport;
  const facts = short ? await readCapacity(transport, config.cluster.namespace, status.nodePool) : undefined;
  const isFloor = pool?.unit.kind === 'floor' && status.ready > 0;
  return {
    status,
    timezone: timezone ?? defaultZone(pool?.windows ?? []),
    ...(pool && { pool }),
    ...(isFloor && uses && { use: mapRead(uses, (all) => all.get(status.nodePool) ?? { nodes: 0, inUse: 0 }) }),
    why: facts ? whyMissing(facts, pool, now).map(causeText) : [],
  };
}

function show(view: StatusView, { json }: StatusOptions, terminal: Terminal): void {
  terminal.out(json ? `${JSON.stringify(asJson(view), null, 2)}\n` : drawStatus(view, terminal));
}

function asJson({ now, pools }: StatusView) {
  return {
    at: new Date(now).toISOString(),
    status: pools.map(({ status, why, use }) => ({
      ...status,
      ...(use?.ok && { nodesInUse: use.value.inUse }),
      ...(why.length > 0 && { why }),
    })),
  };
}

/** Refreshes until Ctrl-C; an error is shown and tried again. */
async function watch(
  look: () => Promise<StatusView>,
  everyMs: number,
  { json }: StatusOptions,
  terminal: Terminal,
): Promise<number> {
  let stopped = false;
  const stopListening = terminal.onInterrupt(() => {
    stopped = true;
  });
  let before = '';
  while (!stopped) {
    const seen = await look().catch((error: unknown) => {
      if (error instanceof InputError) throw error;
      return messageOf(error);
    });
    const text = drawn(seen, json, terminal);
    // Piped, only what differs is worth a line.
    if (terminal.live && !json) terminal.out(`${CLEAR}${text}`);
    else if (text !== before) terminal.out(text);
    before = text;
    if (!stopped) await terminal.sleep(everyMs);
  }
  stopListening();
  return EXIT.ok;
}

function drawn(seen: StatusView | string, json: boolean | undefined, terminal: Terminal): string {
  if (typeof seen === 'string') return json ? `${JSON.stringify({ error: seen })}\n` : `${seen}\n`;
  return json ? `${JSON.stringify(asJson(seen))}\n` : drawStatus(seen, terminal);
}
