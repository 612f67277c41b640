import { styleText } from 'node:util';

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';
export type Paint = (colour: Colour, text: string) => string;

/** Colours where they are wanted, the plain text elsewhere. */
export function painter({ colours }: { readonly colours: boolean }): Paint {
  if (!colours) return (_colour, text) => text;
  // The terminal has decided already; without this Node.js would ask the process's own output again.
  return (colour, text) => (text === '' ? '' : styleText(colour, text, { validateStream: false }));
}
