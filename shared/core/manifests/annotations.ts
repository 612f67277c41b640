/** What `kubectl describe` shows of a headroom beside its size. */
export const ANNOTATIONS = {
  record: 'headstart.dev/record',
  quarantined: 'headstart.dev/unreadable-record',
  reasons: 'headstart.dev/reasons',
  /** The size that Headstart last decided: a different live size was set by somebody else. */
  decided: 'headstart.dev/decided-replicas',
  /** Changes with every field that we state, so that a field we no longer state is taken away too. */
  template: 'headstart.dev/template-hash',
  /** Account, region, cluster, namespace and stack that it belongs to. */
  owner: 'headstart.dev/owner',
  /** A field that somebody else keeps setting back, and how often it was set right. */
  contested: 'headstart.dev/contested-field',
} as const;

/** The reasons as `kubectl describe` shows them: a list, so that a reason may contain any text. */
export function writeReasons(reasons: readonly string[]): string {
  return JSON.stringify(reasons);
}

/** Reads the annotation back; what somebody else wrote there counts as one reason. */
export function readReasons(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map(String) : [text];
  } catch {
    return [text];
  }
}
