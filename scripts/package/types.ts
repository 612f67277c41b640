import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../../infra/bundling/root';

const DOOR = join(ROOT, 'infra/index.ts');
const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
/** What an app that imports the package has anyway. */
const PEERS = /^(aws-cdk-lib|constructs)(\/|$)/;

/**
 * Writes the declarations that `infra/index.ts` leads to, comments included.
 * Types that a schema infers are written out, so that nobody needs the schema's library.
 */
export function writeTypes(folder: string): void {
  const program = ts.createProgram([DOOR], compilerOptions(folder));
  const emitted = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (file, text) => emitted.set(file, text), undefined, true);
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, HOST));
  const reached = new Map<string, Set<string>>([[join(folder, 'infra/index.d.ts'), new Set()]]);
  for (const file of reached.keys())
    for (const { path, names } of isForeign(textOf(file, emitted)) ? [] : importsOf(file, textOf(file, emitted)))
      reached.set(path, new Set([...(reached.get(path) ?? []), ...names]));
  for (const [file, names] of reached) {
    const text = textOf(file, emitted);
    const asked = () => [...names].sort().map((name) => `export type ${name} = ${writtenOut(name, file, program)};\n`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, isForeign(text) ? asked().join('\n') : text);
  }
}

const HOST: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => ROOT,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

function compilerOptions(outDir: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: ROOT, outDir };
}

function textOf(file: string, emitted: ReadonlyMap<string, string>): string {
  const text = emitted.get(file);
  if (text === undefined) throw new Error(`${relative(ROOT, file)} is imported and has no declarations`);
  return text;
}

/** Whether the declarations need a library that an app need not have. */
function isForeign(text: string): boolean {
  const { importedFiles } = ts.preProcessFile(text);
  return importedFiles.some(({ fileName }) => !fileName.startsWith('.') && !PEERS.test(fileName));
}

/** What the compiler takes a type for, without the names of other types. */
function writtenOut(name: string, file: string, program: ts.Program): string {
  const source = sourceOf(file, program);
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(source);
  const exported = symbol && checker.getExportsOfModule(symbol).find((one) => one.name === name);
  if (!exported) throw new Error(`${source.fileName} exports no type ${name}`);
  return checker.typeToString(checker.getDeclaredTypeOfSymbol(exported), source, FLAGS);
}

function sourceOf(declaration: string, program: ts.Program): ts.SourceFile {
  const ending = declaration.replace(/\.d\.ts$/, '.ts');
  const found = program.getSourceFiles().find(({ fileName }) => ending.endsWith(relative(ROOT, fileName)));
  if (!found) throw new Error(`${declaration} has no source`);
  return found;
}

/** The files that a declaration imports, each with the names that it takes from there. */
function importsOf(
  file: string,
  text: string,
): readonly { readonly path: string; readonly names: readonly string[] }[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const from = statement.moduleSpecifier;
    if (!from || !ts.isStringLiteral(from) || !from.text.startsWith('.')) return [];
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    const named = bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings)) ? bindings.elements : [];
    const names = named.map(({ propertyName, name }) => (propertyName ?? name).text);
    return [{ path: join(dirname(file), `${from.text}.d.ts`), names }];
  });
}
