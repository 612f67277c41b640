import type { LivePart } from '../config/schema/live-schema';
import type { Edit, Kept, KeptSchedule } from './kept-parts';
import type { LiveText } from './live-text';

/** A replace is a delete and a create: what is kept counts a while longer. */
const GONE_AFTER_MS = 120_000;
/** What is kept of the problem of a refused text, and of the names of NodePools that are not deployed. */
const MAX_PROBLEM = 600;
/** Of a ConfigMap that cannot be read; a path and a status fit. */
const MAX_UNREAD = 300;
const MAX_UNDEPLOYED = 5;
/** Clocks differ by less; a later time was not written by us. */
const MAX_AHEAD_MS = 300_000;

/** The parts of a valid text by NodePool, or its first problem. */
export type CompiledLive =
  | { readonly ok: true; readonly parts: ReadonlyMap<string, LivePart>; readonly undeployed: readonly string[] }
  | { readonly ok: false; readonly problem: string };

interface KeepInput {
  readonly headroom: string;
  readonly kept: Kept | undefined;
  readonly seen: LiveText;
  readonly now: number;
  /** Whether to read the text again although it is known: a deploy may have added or removed NodePools. */
  readonly again: boolean;
  /** Reads the text; it is asked only for one that is not known. */
  readonly compile: (text: Extract<LiveText, { kind: 'text' }>) => Promise<CompiledLive>;
}

/**
 * What a Deployment keeps from now on:
 * - a new text counts as a whole, or changes nothing and is remembered as refused;
 * - without a readable text, what was kept stands, and since when it cannot be read is remembered;
 * - once the ConfigMap has been gone for two minutes, nothing is kept.
 */
export async function keepLive({ headroom, kept, seen, now, again, compile }: KeepInput): Promise<Kept | undefined> {
  if (seen.kind === 'gone') return keepGone(kept, now);
  if (seen.kind === 'unread') return keepUnread(kept, seen.problem, now);
  const { goneSince: _gone, unread: _unread, refused, ...valid } = kept ?? { hash: '', by: seen.by, at: seen.at };
  if (seen.kind === 'broken') return { ...valid, refused: refusal(seen, seen.problem, refused) };
  if (!again && valid.broken === undefined && valid.hash === seen.hash) return valid;
  if (!again && refused?.hash === seen.hash) return { ...valid, refused };
  const compiled = await compile(seen);
  if (!compiled.ok) return { ...valid, refused: refusal(seen, compiled.problem, refused) };
  const edit = valid.broken === undefined && valid.hash === seen.hash ? valid : seen;
  const { undeployed } = compiled;
  return {
    ...keptOf(compiled.parts.get(headroom) ?? {}, edit, { ...valid, hash: seen.hash }),
    ...(undeployed.length > 0 && { undeployed: undeployed.slice(0, MAX_UNDEPLOYED) }),
  };
}

function keepGone(kept: Kept | undefined, now: number): Kept | undefined {
  if (!kept || (kept.hash === '' && !kept.refused)) return undefined;
  const { unread: _unread, ...rest } = kept;
  const goneSince = sinceWhen(kept.goneSince, now);
  return now - Date.parse(goneSince) < GONE_AFTER_MS ? { ...rest, goneSince } : undefined;
}

/** Everything stands. Why it was unread at first stays too: a time-out has other seconds every time, and each would be a write. */
function keepUnread(kept: Kept | undefined, problem: string, now: number): Kept {
  const since = sinceWhen(kept?.unread?.since, now);
  const unread = { since, problem: kept?.unread?.problem ?? problem.replace(/[^ -~]/g, '?').slice(0, MAX_UNREAD) };
  return { ...(kept ?? { hash: '', by: '', at: since }), unread };
}

function sinceWhen(since: string | undefined, now: number): string {
  return since !== undefined && Date.parse(since) - now < MAX_AHEAD_MS ? since : new Date(now).toISOString();
}

/** What is kept of one NodePool's part; windows that an edit leaves alone keep the edit that brought them. */
export function keptOf(
  { base, schedules }: LivePart,
  { by, at }: Edit,
  { hash, schedules: before = [] }: Pick<Kept, 'hash' | 'schedules'> = { hash: '' },
): Kept {
  const kept = schedules?.map((schedule): KeptSchedule => {
    const same = before.find(({ edit: _, ...old }) => JSON.stringify(old) === JSON.stringify(schedule));
    return { ...schedule, edit: same?.edit ?? { by, at } };
  });
  return { hash, by, at, ...(base !== undefined && { base }), ...(kept && { schedules: kept }) };
}

/** A refusal that is known stays as it is, so that nothing is written again. */
function refusal(
  { hash, by, at }: Edit & { readonly hash: string },
  problem: string,
  before: Kept['refused'],
): NonNullable<Kept['refused']> {
  return before?.hash === hash
    ? before
    : { hash, by, at, problem: problem.replace(/\p{Cc}/gu, ' ').slice(0, MAX_PROBLEM) };
}
