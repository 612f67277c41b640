import { invokeFunction } from '../../shared/adapters/aws/invoke-function';
import { deployPorts } from './deploy-ports';
import { type CustomResourceResponse, customResource } from './protocol/custom-resource';
import { clusterAbout } from './protocol/explain-deploy-error';
import { isPassingAwsError, untilAdmitted } from './protocol/retry-until-admitted';

/** Answers CloudFormation for a function in a VPC that may have no route to S3; its errors are passed on unchanged. */
export const handler = customResource(async (event, deadline) => {
  // The function may be unreachable by now, and it has made nothing.
  if (event.RequestType === 'Delete') return { physicalResourceId: event.PhysicalResourceId };
  const { ResponseURL: _, ...request } = event;
  const { functionName } = event.ResourceProperties as unknown as { readonly functionName: string };
  const { region } = clusterAbout(event.ResourceProperties);
  const invoke = () =>
    invokeFunction(functionName, region, request, deadline, deployPorts) as Promise<CustomResourceResponse>;
  return untilAdmitted({ ...deployPorts, deadline }, isPassingAwsError)(invoke);
}, deployPorts);
