import type { LivePart } from '../config/schema/live-schema';
import type { Edit, Kept, KeptSchedule } from './kept';
import type { LiveText } from './live-text';

/** A replace is a delete and a create: what is kept counts a while longer. */
const GONE_AFTER_MS = 120_000;
/** What is kept of the problem of a refused text, and of the names of NodePools that are not deployed. */
const MAX_PROBLEM = 600;
const MAX_UNDEPLOYED = 5;

/** The parts of a valid text by NodePool, or its first problem. */
export type CompiledLive =
  | { readonly ok: true; readonly parts: ReadonlyMap<string, LivePart>; readonly undeployed: readonly string[] }
  | { readonly ok: false; readonly problem: string };

interface KeepInput {
  readonly nodePool: string;
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
 * - without a readable text, what was kept stands;
 * - once the ConfigMap has been gone for two minutes, nothing is kept.
 */
export async function keepLive({ nodePool, kept, seen, now, again, compile }: KeepInput): Promise<Kept | undefined> {
  if (seen.kind === 'gone') {
    const goneSince = kept?.goneSince ?? new Date(now).toISOString();
    return kept && now - Date.parse(goneSince) < GONE_AFTER_MS ? { ...kept, goneSince } : undefined;
  }
  const { goneSince, refused, ...valid } = kept ?? { hash: '', by: seen.by, at: seen.at };
  // One that could not be looked for may still be gone.
  const gone = 'isUnread' in seen && goneSince !== undefined ? { goneSince } : {};
  if (seen.kind === 'broken') return { ...valid, ...gone, refused: refusal(seen, seen.problem, refused) };
  if (!again && valid.hash === seen.hash) return valid;
  if (!again && refused?.hash === seen.hash) return { ...valid, refused };
  const compiled = await compile(seen);
  if (!compiled.ok) return { ...valid, refused: refusal(seen, compiled.problem, refused) };
  const edit = valid.hash === seen.hash ? valid : seen;
  const { undeployed } = compiled;
  return {
    ...keptOf(compiled.parts.get(nodePool) ?? {}, edit, { ...valid, hash: seen.hash }),
    ...(undeployed.length > 0 && { undeployed: undeployed.slice(0, MAX_UNDEPLOYED) }),
  };
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
