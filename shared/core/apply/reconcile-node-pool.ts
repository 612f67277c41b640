import { ConflictError } from '../basics/errors';
import { headroomName } from '../basics/names';
import type { NodePoolConfig } from '../config/config';
import { type Decision, decide } from '../decision/decide';
import { ANNOTATIONS, type DeploymentManifest, pauseDeployment } from '../manifests/pause-deployment';
import type { AlarmReading, Cluster, LiveHeadroom, NodePoolFacts, Pause } from '../ports/ports';
import type { Intent } from '../record/intent';
import { mergeIntent, pruneRecord } from '../record/merge-intent';
import type { HeadroomRecord, Override } from '../record/record';
import { readRecord, writeRecord } from '../record/record-codec';
import { driftOf } from './drift';
import { hasImageVolumes, needsOf } from './node-pool-needs';

/** At least eight: status updates of a busy Deployment cause conflicts too. */
const MAX_TRIES = 12;

/** What one NodePool's step needs; everything but the live headroom stays the same from try to try. */
export interface Step {
  readonly pool: NodePoolConfig;
  readonly namespace: string;
  readonly now: number;
  readonly intents: readonly Intent[];
  /** Absent when CloudWatch was not asked or did not answer. */
  readonly readings?: ReadonlyMap<string, AlarmReading>;
  /** Absent when the NodePools could not be read. */
  readonly nodePool?: NodePoolFacts;
  /** Whether the cluster knows image volumes; absent when its version could not be read. */
  readonly imageVolumes?: boolean;
}

/** What became of one NodePool's headroom. */
export interface PoolOutcome extends Decision {
  readonly nodePool: string;
  readonly from: number;
  readonly ready: number;
  /** What was written: nothing, a new size, or other fields only. */
  readonly change: 'none' | 'created' | 'resized' | 'updated';
  /** Why something was written although the size stays. */
  readonly drift?: string;
  readonly record: HeadroomRecord;
  /** The override that an order replaced or released. */
  readonly replaced?: Override;
  /** Part of the record could not be read and was set aside. */
  readonly unreadable?: string;
}

/** Brings one headroom to what config, clock and record say, in one guarded write; conflicts decide again. */
export async function reconcileNodePool(
  cluster: Cluster,
  step: Step,
  seen: LiveHeadroom | undefined,
  pause: Pause,
): Promise<PoolOutcome> {
  let live = seen;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryOnce(cluster, step, live);
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === MAX_TRIES) throw error;
      await pause(attempt);
      live = await cluster.readHeadroom(headroomName(step.pool.name));
    }
  }
}

async function tryOnce(cluster: Cluster, step: Step, live: LiveHeadroom | undefined): Promise<PoolOutcome> {
  const { outcome, manifest } = planStep(step, live);
  if (!live) {
    await cluster.createHeadroom(manifest);
    return outcome;
  }
  if (outcome.change !== 'none') await cluster.applyHeadroom(manifest, live.resourceVersion);
  return outcome;
}

/** The whole step without its write: record the intents, decide, and compare the manifest with what is there. */
export function planStep(
  step: Step,
  live: LiveHeadroom | undefined,
): { outcome: PoolOutcome; manifest: DeploymentManifest } {
  const { pool, now } = step;
  const read = readRecord(live?.annotations[ANNOTATIONS.record]);
  const intents = [...readingIntents(step, read.record), ...step.intents];
  const record = pruneRecord(intents.reduce(mergeIntent, read.record), pool, now);
  const quarantined = takesOver(step.intents)
    ? undefined
    : (read.quarantined ?? live?.annotations[ANNOTATIONS.quarantined]);
  const floor = quarantined === undefined ? 0 : (live?.replicas ?? 0);
  const decision = decide({ pool, record, now, floor });

  const manifest = pauseDeployment({
    pool,
    namespace: step.namespace,
    replicas: decision.replicas,
    annotations: annotationsOf(decision, record, quarantined),
    ...needsOf(pool, step.nodePool, live),
    imageVolumes: step.imageVolumes ?? hasImageVolumes(live),
  });
  const leftover = quarantined === undefined && live?.annotations[ANNOTATIONS.quarantined] !== undefined;
  // The items of a list name neither their version nor their kind, so these are not compared.
  const { apiVersion: _version, kind: _kind, ...content } = manifest;
  const drift = live ? (driftOf(content, live.object) ?? (leftover ? ANNOTATIONS.quarantined : undefined)) : undefined;
  const replaced = replacedBy(step.intents, read.record, now);
  const outcome: PoolOutcome = {
    nodePool: pool.name,
    replicas: decision.replicas,
    reasons: [...decision.reasons, ...handScaled(live, decision.replicas)],
    from: live?.replicas ?? 0,
    ready: live?.ready ?? 0,
    change: changeOf(live, decision.replicas, drift),
    ...(drift !== undefined && { drift }),
    record,
    ...(replaced && { replaced }),
    ...(quarantined !== undefined && { unreadable: quarantined }),
  };
  return { outcome, manifest };
}

function changeOf(live: LiveHeadroom | undefined, replicas: number, drift: string | undefined): PoolOutcome['change'] {
  if (!live) return 'created';
  if (live.replicas !== replicas) return 'resized';
  return drift === undefined ? 'none' : 'updated';
}

function annotationsOf(
  decision: Decision,
  record: HeadroomRecord,
  quarantined: string | undefined,
): Record<string, string> {
  return {
    [ANNOTATIONS.record]: writeRecord(record),
    [ANNOTATIONS.reasons]: decision.reasons.join('; '),
    [ANNOTATIONS.decided]: String(decision.replicas),
    ...(quarantined !== undefined && { [ANNOTATIONS.quarantined]: quarantined }),
  };
}

/** A release, and a new pin, are a person's word on the whole headroom: nothing is held back any longer. */
function takesOver(intents: readonly Intent[]): boolean {
  return intents.some(
    (intent) => intent.kind === 'release' || (intent.kind === 'override' && intent.override.mode === 'exactly'),
  );
}

/** CloudWatch's own word on the configured alarms; one that no longer exists counts as OK. */
function readingIntents({ pool, readings, now }: Step, record: HeadroomRecord): Intent[] {
  if (!readings) return [];
  return pool.alarms.flatMap(({ alarmName }): Intent[] => {
    const reading = readings.get(alarmName);
    const known = record.alarms[alarmName];
    if (reading) return [{ kind: 'alarm', nodePool: pool.name, alarmName, ...reading }];
    if (known?.state !== 'ALARM') return [];
    // With the old time, so that a reading that comes back with the same state wins again.
    return [{ kind: 'alarm', nodePool: pool.name, alarmName, state: 'OK', at: known.at, goneSince: now }];
  });
}

function replacedBy(intents: readonly Intent[], before: HeadroomRecord, now: number): Override | undefined {
  const orders = intents.filter(({ kind }) => kind === 'override' || kind === 'release');
  const { override } = before;
  if (orders.length === 0 || !override || override.until <= now) return undefined;
  // A write whose answer was lost is tried again and finds the order itself.
  return orders.some((order) => order.kind === 'override' && order.override.at === override.at) ? undefined : override;
}

/** A size that somebody set by hand is undone, and it is said so. */
function handScaled(live: LiveHeadroom | undefined, replicas: number): string[] {
  const decided = live?.annotations[ANNOTATIONS.decided];
  if (!live || decided === undefined || live.replicas === Number(decided) || live.replicas === replicas) return [];
  const who = live.scaledBy === undefined ? 'by hand' : `by ${live.scaledBy}`;
  return [`scaled ${who} to ${live.replicas}, undone: use inflate for an emergency`];
}
