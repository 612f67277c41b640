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
import { join } from 'node:path';
import type { Report } from '../../cluster/harness/build';
import { cacheFolder, shortHash } from '../../cluster/harness/cache-folder';
import { goBuild } from '../../cluster/harness/go';
import { writeGoModule } from '../../cluster/harness/go-module';
import { withLock } from '../../cluster/harness/lock';
import { buildTools, leashed } from '../../cluster/harness/tools';

/** The release that Headstart is measured beside. */
export const KEDA_VERSION = '2.20.2';

const MODULE = 'github.com/kedacore/keda/v2';
const CRDS = 'config/crd/bases';

/** What was built of KEDA: its two programs, and the manifests of its CRDs. */
export interface Keda {
  readonly operator: string;
  readonly adapter: string;
  readonly crds: string;
}

/** Builds KEDA from its Go module, unless it is in the cache; some ten minutes on two cores. */
export async function buildKeda(report: Report): Promise<Keda> {
  const folder = join(
    cacheFolder(),
    `keda-${shortHash(JSON.stringify([KEDA_VERSION, process.platform, process.arch]))}`,
  );
  const keda = {
    operator: join(folder, 'operator'),
    adapter: join(folder, 'adapter'),
    crds: join(folder, 'crds'),
  };
  const isBuilt = () => Object.values(keda).every((path) => existsSync(path));
  if (isBuilt()) return keda;
  mkdirSync(folder, { recursive: true });
  await withLock(join(folder, 'lock'), async () => {
    if (!isBuilt()) await buildInto(folder, keda, report);
  });
  return keda;
}

async function buildInto(folder: string, keda: Keda, report: Report): Promise<void> {
  const tools = await buildTools();
  const work = mkdtempSync(join(folder, 'work-'));
  try {
    report(`downloading ${MODULE} v${KEDA_VERSION}`);
    const module = await writeGoModule(work, { path: MODULE, version: `v${KEDA_VERSION}` });
    for (const program of ['operator', 'adapter'] as const) {
      report(`building KEDA's ${program}`);
      await goBuild({
        folder: work,
        goPackage: `${MODULE}/cmd/${program}`,
        output: keda[program],
        scratch: work,
        linkerFlags: `-X ${MODULE}/version.Version=${KEDA_VERSION}`,
        wrapper: leashed(tools),
      });
    }
    if (!existsSync(keda.crds)) copyCrds(join(module, CRDS), join(work, 'crds'), keda.crds);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function copyCrds(source: string, copy: string, target: string): void {
  mkdirSync(copy);
  for (const file of readdirSync(source)) {
    // Content only: the module cache is read-only, and a copy with its modes could not be removed.
    if (file.endsWith('.yaml')) writeFileSync(join(copy, file), readFileSync(join(source, file)));
  }
  renameSync(copy, target);
}
