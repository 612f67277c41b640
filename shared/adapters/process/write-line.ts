/** One line on standard output; not with `console`, which Lambda patches to add a prefix to the JSON. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`);
}
