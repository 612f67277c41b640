import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { AssociatedPolicy } from '../../../shared/adapters/aws/drop-access-policy';
import type { CustomResourceResponse } from '../protocol/custom-resource';
import { clusterAbout } from '../protocol/explain-cluster-error';
import { type AdmissionPorts, isRefusedByAws, untilAdmitted } from '../protocol/retry-until-admitted';

/** What the custom resource's properties say beside the cluster. */
export interface DropAdminProperties {
  /** The role that has done its work. */
  readonly deployer: string;
  /** The access policy that makes it cluster admin. */
  readonly adminPolicy: string;
}

export interface DropAdminPorts extends AdmissionPorts {
  readonly dropAdmin: (policy: AssociatedPolicy) => Promise<void>;
}

/** Takes the admin policy off a role of another's making, such as the one that ran Helm; nothing here puts it back. */
export async function handleDropAdmin(
  event: CloudFormationCustomResourceEvent,
  ports: DropAdminPorts,
): Promise<CustomResourceResponse> {
  if (event.RequestType === 'Delete') return { physicalResourceId: event.PhysicalResourceId };
  const { name: clusterName, region } = clusterAbout(event.ResourceProperties);
  const { deployer, adminPolicy } = event.ResourceProperties as unknown as DropAdminProperties;
  const policy = { clusterName, region, principalArn: deployer, policyArn: adminPolicy };
  await untilAdmitted(ports, isRefusedByAws)(() => ports.dropAdmin(policy));
  ports.log.info('no longer cluster admin', { role: deployer });
  return { physicalResourceId: `drop-admin-${clusterName}` };
}
