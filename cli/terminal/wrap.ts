import { textWidth } from '../../shared/drawing/text-width';

/** Breaks a text at blanks into lines of at most `width` columns; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}

/** The same, with a first line that begins differently from the others. */
export function wrapAfter(first: string, rest: string, text: string, width: number): string[] {
  const lines = wrap(text, Math.max(8, width - Math.max(textWidth(first), textWidth(rest))));
  return lines.length === 0 ? [first.trimEnd()] : lines.map((line, index) => `${index === 0 ? first : rest}${line}`);
}
