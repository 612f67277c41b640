import { REASONS } from '../basics/reasons';
import type { Config, HeadroomConfig } from '../config/config';
import type { Decision } from '../decision/decide';
import type { LivePool } from '../live/live-schedules';
import { ANNOTATIONS, writeReasons } from '../manifests/annotations';
import { type DeploymentManifest, IMAGE_VOLUMES_SINCE, pauseDeployment } from '../manifests/pause-deployment';
import { hasImageVolumes, needsOf } from '../observe/node-pool-needs';
import type { Observed } from '../observe/observe';
import type { Cluster, CurrentHeadroom } from '../ports/ports';
import { writeRecord } from '../record/record-codec';
import type { Recorded } from '../record/record-intents';
import { type Contest, fightsFor, isDue, isForeignDrift, MAX_FIGHTS, writeContests } from './contested-field';
import { driftsOf } from './drift';
import { refuseForeign } from './owner';

/** The result of a reconcile for one NodePool. */
export interface HeadroomOutcome extends Decision, Omit<Recorded, 'held' | 'heldBecause' | 'quarantined'> {
  readonly headroom: string;
  /** Of the Deployment, if it was written. */
  readonly uid?: string;
  /** What the decision was made for. */
  readonly pool: HeadroomConfig;
  readonly live?: LivePool;
  readonly from: number;
  readonly ready: number;
  /** What was written: nothing, a new size, or other fields only. */
  readonly change: 'none' | 'created' | 'resized' | 'updated';
  /** The first field that differed, unless a newly decided size explains the write. */
  readonly drift?: string;
  /** Part of the record could not be read and was quarantined. */
  readonly unreadable?: string;
  /** The last decided size; the headroom does not shrink below it while something cannot be read. */
  readonly held?: number;
  /** Why it is held, if not because of the record. */
  readonly heldBecause?: string;
  /** A field that somebody else keeps setting back. */
  readonly contested?: Contested;
  /** The cluster has no NodePool of this name. */
  readonly noSuchNodePool?: true;
}

export interface Contested {
  readonly field: string;
  /** The other writer, if managedFields name it. */
  readonly by?: string;
  /** Whether it becomes contested now; it is logged only then. */
  readonly isNew: boolean;
}

/** Everything that one headroom's manifest depends on. */
export interface Change {
  readonly config: Config;
  readonly owner: string;
  /** What counts: the deployed NodePool, or the one with the live schedules on top. */
  readonly pool: HeadroomConfig;
  readonly effective?: LivePool | undefined;
  readonly seen: Pick<Observed, 'nodePoolOf' | 'minor'>;
  readonly current: CurrentHeadroom | undefined;
  readonly recorded: Recorded;
  readonly decision: Decision;
  readonly now: number;
}

/** Writes the decision if anything differs: one write that carries the version it was decided on. */
export async function applyDecision(change: Change, cluster: Cluster): Promise<HeadroomOutcome> {
  const { current: live, owner } = change;
  refuseForeign(live, owner);
  const { outcome, manifest } = prepareChange(change);
  if (outcome.change === 'none') return outcome;
  if (live?.deleting) throw new BeingDeletedError(live.name);
  const { uid } = await (live
    ? cluster.applyHeadroom(manifest, live.resourceVersion)
    : cluster.createHeadroom(manifest));
  return { ...outcome, uid };
}

/** Anything written to a Deployment that is being deleted would be lost with it. */
export class BeingDeletedError extends Error {
  override readonly name = 'BeingDeletedError';

  constructor(name: string) {
    super(
      `Deployment ${name} is being deleted, and what is written to it would be lost; it is created again once it is gone`,
    );
  }
}

/** The manifest, and how it differs from the live Deployment. */
export function prepareChange(change: Change): { outcome: HeadroomOutcome; manifest: DeploymentManifest } {
  const { pool, seen, current: live, recorded, effective } = change;
  const { held, heldBecause, quarantined, ...rest } = recorded;
  const decision = { ...change.decision, reasons: [...change.decision.reasons, ...(effective?.reasons ?? [])] };
  const manifest = manifestOf({ ...change, decision });
  const { isWritten, drift, contested, contests } = live
    ? compare(manifest, live, change)
    : { isWritten: true, drift: undefined, contested: undefined, contests: [] };
  const outcome: HeadroomOutcome = {
    headroom: pool.name,
    pool,
    ...(effective && { live: effective }),
    replicas: decision.replicas,
    reasons: [...decision.reasons, ...handScaled(live, decision.replicas)],
    from: live?.replicas ?? 0,
    ready: live?.ready ?? 0,
    change: isWritten ? changeOf(live, decision.replicas) : 'none',
    ...(drift !== undefined && { drift }),
    ...rest,
    ...(quarantined !== undefined && { unreadable: quarantined }),
    ...((quarantined !== undefined || heldBecause !== undefined) && { held, ...(heldBecause && { heldBecause }) }),
    ...(decision.uncounted !== undefined && { uncounted: decision.uncounted }),
    ...(contested && { contested }),
    ...(seen.nodePoolOf(pool.nodePool) === 'missing' && { noSuchNodePool: true as const }),
  };
  return { outcome, manifest: contests.length > 0 ? withContests(manifest, contests) : manifest };
}

