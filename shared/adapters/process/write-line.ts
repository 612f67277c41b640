/** One line on standard output; not by `console`, which Lambda patches to put words before the JSON. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`);
}
