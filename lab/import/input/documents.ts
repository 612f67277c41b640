import { basename } from 'node:path';
import { type Alias, type Document, isMap, isNode, isScalar, LineCounter, parseAllDocuments, visit } from 'yaml';
import { readFileOrFail } from '../../../cli/input/files';
import { InputError } from '../../../cli/terminal/exit';
import { asList, asMap, type Values } from '../../../shared/core/config/yaml/untyped';

export type Path = readonly (string | number)[];

export interface InputDocument {
  readonly file: string;
  readonly value: unknown;
  /** The line of a value, or of the nearest enclosing one. */
  readonly lineOf?: (path: Path) => number;
}

/** `{EKSCLUSTER_NAME}` without quotes is a map in YAML, but was meant as a placeholder. */
const PLACEHOLDER_KEY = /^[A-Z][A-Z0-9_]*$/;

/** Reads the documents of YAML or JSON files; `-` is standard input. An empty file is one without a value. */
export function readDocuments(files: readonly string[]): readonly InputDocument[] {
  const names = displayNames(files);
  return files.flatMap((file, index) => {
    const text = readFileOrFail(file, { expected: 'a YAML file, or - for standard input' });
    const name = names[index] ?? file;
    const documents = documentsIn(text, file === '-' ? 'standard input' : file);
    if (documents.length === 0) return [{ file: name, value: undefined }];
    return documents.map((document) => ({ ...document, file: name }));
  });
}

/** File names without folders, or whole paths where names clash. */
function displayNames(files: readonly string[]): readonly string[] {
  const short = files.map((file) => (file === '-' ? 'standard input' : basename(file)));
  return short.map((name, index) => (short.indexOf(name) === short.lastIndexOf(name) ? name : (files[index] ?? name)));
}

export function documentsIn(text: string, file: string): readonly InputDocument[] {
  const lines = new LineCounter();
  // Kubernetes and Helm support `<<: *anchor` too.
  const documents = [...parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, merge: true })];
  return documents.flatMap((document) => {
    const [problem] = document.errors;
    if (problem) throw new InputError(`${place(file, lines, problem.pos[0])}: ${yamlFault(problem.message, text)}`);
    const template = templateAt(document);
    if (template !== undefined) throw new InputError(`${place(file, lines, template)}: ${IS_TEMPLATE}`);
    const alias = lostAlias(document);
    if (alias)
      throw new InputError(
        `${place(file, lines, alias.range?.[0] ?? 0)}: the alias *${alias.source} has no anchor in this document; write its value out`,
      );
    return objectsOf(document, file).map(({ value, at }) => ({
      file,
      value,
      lineOf: (path) => lines.linePos(offsetOf(document, [...at, ...path])).line,
    }));
  });
}

const IS_TEMPLATE = 'is a Helm template; run helm template and import the output';

/** Other formats that are passed by mistake. */
const OTHER_TEXTS: readonly { readonly like: RegExp; readonly is: string }[] = [
  { like: /{{/, is: IS_TEMPLATE },
  { like: /^[ \t]*%{/m, is: 'is a template of Terraform; import what it renders' },
  { like: /^(resource|module|data|locals|variable)\b.*{\s*$/m, is: 'is a file of Terraform; import the YAML in it' },
  { like: /^```/m, is: 'is Markdown; import the YAML in it' },
  { like: /<<-?\s*['"]?[A-Z]+['"]?(\s|$)/m, is: 'is a script; import the YAML in it' },
];

function place(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line}:${col}`;
}

function yamlFault(message: string, text: string): string {
  const other = OTHER_TEXTS.find(({ like }) => like.test(text));
  if (other) return other.is;
  const [line = ''] = message.split('\n');
  return `is not YAML: ${line.charAt(0).toLowerCase()}${line.slice(1).replace(/[.:]$/, '')}; fix the file`;
}

/** `replicas: {{ .Values.replicas }}` is valid YAML, a map as a key, but really a Helm template. */
function templateAt(document: Document.Parsed): number | undefined {
  const found: number[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isMap(key)) found.push(key.range?.[0] ?? 0);
    },
  });
  return found[0];
}

/** Anchors end with their document. */
function lostAlias(document: Document.Parsed): Alias | undefined {
  const lost: Alias[] = [];
  visit(document, {
    Alias: (_, node) => {
      if (!node.resolve(document)) lost.push(node);
    },
  });
  return lost[0];
}

/** The items of a `kind: List`, as kubectl get -o yaml prints it, or else the object itself. */
function objectsOf(document: Document.Parsed, file: string): readonly { value: unknown; at: Path }[] {
  const value = plainOf(document, file);
  if (value === null || value === undefined) return [];
  const { kind, items } = asMap(value);
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [{ value, at: [] }];
  return asList(items).map((item, index) => ({ value: item, at: ['items', index] }));
}

function plainOf(document: Document.Parsed, file: string): unknown {
  visit(document, {
    Map: (_, { items }) => {
      const [only, ...others] = items;
      const text = isScalar(only?.key) ? String(only.key.value) : '';
      const isEmpty = only?.value === null || (isScalar(only?.value) && only.value.value === null);
      return others.length === 0 && isEmpty && PLACEHOLDER_KEY.test(text)
        ? document.createNode(`{${text}}`)
        : undefined;
    },
  });
  try {
    return document.toJS();
  } catch (error) {
    throw new InputError(`${file}: cannot be read: ${(error as Error).message}; write its anchors and aliases out`);
  }
}

function offsetOf(document: Document.Parsed, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

/** `Deployment web in web.yaml`. */
export function labelOf({ file, value }: InputDocument): string {
  const { kind, metadata } = asMap(value);
  const { name, namespace } = asMap(metadata) as Values;
  const where = namespace === undefined || namespace === null ? '' : `${namespace}/`;
  return kind === undefined ? file : `${kind} ${where}${name ?? '(no name)'} in ${file}`;
}
