/** The cluster does not exist, so a retry does not help. */
export class ClusterNotFoundError extends Error {
  override readonly name = 'ClusterNotFoundError';

  constructor(clusterName: string, region: string) {
    super(
      `no cluster ${clusterName} in ${region}; check cluster.name and cluster.region: aws eks list-clusters --region ${region}`,
    );
  }
}
