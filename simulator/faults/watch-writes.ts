import { headroomName } from '../../shared/core/basics/names';
import type { NodePoolConfig } from '../../shared/core/config/config';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import { DEPLOYMENTS, NAMESPACES, NODE_CLAIMS, NODE_POOLS } from '../kube/kinds';
import type { Change } from '../kube/object-store';
import type { Deployment } from '../kube/objects';
import { Invocation } from './invocation';
import type { Account, Ledger } from './ledger';
import { NAMESPACE, type World } from './world';

export interface WatchOptions {
  readonly world: World;
  readonly ledger: Ledger;
  readonly violated: (what: string) => void;
}

/**
 * What must hold at every single write, whatever goes wrong. Also tells the ledger what stands in the records:
 * what was written counts, even if nobody ever heard that it was.
 */
export function watchWrites({ world, ledger, violated }: WatchOptions): void {
  for (const kind of [NAMESPACES, NODE_POOLS, NODE_CLAIMS])
    world.store.subscribe(kind, ({ type, object }) => {
      if (world.writer instanceof Invocation)
        violated(`${world.writer.label} wrote ${kind.kind} ${object.metadata.name} (${type})`);
    });
  world.store.subscribe(DEPLOYMENTS, (change) => {
    const { writer } = world;
    if (!(writer instanceof Invocation)) return;
    const wrong = wrongWith(change, writer) ?? observed(change, writer, ledger, world.now);
    if (wrong !== undefined) violated(`${writer.label}: ${wrong}`);
  });
}

function wrongWith({ type, object, previous }: Change<Deployment>, by: Invocation): string | undefined {
  const { name, namespace } = object.metadata;
  const pool = by.config.nodePools.find((candidate) => headroomName(candidate.name) === name);
  if ((by.raw as { readonly status?: unknown } | null)?.status === true) return `wrote ${name}, and was only asked`;
  if (namespace !== NAMESPACE) return `wrote ${name} in namespace ${namespace}`;
  const owner = previous && ownerOf(previous);
  if (owner !== undefined && owner !== by.owner) return `${type} ${name}, which belongs to ${owner}`;
  if (type === 'DELETED') {
    if (!by.isDeploy) return `deleted ${name}, and is not the reconcile of a deploy`;
    return pool ? `deleted ${name}, which its config names` : undefined;
  }
  if (!pool) return `wrote ${name}, which its config does not name`;
  if (ownerOf(object) !== by.owner) return `left ${name} with owner ${ownerOf(object)}`;
  const { replicas } = object.spec;
  return replicas > pool.max ? `set ${name} to ${replicas}, above max ${pool.max}` : undefined;
}

function observed(
  { type, object }: Change<Deployment>,
  by: Invocation,
  ledger: Ledger,
  now: number,
): string | undefined {
  const nodePool = object.metadata.name.replace(/^headroom-/, '');
  if (type === 'DELETED') {
    ledger.destroy(by.stack, nodePool, now);
    return undefined;
  }
  const pool = by.config.nodePools.find(({ name }) => name === nodePool);
  const account = ledger.of(by.stack, nodePool);
  // An alarm that its config does not name is dropped from the record, and its hold with it.
  for (const alarm of account.alarmEnds.keys())
    if (!pool?.alarms.some(({ alarmName }) => alarmName === alarm)) account.alarmEnds.delete(alarm);
  const wrong = ledger.observe(by.stack, nodePool, object.metadata.annotations?.[ANNOTATIONS.record]);
  return wrong ?? (pool && heldSize(object, by, account, pool));
}

/** While the record is broken, the size that was decided last is the least that is decided next, up to max. */
function heldSize(object: Deployment, by: Invocation, account: Account, pool: NodePoolConfig): string | undefined {
  const { annotations = {} } = object.metadata;
  if (account.held === undefined || annotations[ANNOTATIONS.decided] === undefined) return undefined;
  if (annotations[ANNOTATIONS.quarantined] === undefined) {
    delete account.held;
    return takesOver(by.raw) ? undefined : `dropped what could not be read of ${object.metadata.name}`;
  }
  const [least, decided] = [Math.min(account.held, pool.max), Number(annotations[ANNOTATIONS.decided])];
  account.held = decided;
  return decided < least && account.word?.override?.mode !== 'exactly'
    ? `decided ${decided} for ${object.metadata.name}, which is held at ${least}`
    : undefined;
}

/** A release and a pin are a person's word on the whole headroom. */
function takesOver(raw: unknown): boolean {
  const { release, exactly } = raw as { readonly release?: unknown; readonly exactly?: unknown };
  return release === true || exactly !== undefined;
}

function ownerOf({ metadata }: Deployment): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.owner];
}
