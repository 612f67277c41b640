import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { ApiClient, KubeObject } from './api-client';
import { manifestsFolder } from './build/binaries';
import { eventually } from './process/eventually';

interface Crd extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** The manifests of one kind that came with the module of a program. */
export function readManifests(owner: 'kwok' | 'karpenter', kind: string): readonly KubeObject[] {
  const folder = manifestsFolder(owner);
  return readdirSync(folder)
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .map((document) => document.toJS())
    .filter((manifest) => manifest?.kind === kind);
}

/** Creates the types and waits until the apiserver serves them. */
export async function applyCrds(admin: ApiClient, crds: readonly KubeObject[]): Promise<void> {
  for (const crd of crds) await admin.apply(crd);
  for (const { metadata } of crds) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`;
    const established = async () => {
      const { status } = await admin.send<Crd>('GET', path);
      return status?.conditions?.some((condition) => condition.type === 'Established' && condition.status === 'True');
    };
    await eventually(established, { what: `${metadata.name} to be served` });
  }
}
