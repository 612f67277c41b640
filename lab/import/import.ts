import { existsSync } from 'node:fs';
import { configOf, type FileHead } from '../../cli/config-file/write-config';
import { type Commands, commandsFor } from '../../cli/input/commands';
import { writeFileOrFail } from '../../cli/input/files';
import { EXIT, InputError } from '../../cli/terminal/exit';
import { jsonText, type Terminal } from '../../cli/terminal/terminal';
import { asList, asMap } from '../../shared/core/config/yaml/untyped';
import { count } from '../../shared/drawing/amounts';
import { finalize } from './finalize';
import { headFacts } from './head-facts';
import { type InputDocument, readDocuments } from './input/documents';
import { leftWhole } from './input/field-ledger';
import { type Imported, leftOversOf, writeImported } from './input/imported';
import { isAside } from './pause/pause';
import { withoutSecondFloors } from './second-floors';
import { importAny, SOURCES, type Source, sourcesOf } from './sources';

/** Kinds that must have a pod template; a Rollout may refer to a Deployment instead. */
const WITH_TEMPLATE = ['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController'];

export interface ImportOptions {
  readonly nodepool: string;
  readonly cluster?: string;
  readonly region?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function importFrom(
  source: Source | undefined,
  files: readonly string[],
  options: ImportOptions,
  terminal: Terminal,
): number {
  const documents = readDocuments(files);
  const commands = commandsFor(options.out === undefined ? {} : { config: options.out }, terminal);
  const head: FileHead = {
    command: source === undefined ? 'import' : `import ${source}`,
    files: files.map((file) => (file === '-' ? 'standard input' : file)),
    next: commands.headstart('plan'),
    ...headFacts(documents, options),
  };
  // An import would wrongly fill in defaults for what an incomplete object, such as a patch, lacks.
  const whole = documents.filter(({ value }) => whyPart(value) === undefined);
  const parts = documents.flatMap((document) => {
    const why = whyPart(document.value);
    return why === undefined ? [] : [leftWhole(document, why)];
  });
  const read = (source === undefined ? importAny : SOURCES[source])(whole, options.nodepool, head.clusterName);
  const found = { ...read, others: [...read.others, ...parts] };
  if (found.pools.length === 0) throw new InputError(nothingText(source, files, whole, found, commands));
  const imported = finalize(withoutSecondFloors(found), head);
  const text = options.json ? jsonText(asJson(imported, head)) : writeImported(imported, head);
  const { out } = options;
  if (out === undefined) {
    terminal.out(text);
    return EXIT.ok;
  }
  if (existsSync(out) && !options.force)
    throw new InputError(`--out ${out}: already exists; add --force to overwrite it, or pass another file`);
  writeFileOrFail(out, text, '--out');
  const left = allLeftOvers(imported).length;
  terminal.out(
    `wrote ${out}: ${count(imported.pools.length, 'headroom')}, ${count(left, 'setting')} not carried over (see the comments); next: ${commands.headstart('plan')}\n`,
  );
  return EXIT.ok;
}

function allLeftOvers({ pools, others }: Imported) {
  const inside = pools.flatMap(({ sources }) =>
    sources.flatMap((source) => leftOversOf(source).map((left) => ({ label: source.ledger.label, ...left }))),
  );
  return [...inside, ...others];
}

function asJson(imported: Imported, head: FileHead) {
  const remarks = imported.pools.flatMap(({ name, about = [], remarks: own }) => [
    ...about.map((text) => ({ path: `nodePools.${name}`, text })),
    ...Object.entries(own).flatMap(([key, texts]) =>
      [texts].flat().map((text) => ({ path: `nodePools.${name}.${key}`, text })),
    ),
  ]);
  return { config: configOf(imported, head), notCarriedOver: allLeftOvers(imported), remarks };
}

function betterSources(documents: readonly InputDocument[], source: Source): readonly Source[] {
  const others = [...new Set(sourcesOf(documents).values())].filter((other) => other !== source);
  return others.filter((other) => SOURCES[other](documents, 'default').pools.length > 0);
}

function nothingText(
  source: Source | undefined,
  files: readonly string[],
  documents: readonly InputDocument[],
  { others }: Imported,
  commands: Commands,
): string {
  const better = source === undefined ? [] : betterSources(documents, source);
  const advice = better.map((other) => `; run ${commands.headstart('import', other, ...files)}`).join('');
  const realFirst = others.toSorted((a, b) => Number(isAside(a.why)) - Number(isAside(b.why)));
  const reasons = realFirst.map(
    ({ label, path, why }) => `  ${[label, path].filter((part) => part !== '').join(' ')}: ${why}`,
  );
  const by = source === undefined ? 'Headstart' : `import ${source}`;
  return [`${files.join(', ')}: nothing that ${by} can import${advice}`, ...reasons].join('\n');
}

function whyPart(value: unknown): string | undefined {
  if (value === undefined) return 'is empty, or has only comments';
  const missing = missingIn(value);
  return missing && `has no ${missing}, as a patch of Kustomize has none; import what kubectl kustomize prints`;
}

function missingIn(value: unknown): string | undefined {
  const { kind, spec } = asMap(value);
  const { template, scaleTargetRef } = asMap(spec);
  const pods = asMap(asMap(template).spec);
  if (WITH_TEMPLATE.includes(String(kind))) return asList(pods.containers).length > 0 ? undefined : 'containers';
  if (kind === 'NodePool') return Object.keys(pods).length > 0 ? undefined : 'spec.template.spec';
  if (kind === 'ScaledObject') return Object.keys(asMap(scaleTargetRef)).length > 0 ? undefined : 'spec.scaleTargetRef';
  return undefined;
}
