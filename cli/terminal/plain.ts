/** C0 and C1 controls, line separators, and characters that reorder text. */
const CONTROL = '[\\p{Cc}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]';
const COLOUR = '\\u001b\\[\\d{1,2}m';
export const CLEAR_LINE = '\r\u001b[2K';
export const CLEAR_SCREEN = '\u001b[2J\u001b[H';
const CLEAR = '^(?:\\r\\u001b\\[2K|\\u001b\\[2J\\u001b\\[H)';

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const CONTROLS = new RegExp(CONTROL, 'gu');

/** Text from outside as part of one line: nothing in it moves the cursor, colours, reorders or begins another line. */
export function plain(text: string): string {
  return text.replace(BREAKS, ' ').replace(CONTROLS, escaped);
}

/** The same for every text in a value; backticks go too, since what is in them becomes a line of its own. */
export function plainAll<T>(value: T): T {
  if (typeof value === 'string') return plain(value).replaceAll('`', "'") as T;
  if (Array.isArray(value)) return value.map(plainAll) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [plainAll(key), plainAll(one)])) as T;
}

/** What may reach a terminal: line breaks, tabs and the sequences that this program writes, where it writes them. */
export function printable(
  text: string,
  { colours, redraws }: { readonly colours: boolean; readonly redraws: boolean },
): string {
  const own = [...(redraws ? [CLEAR] : []), ...(colours ? [COLOUR] : []), CONTROL].join('|');
  return text.replace(new RegExp(own, 'gu'), (found) =>
    found.length > 1 || found === '\n' || found === '\t' ? found : escaped(found),
  );
}

/** As JSON writes it, so that printed JSON still means the same. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
