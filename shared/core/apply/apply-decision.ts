import { REASONS } from '../basics/reasons';
import type { Config, HeadroomConfig } from '../config/config';
import type { Decision } from '../decision/decide';
import type { Held } from '../decision/held-size';
import type { Overridden } from '../intents/record-intents';
import type { LikePool } from '../like/like-workloads';
import type { LivePool } from '../live/live-schedules';
import { ANNOTATIONS, writeReasons } from '../manifests/annotations';
import { type DeploymentManifest, IMAGE_VOLUMES_SINCE, pauseDeployment } from '../manifests/pause-deployment';
import { hasImageVolumes, needsOf } from '../observe/node-pool-needs';
import type { Observed } from '../observe/observe';
import type { Counted } from '../occurrences/count-nodes';
import type { Judged } from '../occurrences/judge-occurrences';
import type { Cluster, CurrentHeadroom } from '../ports/ports';
import { writeRecord } from '../record/record-codec';
import type { Taken } from '../taken/taken';
import { type Contest, fightsFor, isDue, isForeignDrift, MAX_FIGHTS, writeContests } from './contested-field';
import { driftsOf } from './drift';
import { refuseForeign } from './owner';

export interface HeadroomOutcome extends Decision, Overridden, News {
  readonly headroom: string;
  /** Of the Deployment, if it was written. */
  readonly uid?: string;
  /** What the decision was made for. */
  readonly pool: HeadroomConfig;
  readonly live?: LivePool;
  readonly like?: LikePool;
  readonly from: number;
  readonly ready: number;
  /** What was written: nothing, a new size, or other fields only. */
  readonly change: 'none' | 'created' | 'resized' | 'updated';
  /** The first field that differed, unless a newly decided size explains the write. */
  readonly drift?: string;
  /** Part of the record could not be read and was quarantined. */
  readonly unreadable?: string;
  readonly held?: Held;
  /** A field that somebody else keeps setting back. */
  readonly contested?: Contested;
  /** The cluster has no NodePool of this name. */
  readonly noSuchNodePool?: true;
}

/** What the steps before the decision found out. */
interface News extends Judged, Pick<Counted, 'countedLate'> {
  /** What work took since it was last counted. */
  readonly taken?: Taken;
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
  /** What counts: the deployed config, live schedules and announced peaks on top. */
  readonly pool: HeadroomConfig;
  readonly live?: LivePool | undefined;
  readonly like?: LikePool | undefined;
  readonly seen: Pick<Observed, 'nodePoolOf' | 'minor'>;
  readonly current: CurrentHeadroom | undefined;
  readonly news: News & { readonly overridden: Overridden };
  /** The part of the record that cannot be read. */
  readonly quarantined: string | undefined;
  readonly held: Held | undefined;
  readonly decision: Decision;
  readonly now: number;
}

/** Writes the decision if anything differs: one write that carries the version it was decided on. */
export async function applyDecision(change: Change, cluster: Cluster): Promise<HeadroomOutcome> {
  const { current, owner } = change;
  refuseForeign(current, owner);
  const { outcome, manifest } = prepareChange(change);
  if (outcome.change === 'none') return outcome;
  if (current?.deleting) throw new BeingDeletedError(current.name);
  const { uid } = await (current
    ? cluster.applyHeadroom(manifest, current.resourceVersion)
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

export function prepareChange(change: Change): { outcome: HeadroomOutcome; manifest: DeploymentManifest } {
  const { pool, seen, current, live, like, held, quarantined } = change;
  const { overridden, ...news } = change.news;
  const decision = {
    ...change.decision,
    reasons: [...change.decision.reasons, ...(live?.reasons ?? []), ...(like?.reasons ?? [])],
  };
  const manifest = manifestOf({ ...change, decision });
  const { isWritten, drift, contested, contests } = current
    ? compare(manifest, current, change)
    : { isWritten: true, drift: undefined, contested: undefined, contests: [] };
  const outcome: HeadroomOutcome = {
    headroom: pool.name,
    pool,
    ...(live && { live }),
    ...(like && { like }),
    replicas: decision.replicas,
    reasons: [...decision.reasons, ...handScaled(current, decision.replicas)],
    from: current?.replicas ?? 0,
    ready: current?.ready ?? 0,
    change: isWritten ? changeOf(current, decision.replicas) : 'none',
    ...(drift !== undefined && { drift }),
    ...news,
    ...overridden,
    ...(quarantined !== undefined && { unreadable: quarantined }),
    ...(held && { held }),
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

function manifestOf(change: Change): DeploymentManifest {
  const { config, pool, live, like, seen, current, decision } = change;
  const found = seen.nodePoolOf(pool.nodePool);
  const nodePool = found === 'missing' ? undefined : found;
  return pauseDeployment({
    pool,
    namespace: config.cluster.namespace,
    replicas: decision.replicas,
    annotations: {
      ...annotationsOf(change),
      ...keptAnnotation(ANNOTATIONS.live, live, current),
      ...keptAnnotation(ANNOTATIONS.like, like, current),
    },
    // For a missing NodePool the current needs are kept, so that its headroom fits when it comes back.
    ...((!nodePool && like?.needs) || needsOf(pool, nodePool, current)),
    ...(like && { reshape: like.reshape }),
    imageVolumes: seen.minor === undefined ? hasImageVolumes(current) : seen.minor >= IMAGE_VOLUMES_SINCE,
  });
}

/** An apply takes away only what is ours, and anybody may have written it: it is emptied first, and gone with the next write. */
function keptAnnotation(
  key: string,
  { annotation }: { readonly annotation?: string } = {},
  current: CurrentHeadroom | undefined,
): Record<string, string> {
  if (annotation) return { [key]: annotation };
  return current?.annotations[key] ? { [key]: '' } : {};
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
  const leftovers = [ANNOTATIONS.quarantined, ANNOTATIONS.live, ANNOTATIONS.like].filter(
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

function annotationsOf({ owner, decision, news: { record }, quarantined }: Change): Record<string, string> {
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
