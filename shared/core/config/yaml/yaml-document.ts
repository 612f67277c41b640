import { Composer, type CST, type Document, Lexer, type LineCounter, Parser } from 'yaml';
import { syntaxFaults, type YamlFault } from './syntax-faults';

/** The largest config file, in characters. */
const MAX_CHARACTERS = 1_048_576;
/** Words, signs and lines; a config of 200 NodePools with all their keys has fewer. */
const MAX_PARTS = 150_000;
/** The config itself needs ten levels; the YAML library runs out of stack at a thousand. */
export const MAX_DEPTH = 100;
/** Enough for what is shown; more cost time. */
const MAX_SYNTAX_ERRORS = 20;

export const DEPTH_MESSAGE = `is nested more than ${MAX_DEPTH} levels deep; write it flatter`;

/** Reads the one document of a text, in bounded work however hostile the text is. */
export function readDocument(text: string, lines: LineCounter): { document?: Document.Parsed; faults: YamlFault[] } {
  if (text.length > MAX_CHARACTERS)
    return { faults: [{ offset: 0, message: `has ${(text.length / 2 ** 20).toFixed(1)} MB; write at most 1 MB` }] };
  // Repeated keys are found while the values are read: the library compares each key with all others.
  const composer = new Composer({ lineCounter: lines, uniqueKeys: false });
  try {
    const [document, second] = composer.compose(boundedTokens(text, lines), true, text.length);
    const message = 'a second YAML document begins here; write one document in a file';
    if (second) return { faults: [{ offset: second.range[0], message }] };
    return document ? { document, faults: syntaxFaults(text, document.errors) } : { faults: [] };
  } catch (error) {
    if (!(error instanceof TooMuchYaml)) throw error;
    return { faults: [{ offset: error.offset, message: error.message }] };
  }
}

class TooMuchYaml extends Error {
  override readonly name = 'TooMuchYaml';

  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

function* boundedTokens(text: string, lines: LineCounter): Generator<CST.Token> {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  let [lexemes, errors] = [0, 0];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') errors += 1;
      yield token;
    }
    lexemes += 1;
    if (errors > MAX_SYNTAX_ERRORS) return;
    if (parser.stack.length > MAX_DEPTH) throw new TooMuchYaml(parser.offset - lexeme.length, DEPTH_MESSAGE);
    if (lexemes + lines.lineStarts.length > MAX_PARTS)
      throw new TooMuchYaml(
        parser.offset,
        'has more than 150,000 words, signs and lines; write less, with defaults or anchors',
      );
  }
  yield* parser.end();
}
