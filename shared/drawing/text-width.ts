// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const COLOURS = /\u001b\[\d+m/g;
const INVISIBLE = /^[\p{Mark}\p{Format}]$/u;

/** East Asian wide and full-width characters, and emoji: two columns each. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

/** The columns that a text takes on a terminal, colours not counted. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text.replace(COLOURS, '')) width += characterWidth(character);
  return width;
}

/** Fills up with blanks, or cuts with an ellipsis, to exactly `width` columns; for text without colours. */
export function toWidth(text: string, width: number): string {
  return pad(cut(text, width), width);
}

/** Blanks at the end, up to `width` columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** Blanks at the start, up to `width` columns. */
export function padLeft(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text;
}

/** At most `width` columns, with an ellipsis where something is missing; for text without colours. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const character of text) {
    used += characterWidth(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (INVISIBLE.test(character)) return 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
