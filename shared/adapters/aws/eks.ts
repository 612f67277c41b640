// Names what is used, so that a bundle that loads this file on demand holds one command and not all of them.
export {
  DescribeClusterCommand,
  DisassociateAccessPolicyCommand,
  EKSClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-eks';
