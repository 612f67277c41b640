import stringWidth from 'string-width';

/** Graphemes: what a reader sees as one character, however many code points it has. */
const characters = new Intl.Segmenter();

/** The columns that a text takes on a terminal, colours not counted. */
export function textWidth(text: string): number {
  return stringWidth(text);
}

/** Pads with spaces, or cuts with an ellipsis, to exactly `width` columns; for text without colours. */
export function toWidth(text: string, width: number): string {
  return pad(cut(text, width), width);
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

export function padLeft(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text;
}

/** At most `width` columns, with an ellipsis if something is cut; for text without colours. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const { segment } of characters.segment(text)) {
    used += textWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
