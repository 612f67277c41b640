const PLAIN = /^[\w@%+=:,./-]+$/;
/** A text such as a reason, in which double quotes leave nothing for the shell to expand. */
const TEXT = /^[\w -]+$/;

export function shellQuoted(word: string): string {
  if (TEXT.test(word) && word.includes(' ')) return `"${word}"`;
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
