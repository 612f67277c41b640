// Named exports, so that a bundle that loads this file on demand contains only these commands.
export {
  DescribeClusterCommand,
  DisassociateAccessPolicyCommand,
  EKSClient,
  paginateListAssociatedAccessPolicies,
  ResourceNotFoundException,
} from '@aws-sdk/client-eks';
