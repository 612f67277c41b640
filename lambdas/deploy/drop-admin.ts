import { dropAccessPolicy } from '../../shared/adapters/drop-access-policy';
import { deployPorts } from './compose';
import { customResource } from './custom-resource';
import { handleDropAdmin } from './handle-drop-admin';

/** The custom resource that ends the rights of the role that ran Helm. */
export const handler = customResource(
  (event, deadline) =>
    handleDropAdmin(event, { ...deployPorts, deadline, dropAdmin: (policy) => dropAccessPolicy(policy, deadline) }),
  deployPorts,
);
