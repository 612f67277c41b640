const CODES = {
  bold: ['1', '22'],
  dim: ['2', '22'],
  red: ['31', '39'],
  green: ['32', '39'],
  yellow: ['33', '39'],
  blue: ['34', '39'],
  magenta: ['35', '39'],
  cyan: ['36', '39'],
} as const;

export type Colour = keyof typeof CODES;
export type Paint = (colour: Colour, text: string) => string;

/** Colours where they are wanted, the plain text elsewhere. */
export function painter({ colours }: { readonly colours: boolean }): Paint {
  if (!colours) return (_colour, text) => text;
  return (colour, text) => {
    const [on, off] = CODES[colour];
    return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
