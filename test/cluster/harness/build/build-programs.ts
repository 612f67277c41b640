import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { goBuild } from './go';
import { type GoModule, writeGoModule } from './go-module';
import { buildTools, leashed } from './tools';

/** Tells the person who waits what is going on. */
export type Report = (message: string) => void;

/** What to make of one Go module; what is there already is left alone. */
export interface ModuleBuild extends GoModule {
  /** Go packages by the path of the program that each becomes. */
  readonly programs: Readonly<Record<string, string>>;
  readonly linkerFlags?: string;
  /** Versions that the module must ask for, by the dependency's path; another one fails the build. */
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly manifests?: ManifestCopy;
}

/** Folders of the module whose YAML files are copied into one. */
export interface ManifestCopy {
  readonly from: readonly string[];
  readonly to: string;
}

const WORK = 'work-';

/** Builds a module's programs in a work folder under `folder`, and moves into place what is finished. */
export async function buildPrograms(folder: string, build: ModuleBuild, report: Report): Promise<void> {
  const tools = await buildTools();
  const { path, version, programs, linkerFlags = '', manifests } = build;
  const work = mkdtempSync(join(folder, WORK));
  try {
    report(`downloading ${path} ${version}`);
    const module = await writeGoModule(work, build);
    checkDependencies(join(work, 'go.mod'), build);
    for (const [output, goPackage] of Object.entries(programs)) {
      if (existsSync(output)) continue;
      report(`building ${goPackage}`);
      await goBuild({ folder: work, goPackage, output, scratch: work, linkerFlags, wrapper: leashed(tools) });
    }
    if (manifests !== undefined && !existsSync(manifests.to)) copyManifests(module, work, manifests);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Removes what a build that was killed left behind; only under the lock of that folder. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(WORK)) rmSync(join(folder, name), { recursive: true });
  }
}

function checkDependencies(file: string, { path, dependencies = {} }: ModuleBuild): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const [dependency, version] of Object.entries(dependencies)) {
    const asked = lines.map((line) => line.trim().split(' ')).find(([name]) => name === dependency)?.[1];
    if (asked !== version) throw new Error(`${dependency} must be ${asked}, as ${path} asks, got ${version}`);
  }
}

function copyManifests(module: string, work: string, { from, to }: ManifestCopy): void {
  const copy = join(work, 'manifests');
  mkdirSync(copy);
  for (const path of from) {
    for (const file of readdirSync(join(module, path))) {
      // Content only: the module cache is read-only, and a copy with its modes could not be removed.
      if (file.endsWith('.yaml')) writeFileSync(join(copy, file), readFileSync(join(module, path, file)));
    }
  }
  mkdirSync(dirname(to), { recursive: true });
  renameSync(copy, to);
}
