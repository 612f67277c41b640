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
