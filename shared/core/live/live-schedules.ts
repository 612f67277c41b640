import { messageOf } from '../basics/errors';
import { REASONS } from '../basics/reasons';
import { type Config, type HeadroomConfig, headroomsOn } from '../config/config';
import { type EffectivePool, effectiveHeadroom } from './effective-pool';
import type { Kept } from './kept-parts';
import { type LiveConfigMap, type LiveText, liveTextOf, unreadText } from './live-text';
import { readKept } from './read-kept';
import { type CompiledLive, keepLive } from './update-kept';

/** In heartbeats, one of which may be a little early or late: loud from the third on. */
const QUIET_BEATS = 1.5;

/** What counts for one headroom, and what its Deployment keeps of it. */
export interface LivePool extends EffectivePool {
  readonly kept?: Kept;
  /** The annotation to write. */
  readonly annotation?: string;
  /** Why the text is refused or unread, if it is so for the first time. */
  readonly news?: string;
  /** The ConfigMap has not been readable for three heartbeats. */
  readonly isUnread?: true;
  /** What the decision says beside its own reasons. Times are absolute, so that the text stays the same. */
  readonly reasons: readonly string[];
}

export interface LiveInput {
  readonly pool: HeadroomConfig;
  readonly annotation: string | undefined;
  /** Absent if the ConfigMap was not read: what is kept applies and is passed on. */
  readonly seen?: LiveText | undefined;
  readonly now: number;
  readonly isDeploy?: boolean;
}

/** The windows that people edit in the cluster. */
export interface LiveSchedules {
  /** Reads the ConfigMap; absent where only what is kept counts. */
  readonly read?: (now: number) => Promise<LiveText>;
  effective(input: LiveInput): Promise<LivePool>;
}

/** With `read` for the function that reads the ConfigMap, without it for all others. */
export function liveSchedules(config: Config, read?: () => Promise<LiveConfigMap | undefined>): LiveSchedules {
  const { headrooms, heartbeatSeconds } = config;
  const quietMs = QUIET_BEATS * heartbeatSeconds * 1_000;
  const deployed = new Set(headrooms.map(({ name }) => name));
  let last: { readonly hash: string; readonly compiled: Promise<CompiledLive> } | undefined;
  const compile = ({ hash, key, text }: Extract<LiveText, { kind: 'text' }>) => {
    if (last?.hash !== hash) last = { hash, compiled: compileText(key, text, deployed) };
    return last.compiled;
  };
  return {
    ...(read && { read: (now: number) => readText(read, now) }),
    effective: async ({ pool, annotation, seen, now, isDeploy = false }) => {
      const before = readKept(annotation);
      const kept = seen
        ? await keepLive({ headroom: pool.name, kept: before, seen, now, again: isDeploy, compile })
        : before;
      const written = seen ? kept && JSON.stringify(kept) : annotation;
      const { problem: uncounted, notes, ...effective } = effectiveHeadroom(pool, kept, config);
      const isUnread = kept?.unread !== undefined && now - Date.parse(kept.unread.since) >= quietMs;
      // Loud also if the same heartbeat repaired it.
      const broken = before?.broken === undefined ? undefined : REASONS.liveBroken(before.broken);
      const problem = kept?.refused?.problem ?? (isUnread ? kept.unread?.problem : undefined) ?? broken ?? uncounted;
      const news = newsOf(kept, before);
      return {
        ...effective,
        ...(problem !== undefined && { problem }),
        notes: [...notes, ...undeployedNotes(kept, headrooms)],
        reasons: [...(kept ? reasonsFor(kept) : []), ...(uncounted ? [REASONS.liveUncounted(uncounted)] : [])],
        ...(kept && { kept }),
        ...(written !== undefined && { annotation: written }),
        ...(isUnread && { isUnread }),
        ...(news !== undefined && { news }),
      };
    },
  };
}

function newsOf(kept: Kept | undefined, before: Kept | undefined): string | undefined {
  if (kept?.unread && !before?.unread) return kept.unread.problem;
  return kept?.refused?.hash === before?.refused?.hash ? undefined : kept?.refused?.problem;
}

function reasonsFor({ refused, unread, broken, goneSince, hash, at }: Kept): readonly string[] {
  const counting = hash === '' ? undefined : at;
  return [
    ...(refused ? [REASONS.liveRefused(refused.at, counting, refused.problem)] : []),
    ...(unread ? [REASONS.liveUnread(unread.since, counting, unread.problem)] : []),
    ...(broken === undefined ? [] : [REASONS.liveBroken(broken)]),
    ...(goneSince === undefined ? [] : [REASONS.liveGone(goneSince, counting)]),
  ];
}

function undeployedNotes({ undeployed = [] }: Partial<Kept> = {}, headrooms: Config['headrooms']): readonly string[] {
  if (undeployed.length === 0) return [];
  const names = undeployed.map((name) => {
    const on = headroomsOn(name, { headrooms }).map((one) => one.name);
    return on.length > 0 ? `${name} (a NodePool; its headrooms: ${on.join(', ')})` : name;
  });
  return [`no headroom of these names is deployed: ${names.join(', ')}`];
}

async function readText(read: () => Promise<LiveConfigMap | undefined>, now: number): Promise<LiveText> {
  try {
    return liveTextOf(await read(), now);
  } catch (error) {
    return unreadText(messageOf(error));
  }
}

async function compileText(file: string, text: string, deployed: ReadonlySet<string>): Promise<CompiledLive> {
  // YAML and schema are large, and needed only for a text that is new.
  const { liveProblemText, loadLive } = await import('../config/read/load-live');
  const loaded = loadLive({ file, text });
  if (!loaded.ok) return { ok: false, problem: liveProblemText(loaded.problems, text) };
  return { ...loaded, undeployed: [...loaded.parts.keys()].filter((name) => !deployed.has(name)) };
}
