import { join } from 'node:path';
import { buildFolder } from './cache-folder';

/** The programs that a cluster consists of, and kubectl. */
export type Program =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubectl'
  | 'kwok'
  | 'karpenter';

/** Where a program is, or will be when it is built. */
export function locateProgram(program: Program): string {
  return join(buildFolder(), 'bin', program);
}

/** CRDs and stages, copied from the modules that were built. */
export function manifestsFolder(owner: 'kwok' | 'karpenter'): string {
  return join(buildFolder(), 'manifests', owner);
}
