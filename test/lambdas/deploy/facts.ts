import type { ClusterDescription } from '../../../shared/adapters/aws/describe-cluster';

/** A cluster that anyone may reach and that knows access entries. */
export const OPEN: ClusterDescription = {
  id: 'ABCDEF',
  status: 'ACTIVE',
  server: 'https://ABCDEF.gr7.ap-northeast-2.eks.amazonaws.com',
  caBase64: 'Q0E=',
  version: '1.35',
  vpcId: 'vpc-0a1b',
  securityGroupId: 'sg-0c2d',
  authenticationMode: 'API_AND_CONFIG_MAP',
  publicAccess: true,
  privateAccess: true,
  publicCidrs: ['0.0.0.0/0'],
};
