import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { ClusterNotFoundError } from '../../../shared/adapters/aws/cluster-not-found';
import type { ClusterDescription } from '../../../shared/adapters/aws/describe-cluster';
import { type CustomResourceResponse, RefusedError } from '../protocol/custom-resource';
import { beingDeleted, closedToOutside, clusterAbout, configMapMode } from '../protocol/explain-deploy-error';
import { type AdmissionPorts, isPassingAwsError, untilAdmitted } from '../protocol/retry-until-admitted';

interface Ports extends AdmissionPorts {
  readonly describe: (name: string, region: string) => Promise<ClusterDescription | undefined>;
}

/** Reads the cluster's endpoint, and fails early where a deploy cannot work. */
export async function handleClusterEndpoint(
  event: CloudFormationCustomResourceEvent,
  ports: Ports,
): Promise<CustomResourceResponse> {
  const about = clusterAbout(event.ResourceProperties);
  const physicalResourceId = `cluster-endpoint-${about.name}`;
  // Nothing was created, so nothing is removed.
  if (event.RequestType === 'Delete') return { physicalResourceId: event.PhysicalResourceId };
  const facts = await untilAdmitted(ports, isPassingAwsError)(() => ports.describe(about.name, about.region));
  if (!facts) throw new ClusterNotFoundError(about.name, about.region);
  const refusals = [
    beingDeleted(about, facts),
    about.access === 'entry' ? configMapMode(about, facts) : undefined,
    about.placed ? undefined : closedToOutside(about, facts),
  ].filter((found) => found !== undefined);
  if (refusals.length > 0) throw new RefusedError(refusals.join('; '), attributesOf(facts));
  return { physicalResourceId, data: attributesOf(facts) };
}

function attributesOf(facts: ClusterDescription) {
  const { id, server, caBase64, securityGroupId, vpcId, version, authenticationMode } = facts;
  return {
    ClusterId: id,
    Endpoint: server,
    CertificateAuthority: caBase64,
    SecurityGroupId: securityGroupId,
    VpcId: vpcId,
    Version: version,
    AuthenticationMode: authenticationMode,
  };
}
