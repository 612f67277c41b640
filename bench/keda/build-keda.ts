import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPrograms, type Report, removeUnfinished } from '../../test/cluster/harness/build/build-programs';
import { cacheFolder, shortHash } from '../../test/cluster/harness/build/cache-folder';
import { withLock } from '../../test/cluster/harness/process/lock';

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
  removeUnfinished(folder);
  const build = {
    path: MODULE,
    version: `v${KEDA_VERSION}`,
    programs: { [keda.operator]: `${MODULE}/cmd/operator`, [keda.adapter]: `${MODULE}/cmd/adapter` },
    linkerFlags: `-X ${MODULE}/version.Version=${KEDA_VERSION}`,
    manifests: { from: [CRDS], to: keda.crds },
  };
  await buildPrograms(folder, build, report);
}
