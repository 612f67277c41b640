import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../process/lock';
import { locateProgram, manifestsFolder, type Program } from './binaries';
import { buildPrograms, type ModuleBuild, type Report, removeUnfinished } from './build-programs';
import { buildFolder } from './cache-folder';
import { hasGo } from './go';
import { buildTools, locateTools } from './tools';
import { VERSIONS } from './versions';

interface Source extends Omit<ModuleBuild, 'programs' | 'manifests'> {
  readonly programs: Partial<Record<Program, string>>;
  readonly manifests?: { readonly owner: 'kwok' | 'karpenter'; readonly paths: readonly string[] };
}

const KUBERNETES = `v${VERSIONS.kubernetes}`;
const [MAJOR, MINOR] = VERSIONS.kubernetes.split('.');

const SOURCES: readonly Source[] = [
  {
    path: 'k8s.io/kubernetes',
    version: KUBERNETES,
    twinVersion: KUBERNETES.replace(/^v1/, 'v0'),
    programs: {
      etcd: 'go.etcd.io/etcd/server/v3',
      'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
      'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
      'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
      kubectl: 'k8s.io/kubernetes/cmd/kubectl',
    },
    dependencies: { 'go.etcd.io/etcd/server/v3': `v${VERSIONS.etcd}` },
    linkerFlags: ['component-base/version', 'client-go/pkg/version']
      .flatMap((name) => [`${name}.gitVersion=${KUBERNETES}`, `${name}.gitMajor=${MAJOR}`, `${name}.gitMinor=${MINOR}`])
      .map((setting) => `-X k8s.io/${setting}`)
      .join(' '),
  },
  {
    path: 'sigs.k8s.io/kwok',
    version: `v${VERSIONS.kwok}`,
    programs: { kwok: 'sigs.k8s.io/kwok/cmd/kwok' },
    manifests: {
      owner: 'kwok',
      paths: [
        'kustomize/crd/bases',
        'kustomize/stage/node/fast',
        'kustomize/stage/node/heartbeat-with-lease',
        'kustomize/stage/pod/fast',
      ],
    },
  },
  {
    path: 'sigs.k8s.io/karpenter',
    version: `v${VERSIONS.karpenter}`,
    programs: { karpenter: 'sigs.k8s.io/karpenter/kwok' },
    manifests: { owner: 'karpenter', paths: ['pkg/apis/crds', 'kwok/apis/crds'] },
  },
];

/** Says why clusters cannot run on this machine, if so. */
export async function missingForBuild(): Promise<string | undefined> {
  if (isBuilt() || (await hasGo())) return undefined;
  return 'Go is needed to build etcd, Kubernetes, KWOK and Karpenter, and is not installed (https://go.dev/dl)';
}

/** Builds what is missing; minutes for the first time, nothing afterwards. */
export async function build(report: Report): Promise<void> {
  if (isBuilt()) return;
  await withLock(join(buildFolder(), 'lock'), async () => {
    removeUnfinished(buildFolder());
    await buildTools();
    for (const source of SOURCES) if (!isSourceBuilt(source)) await buildSource(source, report);
  });
}

function isBuilt(): boolean {
  return Object.values(locateTools()).every((tool) => existsSync(tool)) && SOURCES.every(isSourceBuilt);
}

function isSourceBuilt(source: Source): boolean {
  const { manifests } = source;
  const programs = Object.keys(outputsOf(source)).every((output) => existsSync(output));
  return programs && (manifests === undefined || existsSync(manifestsFolder(manifests.owner)));
}

async function buildSource({ manifests, ...source }: Source, report: Report): Promise<void> {
  const copied = manifests && { from: manifests.paths, to: manifestsFolder(manifests.owner) };
  const programs = outputsOf(source);
  await buildPrograms(buildFolder(), { ...source, programs, ...(copied && { manifests: copied }) }, report);
}

/** Go packages by where their programs are or will be. */
function outputsOf({ programs }: Source): Readonly<Record<string, string>> {
  const entries = Object.entries(programs) as readonly [Program, string][];
  return Object.fromEntries(entries.map(([program, goPackage]) => [locateProgram(program), goPackage]));
}
