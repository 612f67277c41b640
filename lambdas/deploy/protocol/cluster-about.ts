import type { ClusterAbout } from './explain-cluster-error';

/** The properties by which our custom resources tell their functions of the cluster; CloudFormation makes text of all. */
export interface ClusterProperties {
  readonly clusterName: string;
  readonly region: string;
  readonly access: 'entry' | 'manual';
  readonly placed: 'true' | 'false';
}

export function clusterAbout(properties: unknown): ClusterAbout {
  const { clusterName, region, access, placed } = properties as ClusterProperties;
  return { name: clusterName, region, access, placed: placed === 'true' };
}
