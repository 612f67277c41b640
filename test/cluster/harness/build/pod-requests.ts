import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../process/lock';
import { buildFolder, shortHash } from './cache-folder';
import { goBuild } from './go';
import { writeGoModule } from './go-module';
import { VERSIONS } from './versions';

const SOURCE = join(__dirname, '..', '..', 'go', 'pod-requests', 'main.go');

/** Kubernetes' own sum of a pod's requests, as a program; built by the modules of the version that the suite runs. */
export async function podRequestsProgram(): Promise<string> {
  const output = join(buildFolder(), 'bin', `pod-requests-${shortHash(readFileSync(SOURCE, 'utf8'))}`);
  if (existsSync(output)) return output;
  await withLock(join(buildFolder(), 'lock'), async () => {
    const work = mkdtempSync(join(buildFolder(), 'work-'));
    try {
      const version = `v${VERSIONS.kubernetes}`;
      await writeGoModule(work, { path: 'k8s.io/kubernetes', version, twinVersion: version.replace(/^v1/, 'v0') });
      copyFileSync(SOURCE, join(work, 'main.go'));
      await goBuild({ folder: work, goPackage: '.', output, scratch: work });
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
  return output;
}
