import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { driftOf } from '../../../shared/core/apply/drift';
import { DEPLOY_AFRESH } from '../../../shared/core/basics/deploy-afresh';
import type { Manifest } from '../../../shared/core/manifests/cluster-objects';
import { shownObject } from '../../../shared/core/manifests/places';
import type { DeployedObjects } from './deployed-objects';
import { leftToDelete } from './left-to-delete';
import { readObject } from './live-objects';

export interface Checked {
  /** What somebody changed since it was applied. */
  readonly changed: readonly string[];
  readonly commands: readonly string[];
}

/** Looks whether everything is as it was applied: a role that is no longer admin cannot set it right. */
export async function checkObjects(transport: KubeTransport, deployed: DeployedObjects): Promise<Checked> {
  const commands = await leftToDelete(transport, deployed.objects);
  const all = [...deployed.objects, ...deployed.rights];
  const isInside = ({ metadata }: Manifest) => metadata.namespace !== undefined;
  // The right to look into a namespace goes with the namespace.
  const changed = [
    ...(await changedOf(
      transport,
      all.filter((manifest) => !isInside(manifest)),
    )),
    ...(await changedOf(transport, all.filter(isInside))),
  ];
  return { changed, commands };
}

async function changedOf(transport: KubeTransport, manifests: readonly Manifest[]): Promise<readonly string[]> {
  const live = await Promise.all(manifests.map((manifest) => readObject(transport, manifest)));
  const missing = manifests.filter((_, index) => live[index] === undefined);
  if (missing.length > 0)
    throw new Error(`somebody removed ${missing.map(shownObject).join(', ')} from the cluster; ${DEPLOY_AFRESH}`);
  return manifests.flatMap((manifest, index) => {
    const field = driftOf(manifest, live[index]);
    return field === undefined ? [] : [`${shownObject(manifest)} (${field})`];
  });
}
