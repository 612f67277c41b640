const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word as a POSIX shell reads it back. */
export function shellQuoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
