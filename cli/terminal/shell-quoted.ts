const PLAIN = /^[\w@%+=:,./-]+$/;

/** Quotes an argument for a POSIX shell, if necessary. */
export function shellQuoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
