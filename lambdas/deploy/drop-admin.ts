import { dropAccessPolicy } from '../../shared/adapters/aws/drop-access-policy';
import { deployPorts } from './compose';
import { handleDropAdmin } from './handlers/handle-drop-admin';
import { customResource } from './protocol/custom-resource';

/** The custom resource that removes the admin rights of the role that ran Helm. */
export const handler = customResource(
  (event, deadline) =>
    handleDropAdmin(event, { ...deployPorts, deadline, dropAdmin: (policy) => dropAccessPolicy(policy, deadline) }),
  deployPorts,
);