interface Comparison {
  readonly isWritten: boolean;
  /** The field to report: one that somebody else changed, else one that is written although the size stays. */
  readonly drift: string | undefined;
  readonly contested: Contested | undefined;
  /** What to remember of fields that other writers change. */
  readonly contests: readonly Contest[];
}

/** How the manifest differs from the live object, and whether to write it now. */
function compare(manifest: DeploymentManifest, current: CurrentHeadroom, { decision, now }: Change): Comparison {
  const drifts = driftsFrom(manifest, current);
  const hash = manifest.metadata.annotations[ANNOTATIONS.template];
  const foreign = drifts.filter((field) => isForeignDrift(field, current, hash));
  const { before, after, quiet } = fightsFor(foreign, current, now);
  const isWritten = foreign.length < drifts.length || before.some((one) => isDue(one, now));
  const [drift] = current.replicas === decision.replicas ? [...foreign, ...drifts] : foreign;
  return {
    isWritten,
    drift,
    contested: contestedBy(current, isWritten ? after : before, isWritten),
    contests: isWritten ? [...after, ...quiet] : [],
  };
}

function manifestOf({
  config,
  owner,
  pool,
  effective,
  seen,
  current: live,
  recorded,
  decision,
}: Change): DeploymentManifest {
  const nodePool = seen.nodePoolOf(pool.nodePool);
  return pauseDeployment({
    pool,
    namespace: config.cluster.namespace,
    replicas: decision.replicas,
    annotations: {
      ...annotationsOf(owner, decision, recorded),
      ...liveAnnotation(effective, live),
    },
    // For a missing NodePool the live needs are kept, so that its headroom fits when it comes back.
    ...needsOf(pool, nodePool === 'missing' ? undefined : nodePool, live),
    imageVolumes: seen.minor === undefined ? hasImageVolumes(live) : seen.minor >= IMAGE_VOLUMES_SINCE,
  });
}

/** An apply takes away only what is ours, and anybody may have written it: it is emptied first, and gone with the next write. */
function liveAnnotation(
  { annotation }: Partial<LivePool> = {},
  current: CurrentHeadroom | undefined,
): Record<string, string> {
  if (annotation) return { [ANNOTATIONS.live]: annotation };
  return current?.annotations[ANNOTATIONS.live] ? { [ANNOTATIONS.live]: '' } : {};
}

function withContests(manifest: DeploymentManifest, contests: readonly Contest[]): DeploymentManifest {
  const { metadata } = manifest;
  const annotations = { ...metadata.annotations, [ANNOTATIONS.contested]: writeContests(contests) };
  return { ...manifest, metadata: { ...metadata, annotations } };
}

function driftsFrom(manifest: DeploymentManifest, current: CurrentHeadroom): string[] {
  // List items carry neither apiVersion nor kind, so these are not compared.
  const { apiVersion: _version, kind: _kind, ...content } = manifest;
  const stated: Readonly<Record<string, string>> = manifest.metadata.annotations;
  const leftovers = [ANNOTATIONS.quarantined, ANNOTATIONS.live].filter(
    (key) => stated[key] === undefined && current.annotations[key] !== undefined,
  );
  return [...driftsOf(content, current.object), ...leftovers.map((key) => `metadata.annotations.${key}`)];
}

/** Fields are contested once they have been restored `MAX_FIGHTS` times in vain. */
function contestedBy(
  { changedBy }: CurrentHeadroom,
  contests: readonly Contest[],
  isWritten: boolean,
): Contested | undefined {
  const lost = contests.filter(({ times }) => times >= MAX_FIGHTS);
  if (lost.length === 0) return undefined;
  const news = isWritten ? lost.filter(({ times }) => times === MAX_FIGHTS) : [];
  const field = (news.length > 0 ? news : lost).map((one) => one.field).join(', ');
  return { field, isNew: news.length > 0, ...(changedBy !== undefined && { by: changedBy }) };
}

function changeOf(current: CurrentHeadroom | undefined, replicas: number): HeadroomOutcome['change'] {
  if (!current) return 'created';
  return current.replicas === replicas ? 'updated' : 'resized';
}

function annotationsOf(owner: string, decision: Decision, { record, quarantined }: Recorded): Record<string, string> {
  return {
    [ANNOTATIONS.owner]: owner,
    [ANNOTATIONS.record]: writeRecord(record),
    [ANNOTATIONS.reasons]: writeReasons(decision.reasons),
    [ANNOTATIONS.decided]: String(decision.replicas),
    ...(quarantined !== undefined && { [ANNOTATIONS.quarantined]: quarantined }),
  };
}

/** A size that was set by hand is undone, with a reason that says so. */
function handScaled(current: CurrentHeadroom | undefined, replicas: number): string[] {
  const decided = current?.annotations[ANNOTATIONS.decided];
  if (!current || decided === undefined || current.replicas === Number(decided) || current.replicas === replicas)
    return [];
  return [REASONS.scaledByHand(current.replicas, current.scaledBy)];
}
