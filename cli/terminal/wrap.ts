import wrapAnsi from 'wrap-ansi';
import { textWidth } from '../../shared/drawing/text-width';

const MIN_WIDTH = 8;

/** A command in backticks, with the punctuation that would begin the next line. */
const COMMAND = /(`[^`]+`)[,;]?/;

/**
 * Wraps text at spaces into lines of at most `width` columns. A command in backticks becomes a line of its own, without
 * the backticks and however long, so that it can be pasted as a whole.
 */
export function wrap(text: string, width: number): string[] {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.split(COMMAND).flatMap((part, index) => {
    if (index % 2 === 1) return [part.slice(1, -1)];
    return part.trim() === '' ? [] : wrapAnsi(part.trim(), width).split('\n');
  });
}

/** The same, with a prefix for the first line and another for the rest. */
export function wrapAfter(first: string, rest: string, text: string, width: number): string[] {
  const lines = wrap(text, Math.max(MIN_WIDTH, width - Math.max(textWidth(first), textWidth(rest))));
  return lines.length === 0 ? [first.trimEnd()] : lines.map((line, index) => `${index === 0 ? first : rest}${line}`);
}
