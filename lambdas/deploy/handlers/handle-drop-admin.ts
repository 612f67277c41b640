import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { AssociatedPolicy } from '../../../shared/adapters/aws/drop-access-policy';
import type { CustomResourceResponse } from '../protocol/custom-resource';
import { clusterAbout } from '../protocol/explain-deploy-error';
import { type AdmissionPorts, untilAdmitted } from '../protocol/retry-until-admitted';

export interface DropAdminProperties {
  /** The role that ran Helm. */
  readonly deployer: string;
  readonly adminPolicy: string;
}

export interface DropAdminPorts extends AdmissionPorts {
  readonly dropAdmin: (policy: AssociatedPolicy) => Promise<void>;
}

/** Removes the admin policy from the role that ran Helm; nothing here adds it again. */
export async function handleDropAdmin(
  event: CloudFormationCustomResourceEvent,
  ports: DropAdminPorts,
): Promise<CustomResourceResponse> {
  if (event.RequestType === 'Delete') return { physicalResourceId: event.PhysicalResourceId };
  const { name: clusterName, region } = clusterAbout(event.ResourceProperties);
  const { deployer, adminPolicy } = event.ResourceProperties as unknown as DropAdminProperties;
  const policy = { clusterName, region, principalArn: deployer, policyArn: adminPolicy };
  await untilAdmitted(ports, () => true)(() => ports.dropAdmin(policy));
  ports.log.info('no longer cluster admin', { role: deployer });
  return { physicalResourceId: `drop-admin-${clusterName}` };
}
