/** Cluster Autoscaler's Deployment, by the labels that its chart and its manifests use. */
export const CLUSTER_AUTOSCALER = [
  'app.kubernetes.io/name in (cluster-autoscaler, aws-cluster-autoscaler)',
  'app=cluster-autoscaler',
];
