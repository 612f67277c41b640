import wrapAnsi from 'wrap-ansi';
import { textWidth } from '../../shared/drawing/text-width';

const MIN_WIDTH = 8;

/** Breaks a text at blanks into lines of at most `width` columns; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? [] : wrapAnsi(line, width).split('\n');
}

/** The same, with a first line that begins differently from the others. */
export function wrapAfter(first: string, rest: string, text: string, width: number): string[] {
  const lines = wrap(text, Math.max(MIN_WIDTH, width - Math.max(textWidth(first), textWidth(rest))));
  return lines.length === 0 ? [first.trimEnd()] : lines.map((line, index) => `${index === 0 ? first : rest}${line}`);
}
