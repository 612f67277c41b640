import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from '../process/run-command';
import { VERSIONS } from './versions';

/** Where envtest's installers put a control plane when they are told nothing else. */
const KUBEBUILDER_DEFAULT = '/usr/local/kubebuilder/bin';

const WANTED: Readonly<Record<string, string>> = {
  etcd: VERSIONS.etcd,
  'kube-apiserver': VERSIONS.kubernetes,
  'kube-controller-manager': VERSIONS.kubernetes,
  'kube-scheduler': VERSIONS.kubernetes,
};

/** A program that this machine has already, at the minor version that is pinned; anything else would prove other things. */
export async function findInstalled(program: string): Promise<string | undefined> {
  const wanted = WANTED[program];
  if (wanted === undefined) return undefined;
  for (const folder of installFolders()) {
    const path = join(folder, program);
    if (existsSync(path) && minor(await versionOf(path)) === minor(wanted)) return path;
  }
  return undefined;
}

function installFolders(): readonly string[] {
  const { KUBEBUILDER_ASSETS, PATH = '' } = process.env;
  const path = PATH.split(delimiter).filter((folder) => folder !== '');
  return [...(KUBEBUILDER_ASSETS ? [KUBEBUILDER_ASSETS] : []), KUBEBUILDER_DEFAULT, ...path];
}

async function versionOf(path: string): Promise<string> {
  try {
    return await runCommand({ program: path, args: ['--version'] });
  } catch {
    return '';
  }
}

function minor(version: string): string | undefined {
  return version.match(/(\d+\.\d+)\.\d+/)?.[1];
}
