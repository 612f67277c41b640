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
import { VERSIONS } from '../versions';
import { locateProgram, manifestsFolder, PROGRAMS, type Program } from './binaries';
import { buildFolder } from './cache-folder';
import { goBuild, hasGo } from './go';
import { type GoModule, writeGoModule } from './go-module';
import { withLock } from './lock';
import { buildTools, leashed, locateTools, type Tools } from './tools';

/** Tells the person who waits what is going on. */
export type Report = (message: string) => void;

interface Source extends GoModule {
  readonly programs: Partial<Record<Program, string>>;
  readonly linkerFlags?: string;
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
    },
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
  if ((await isBuilt()) || (await hasGo())) return undefined;
  return 'Go is needed to build etcd, Kubernetes, KWOK and Karpenter, and is not installed (https://go.dev/dl)';
}

/** Builds what is missing; minutes for the first time, nothing afterwards. */
export async function build(report: Report): Promise<void> {
  if (await isBuilt()) return;
  await withLock(join(buildFolder(), 'lock'), async () => {
    removeLeftovers();
    const tools = await buildTools();
    for (const source of SOURCES) {
      if (!(await isSourceBuilt(source))) await buildSource(source, tools, report);
    }
  });
}

async function isBuilt(): Promise<boolean> {
  if (!Object.values(locateTools()).every((tool) => existsSync(tool))) return false;
  for (const source of SOURCES) if (!(await isSourceBuilt(source))) return false;
  return true;
}

async function isSourceBuilt({ programs, manifests }: Source): Promise<boolean> {
  for (const program of PROGRAMS) {
    if (program in programs && !existsSync(await locateProgram(program))) return false;
  }
  return manifests === undefined || existsSync(manifestsFolder(manifests.owner));
}

async function buildSource(source: Source, tools: Tools, report: Report): Promise<void> {
  const folder = mkdtempSync(join(buildFolder(), 'work-'));
  try {
    report(`downloading ${source.path} ${source.version}`);
    const module = await writeGoModule(folder, source);
    checkEtcd(source, folder);
    for (const program of PROGRAMS) {
      const goPackage = source.programs[program];
      const output = await locateProgram(program);
      if (goPackage === undefined || existsSync(output)) continue;
      report(`building ${program}`);
      const { linkerFlags = '' } = source;
      await goBuild({ folder, goPackage, output, scratch: folder, linkerFlags, wrapper: leashed(tools) });
    }
    if (source.manifests !== undefined) copyManifests(module, folder, source.manifests);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkEtcd({ programs }: Source, folder: string): void {
  if (programs.etcd === undefined) return;
  const asked = readFileSync(join(folder, 'go.mod'), 'utf8').match(/go\.etcd\.io\/etcd\/server\/v3 v(\S+)/)?.[1];
  if (asked !== VERSIONS.etcd) throw new Error(`etcd must be ${asked}, as Kubernetes asks, got ${VERSIONS.etcd}`);
}

function copyManifests(module: string, folder: string, { owner, paths }: NonNullable<Source['manifests']>): void {
  const copy = join(folder, 'manifests');
  mkdirSync(copy);
  for (const path of paths) {
    for (const file of readdirSync(join(module, path))) {
      // Content only: the module cache is read-only, and a copy with its modes could not be removed.
      if (file.endsWith('.yaml')) writeFileSync(join(copy, file), readFileSync(join(module, path, file)));
    }
  }
  const target = manifestsFolder(owner);
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target)) renameSync(copy, target);
}

/** Removes what a build that was killed left behind; only under the lock. */
function removeLeftovers(): void {
  for (const name of readdirSync(buildFolder())) {
    if (name.startsWith('work-')) rmSync(join(buildFolder(), name), { recursive: true });
  }
}
