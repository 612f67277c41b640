import { parseJson } from '../basics/json';

/** The annotations of a headroom Deployment. */
export const ANNOTATIONS = {
  record: 'headstart.dev/record',
  quarantined: 'headstart.dev/unreadable-record',
  reasons: 'headstart.dev/reasons',
  /** The last decided size: if the current size differs, somebody else set it. */
  decided: 'headstart.dev/decided-replicas',
  /** Changes with every field that we set, so that a field we no longer set is removed too. */
  template: 'headstart.dev/template-hash',
  /** The account, region, cluster, namespace and stack that it belongs to. */
  owner: 'headstart.dev/owner',
  /** A field that somebody else keeps changing, and how often it was corrected. */
  contested: 'headstart.dev/contested-field',
  /** The live schedules of the NodePool that were last valid. */
  live: 'headstart.dev/live',
  /** The shape and the replicas of the workload that the headroom is for. */
  like: 'headstart.dev/like',
} as const;

/** The reasons as a JSON list, so that a reason may contain any text. */
export function writeReasons(reasons: readonly string[]): string {
  return JSON.stringify(reasons);
}

/** Reads the annotation; text that is not ours counts as one reason. */
export function readReasons(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  const value = parseJson(text);
  return Array.isArray(value) ? value.map(String) : [text];
}
