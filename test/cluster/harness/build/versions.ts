/** The versions that the suite runs against, in one place; a change of any of them builds anew, beside the old ones. */
export const VERSIONS = {
  kubernetes: '1.35.4',
  /** What Kubernetes' own go.mod asks for; the build fails if the two differ. */
  etcd: '3.6.5',
  karpenter: '1.15.0',
  kwok: '0.7.0',
} as const;
