import { isPattern } from '../../shared/adapters/files/config-glob';
import { listInPages } from '../../shared/adapters/kube/list-in-pages';
import { messageOf } from '../../shared/core/basics/errors';
import type { Config } from '../../shared/core/config/config';
import { type FloorUse, floorUses, nodeUses } from '../../shared/core/karpenter/nodes-in-use';
import { causeText, whyMissing } from '../../shared/core/karpenter/why-missing';
import type { HeadroomStatus } from '../../shared/core/status';
import { count } from '../../shared/drawing/amounts';
import { liveEdits } from '../../shared/drawing/live-edits';
import { defaultZone } from '../../shared/drawing/local-time';
import { type Access, statuses } from '../functions/access';
import { openAccess } from '../functions/open-access';
import { withKept } from '../functions/with-live';
import type { AccessOptions } from '../input/access-options';
import { collectErrors } from '../input/collect-errors';
import { commandsFor } from '../input/commands';
import { loadOrFail, poolOrFail } from '../input/load-or-fail';
import { readDuration, readTimezone } from '../input/time';
import { mapRead, type Read, read } from '../kube/read';
import { readCapacity } from '../kube/read-capacity';
import { overClusters, type Said } from '../many/over-clusters';
import { EXIT, InputError } from '../terminal/exit';
import { CLEAR_SCREEN, plain } from '../terminal/plain';
import { jsonText, type Terminal } from '../terminal/terminal';
import { drawCheck, drawStatus } from './draw-status';
import { figuresIn, type PoolView, type StatusView, troublesOf } from './troubles';

export interface StatusOptions extends AccessOptions {
  readonly watch?: boolean;
  readonly check?: boolean;
  readonly interval: string;
  readonly timezone?: string;
}

export async function status(
  headroom: string | undefined,
  options: StatusOptions,
  terminal: Terminal,
): Promise<number> {
  if (isPattern(options.config))
    return overClusters(options, terminal, {
      run: (one, quiet) => status(headroom, one, quiet),
      said: saidOf,
      alone: ['kubeconfig', 'function', 'stack', 'watch'],
      onlyTrouble: options.check,
    });
  if (options.check && options.watch)
    throw new InputError('--check and --watch exclude each other; remove one of them');
  const [timezone, every, config] = collectErrors(
    () => readTimezone(options.timezone),
    () => readDuration(options.interval, '--interval'),
    () => loadOrFail(options, terminal),
  );
  if (headroom !== undefined) poolOrFail(config, headroom);
  const access = await openAccess(options, config, terminal);
  const mismatch = await access.mismatch?.();
  const where = {
    clusterName: config.cluster.name,
    place: access.place,
    commands: commandsFor(options, terminal),
    ...(mismatch !== undefined && { mismatch }),
  };
  const look = async () => ({ ...where, ...(await poolViews(access, config, headroom, timezone)) });
  if (options.watch) return watch(look, every * 1_000, options, terminal);
  const view = await look();
  if (options.json) terminal.out(jsonText(asJson(view)));
  else terminal.out(options.check ? drawCheck(view) : drawStatus(view, terminal));
  const isFine = mismatch === undefined && view.pools.every((pool) => troublesOf(pool, view).length === 0);
  return options.check && !isFine ? EXIT.failed : EXIT.ok;
}

async function poolViews(
  access: Access,
  config: Config,
  headroom: string | undefined,
  timezone: string | undefined,
): Promise<Pick<StatusView, 'now' | 'pools'>> {
  const { transport } = access;
  const all = await statuses(access);
  const now = access.now();
  const effective = withKept(config, all);
  const requested = all.filter((one) => headroom === undefined || one.headroom === headroom);
  const uses = await readFloorUses(access, config, requested);
  const pools = requested.map(async (status): Promise<PoolView> => {
    const [deployed, pool] = [config, effective].map(({ headrooms }) =>
      headrooms.find(({ name }) => name === status.headroom),
    );
    const short = status.shortfall > 0 && transport;
    const named = { name: status.headroom, nodePool: status.nodePool ?? status.headroom };
    const facts = short ? await readCapacity(short, config.cluster.namespace, named) : undefined;
    const isFloor = pool?.unit.kind === 'floor' && status.ready > 0;
    return {
      status,
      timezone: timezone ?? defaultZone(pool?.windows ?? []),
      ...(pool && { pool }),
      ...(isFloor && uses && { use: mapRead(uses, (all) => all.get(status.headroom) ?? { nodes: 0, inUse: 0 }) }),
      ...(deployed && pool && { edits: liveEdits(deployed, pool, status.live) }),
      why: facts ? whyMissing(facts, pool, now).map(causeText) : [],
    };
  });
  return { now, pools: await Promise.all(pools) };
}

/** How many nodes of each floor run work; read only with a kubeconfig, and only if there are floors. */
async function readFloorUses(
  { transport }: Access,
  { headrooms }: Config,
  requested: readonly HeadroomStatus[],
): Promise<Read<ReadonlyMap<string, FloorUse>> | undefined> {
  const floors = headrooms.filter(({ unit }) => unit.kind === 'floor').map(({ name }) => name);
  const hasFloorNodes = requested.some(({ headroom, ready }) => ready > 0 && floors.includes(headroom));
  if (!transport || !hasFloorNodes) return undefined;
  return mapRead(await read(listInPages(transport, '/api/v1/pods', { facts: nodeUses })), floorUses);
}

function asJson(view: StatusView) {
  const { now, pools, mismatch } = view;
  return {
    at: new Date(now).toISOString(),
    ...(mismatch !== undefined && { otherCluster: mismatch }),
    status: pools.map((pool) => ({
      ...pool.status,
      troubles: troublesOf(pool, view),
      ...(pool.use?.ok && { nodesInUse: figuresIn(pool).inUse }),
      ...(pool.edits?.length && { liveEdits: pool.edits }),
      ...(pool.why.length > 0 && { why: pool.why }),
    })),
  };
}

/** Of one cluster of many. */
function saidOf({ status: all }: Pick<ReturnType<typeof asJson>, 'status'>): Said {
  const troubles = all.flatMap((one) => one.troubles.map(({ kind, text }) => `${one.headroom} ${kind}: ${text}`));
  const [ready, wanted] = all.reduce(
    ([is, should], one) => [is + Math.min(one.ready, one.wanted), should + one.wanted],
    [0, 0],
  );
  const sizes = `${count(all.length, 'headroom')}, ${ready} of ${wanted} ready`;
  return { text: [sizes, ...troubles].join('; '), trouble: troubles.length };
}

/** Refreshes until Ctrl-C; errors are printed and retried, but what fails at once, as without credentials, will go on failing. */
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
  let before: string | undefined;
  while (!stopped) {
    const seen = await look().catch((error: unknown) => {
      if (before === undefined || error instanceof InputError) throw error;
      return plain(messageOf(error));
    });
    const text = drawn(seen, json, terminal);
    // If output is piped, only changes are printed.
    if (terminal.redraws && !json) terminal.out(`${CLEAR_SCREEN}${text}`);
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
