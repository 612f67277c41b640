import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { driftOf } from '../../../shared/core/apply/drift';
import { DEPLOY_AGAIN } from '../../../shared/core/basics/deploy-again';
import type { Manifest } from '../../../shared/core/manifests/cluster-object-manifests';
import { objectText } from '../../../shared/core/manifests/places';
import { retryUntilAdmitted } from '../protocol/retry-until-admitted';
import { applyObjects } from './apply-objects';
import { readObject } from './current-objects';
import type { DeployedObjects } from './deployed-objects';
import { leftToDelete } from './left-to-delete';
import type { ObjectOutcome, ObjectsRequest } from './objects-request';
import { type RemovalPorts, removeObjects, removeRights } from './remove-objects';

export interface ObjectPorts extends RemovalPorts {
  readonly connect: () => Promise<KubeTransport>;
  readonly deployed: DeployedObjects;
}

const NOTHING: ObjectOutcome = { commands: [], changed: [] };

export async function changeObjects({ action, owner }: ObjectsRequest, ports: ObjectPorts): Promise<ObjectOutcome> {
  const { deployed, log } = ports;
  const transport = await ports.connect();
  switch (action) {
    case 'apply': {
      // A new access entry reaches the API servers one after the other.
      const applied = await applyObjects(retryUntilAdmitted(transport, ports), deployed, owner, ports);
      log.info('cluster objects applied', { ...applied });
      return { ...NOTHING, commands: applied.commands };
    }
    case 'check': {
      const checked = await checkObjects(transport, deployed);
      log.info('cluster objects checked', { ...checked });
      return checked;
    }
    case 'remove': {
      const removed = await removeObjects(transport, deployed, owner, ports);
      log.info('cluster objects removed', { removed });
      return NOTHING;
    }
    case 'leave': {
      const removed = await removeRights(transport, deployed.rights, owner);
      log.info('cluster objects left', { removed });
      return NOTHING;
    }
  }
}

/** Checks that everything is as applied; a role that is no longer admin cannot correct it. */
async function checkObjects(transport: KubeTransport, deployed: DeployedObjects): Promise<ObjectOutcome> {
  const commands = await leftToDelete(transport, deployed.objects);
  const all = [...deployed.objects, ...deployed.rights];
  const isInside = ({ metadata }: Manifest) => metadata.namespace !== undefined;
  // The right to read in a namespace is deleted with the namespace, so cluster-wide objects come first.
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
  const current = await Promise.all(manifests.map((manifest) => readObject(transport, manifest)));
  const missing = manifests.filter((_, index) => current[index] === undefined);
  if (missing.length > 0)
    throw new Error(`somebody removed ${missing.map(objectText).join(', ')} from the cluster; ${DEPLOY_AGAIN}`);
  return manifests.flatMap((manifest, index) => {
    const field = driftOf(manifest, current[index]);
    return field === undefined ? [] : [`${objectText(manifest)} (${field})`];
  });
}
