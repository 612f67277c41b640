import { hashText, LIVE_SCHEDULES } from '../basics/names';
import type { Edit } from './kept-parts';

/** The largest text, in bytes. */
const MAX_TEXT = 65_536;
/** The longest name of a field manager that is kept. */
const MAX_BY = 64;
/** Changes when a text that was valid may be read in another way. */
const READER = 1;

export interface LiveConfigMap {
  readonly data: Readonly<Record<string, string>>;
  readonly binaryKeys: readonly string[];
  readonly uid?: string;
  /** The last change of its data, if managedFields tell. */
  readonly edit?: Edit;
}

export type LiveText =
  | { readonly kind: 'gone' }
  /** Nobody knows whether it is there. */
  | { readonly kind: 'unread'; readonly problem: string }
  | (Found & { readonly kind: 'text'; readonly key: string; readonly text: string })
  | (Found & { readonly kind: 'broken'; readonly problem: string });

interface Found extends Edit {
  readonly hash: string;
  readonly uid?: string;
}

export function liveTextOf(found: LiveConfigMap | undefined, now: number): LiveText {
  if (!found) return { kind: 'gone' };
  const { by, at } = found.edit ?? { by: 'somebody', at: new Date(now).toISOString() };
  // As long in JSON as it looks.
  const edit = {
    by: by.replace(/[^ !#-[\]-~]/g, '?').slice(0, MAX_BY),
    at,
    ...(found.uid !== undefined && { uid: found.uid }),
  };
  const problem = wrongShape(found);
  if (problem !== undefined) return { kind: 'broken', hash: hashOf(problem), problem, ...edit };
  const [[key, text] = ['', '']] = Object.entries(found.data);
  return { kind: 'text', hash: hashOf(text), key, text, ...edit };
}

/** The ConfigMap may be there, but the cluster did not hand it out. */
export function unreadText(why: string): LiveText {
  return { kind: 'unread', problem: `ConfigMap ${LIVE_SCHEDULES} cannot be read: ${why}` };
}

function hashOf(text: string): string {
  return `${READER}-${hashText(text)}`;
}

function wrongShape({ data, binaryKeys }: LiveConfigMap): string | undefined {
  const keys = Object.keys(data);
  const what = `ConfigMap ${LIVE_SCHEDULES}`;
  if (binaryKeys.length > 0) return `${what} has binaryData (${binaryKeys.join(', ')}); write the text in data`;
  if (keys.length === 0) return `${what} has no key in data; write one, such as schedules.yaml`;
  if (keys.length > 1) return `${what} has ${keys.length} keys in data (${keys.join(', ').slice(0, 200)}); write one`;
  const size = new TextEncoder().encode(data[keys[0] ?? '']).length;
  return size > MAX_TEXT ? `${what} has ${size} bytes in ${keys[0]}; write at most ${MAX_TEXT}` : undefined;
}
