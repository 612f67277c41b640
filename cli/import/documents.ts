import { basename } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { asList, asMap, type Values } from '../../shared/core/config/untyped';
import { readFileOrFail } from '../input/files';
import { InputError } from '../terminal/exit';

/** One document of an input file. */
export interface InputDocument {
  readonly file: string;
  readonly value: unknown;
}

/** Reads YAML or JSON files with one or more documents each; `-` is standard input. */
export function readDocuments(files: readonly string[]): readonly InputDocument[] {
  return files.flatMap((file) => {
    const text = readFileOrFail(file, { expected: 'a YAML file, or - for standard input' });
    const documents = parseAllDocuments(text);
    return [...documents].flatMap((document) => {
      const [problem] = document.errors;
      if (problem) throw new InputError(`${file}: ${yamlFault(problem.message, text)}`);
      return unpacked(document.toJS()).map((value) => ({
        file: file === '-' ? 'standard input' : basename(file),
        value,
      }));
    });
  });
}

function yamlFault(message: string, text: string): string {
  const [line = ''] = message.split('\n');
  if (/{{/.test(text)) return 'is a Helm template; run helm template and import the output';
  return `is not YAML: ${line.charAt(0).toLowerCase()}${line.slice(1).replace(/:$/, '')}; fix the file`;
}

/** `kind: List` as kubectl get -o yaml prints it holds the objects themselves. */
function unpacked(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return [];
  const { kind, items } = asMap(value);
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? asList(items) : [value];
}

/** `Deployment web in web.yaml`. */
export function labelOf({ file, value }: InputDocument): string {
  const { kind, metadata } = asMap(value);
  const { name, namespace } = asMap(metadata) as Values;
  const where = namespace === undefined ? '' : `${namespace}/`;
  return kind === undefined ? file : `${kind} ${where}${name ?? '(no name)'} in ${file}`;
}
