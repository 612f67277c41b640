import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { type AdmissionPorts, retryUntilAdmitted } from '../protocol/retry-until-admitted';
import { applyObjects } from './apply-objects';
import { checkObjects } from './check-objects';
import type { DeployedObjects } from './deployed-objects';
import type { ObjectOrder, ObjectOutcome } from './object-order';
import { type RemovalPorts, removeObjects, removeRights } from './remove-objects';

export interface ObjectOrderPorts extends AdmissionPorts, RemovalPorts {
  readonly connect: () => Promise<KubeTransport>;
  readonly deployed: DeployedObjects;
}

const NOTHING: ObjectOutcome = { commands: [], changed: [] };

/** Talks to the cluster on behalf of the function that answers CloudFormation. */
export async function handleObjectOrder(
  { order, owner }: ObjectOrder,
  ports: ObjectOrderPorts,
): Promise<ObjectOutcome> {
  const { deployed, log } = ports;
  const transport = await ports.connect();
  switch (order) {
    case 'apply': {
      // A new access entry reaches one API server after the other.
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
