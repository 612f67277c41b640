import type { YAMLParseError } from 'yaml';

/** What is wrong in a YAML text, and where. */
export interface YamlFault {
  readonly offset: number;
  readonly message: string;
}

/** Whoever sees so many syntax errors needs no more of them. */
const MAX_SHOWN = 20;

/** What to write where the library only says which rule is broken. */
const ADVICE: Readonly<Partial<Record<YAMLParseError['code'], string>>> = {
  BAD_INDENT: 'indent it like the keys or items beside it',
  BLOCK_AS_IMPLICIT_KEY: 'write one key on a line, and indent what belongs to it below',
  MULTILINE_IMPLICIT_KEY: 'write "key: value" on each line, and indent keys of one map alike',
  MISSING_CHAR: 'write the bracket, quote, comma or dash that is missing',
  BAD_SCALAR_START: 'write the value in quotes',
  BLOCK_IN_FLOW: 'write what is in brackets on one line, and without - in front',
};

/** The errors of the YAML library with what to write instead: the first of each line, which causes the others. */
export function syntaxFaults(text: string, errors: readonly YAMLParseError[]): YamlFault[] {
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  const [tab] = tabs;
  // A tab shifts everything below it.
  const told = tab ? [...errors.filter(({ pos }) => pos[0] < tab.pos[0]), tab] : errors;
  const first = new Map(told.map((error) => [lineAt(text, error.pos[0]).from, error] as const).reverse());
  const faults = [...first].reverse().map(([, error]) => faultOf(text, error, tabs.length));
  if (tab || errors.length <= MAX_SHOWN) return faults;
  const shown = faults.slice(0, MAX_SHOWN);
  const more = `and ${errors.length - shown.length} more problems like these`;
  return [...shown, { offset: errors.at(-1)?.pos[0] ?? 0, message: more }];
}

function faultOf(text: string, { code, pos: [offset], message }: YAMLParseError, tabs: number): YamlFault {
  if (code === 'TAB_AS_INDENT') {
    const others = tabs > 1 ? `, as ${tabs - 1} more ${tabs === 2 ? 'line has' : 'lines have'}` : '';
    return { offset, message: `has a tab in its indentation${others}; write spaces` };
  }
  const { from, line } = lineAt(text, offset);
  const [, before = '', value = ''] = /^(\s*(?:- +)?[^\s:#]+:\s+)([*>|@%`].*)$/.exec(line) ?? [];
  if (value !== '' && offset >= from + before.length)
    return {
      offset: from + before.length,
      message: `begins with ${value[0]}, which means something else in YAML; write it in quotes: "${value.trim().slice(0, 60)}"`,
    };
  const [, bracket] = /end with a ([\]}])/.exec(message) ?? [];
  const advice = bracket === undefined ? ADVICE[code] : `write the ${bracket} that is missing`;
  return { offset, message: `is not valid YAML: ${message}${advice === undefined ? '' : `; ${advice}`}` };
}

function lineAt(text: string, offset: number): { readonly from: number; readonly line: string } {
  const from = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', from);
  return { from, line: text.slice(from, Math.min(end < 0 ? text.length : end, from + 1_000)) };
}
