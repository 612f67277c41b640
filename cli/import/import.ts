import { existsSync } from 'node:fs';
import { count } from '../../shared/drawing/amounts';
import { writeFileOrFail } from '../input/files';
import { EXIT, InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { readDocuments } from './documents';
import { finalize } from './finalize';
import { type Imported, leftOversOf } from './imported';
import { importKeda } from './keda';
import { importOverprovisioner } from './overprovisioner';
import { importProvisioner } from './provisioner';
import { configOf, type FileHead, writeConfig } from './write-config';

export interface ImportOptions {
  readonly nodepool: string;
  readonly cluster?: string;
  readonly region?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const SOURCES = { keda: importKeda, overprovisioner: importOverprovisioner, provisioner: importProvisioner } as const;

/** Creates a config from an existing setup; comments in it list what was not carried over. */
export function importFrom(
  source: keyof typeof SOURCES,
  files: readonly string[],
  options: ImportOptions,
  terminal: Terminal,
): number {
  const head: FileHead = { command: `import ${source}`, files, clusterName: options.cluster, region: options.region };
  const found = SOURCES[source](readDocuments(files), options.nodepool);
  if (found.pools.length === 0) throw new InputError(nothingText(source, files, found));
  const imported = finalize(found, head);
  const text = options.json ? `${JSON.stringify(asJson(imported, head), null, 2)}\n` : writeConfig(imported, head);
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
    `wrote ${out}: ${count(imported.pools.length, 'NodePool')}, ${count(left, 'setting')} not carried over (see the comments); next: run headstart plan -c ${out}\n`,
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
  return { config: configOf(imported, head), notCarriedOver: allLeftOvers(imported) };
}

function nothingText(source: string, files: readonly string[], { others }: Imported): string {
  const reasons = others.map(
    ({ label, path, why }) => `  ${[label, path].filter((part) => part !== '').join(' ')}: ${why}`,
  );
  return [`${files.join(', ')}: nothing that import ${source} can import`, ...reasons].join('\n');
}
