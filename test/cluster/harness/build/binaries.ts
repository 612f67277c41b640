import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildFolder } from './cache-folder';
import { findInstalled } from './installed';

/** The programs that a cluster consists of, and kubectl. */
export type Program =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubectl'
  | 'kwok'
  | 'karpenter';

/** Where a program is, or will be when it is built; one that is installed at the right version saves building it. */
export async function locateProgram(program: Program): Promise<string> {
  const built = join(buildFolder(), 'bin', program);
  return existsSync(built) ? built : ((await findInstalled(program)) ?? built);
}

/** CRDs and stages, copied from the modules that were built. */
export function manifestsFolder(owner: 'kwok' | 'karpenter'): string {
  return join(buildFolder(), 'manifests', owner);
}
