/** What kube-state-metrics calls the label that Karpenter puts on its nodes. */
export const NODEPOOL_LABEL = 'label_karpenter_sh_nodepool';
export const POD = 'namespace, pod, uid';
/** DaemonSets follow the nodes, and static pods belong to theirs. */
export const OF_NODES = 'kube_pod_info{created_by_kind=~"DaemonSet|Node"}';
