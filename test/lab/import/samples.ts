/** A ScaledObject as KEDA's documentation of the cron scaler writes one, with the optional fields around it. */
export const KEDA_SAMPLE = `
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: office-hours
  namespace: shop
spec:
  scaleTargetRef:
    name: web
  minReplicaCount: 2
  maxReplicaCount: 40
  pollingInterval: 30
  cooldownPeriod: 300
  advanced: {horizontalPodAutoscalerConfig: {behavior: {scaleDown: {stabilizationWindowSeconds: 300}}}}
  triggers:
    - type: cron
      metadata: {timezone: Asia/Kolkata, start: 0 6 * * *, end: 0 20 * * *, desiredReplicas: "10"}
    - type: cron
      name: half-past
      metadata: {timezone: Asia/Kolkata, start: 30 * * * *, end: 45 * * * *, desiredReplicas: "12"}
    - type: aws-sqs-queue
      metadata: {queueURL: https://example.com/q, queueLength: "5"}
`;

/** Its target. */
export const KEDA_TARGET = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  replicas: 2
  template:
    spec:
      nodeSelector: {karpenter.sh/nodepool: service, eks.amazonaws.com/nodegroup: old}
      tolerations: [{key: dedicated, operator: Exists}]
      containers:
        - {name: web, image: web:1, resources: {requests: {cpu: 500m, memory: 512Mi}, limits: {memory: 1Gi}}}
        - {name: proxy, image: proxy:1, resources: {limits: {cpu: 250m, memory: 256Mi}}}
`;

/** A pause Deployment that a cron trigger inflates: one pod per node, pinned to a pool. */
export const INFLATE = `
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: inflate}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: inflate}
  minReplicaCount: 1
  triggers:
    - type: cron
      metadata: {timezone: Asia/Seoul, start: 03 * * * *, end: 10 * * * *, desiredReplicas: "5"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: inflate}
spec:
  template:
    spec:
      containers: [{name: inflate, image: public.ecr.aws/eks-distro/kubernetes/pause:3.7, resources: {requests: {cpu: 1}}}]
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{matchExpressions: [{key: team, operator: In, values: [team1]}]}]
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: inflate}}}
`;

/** The Deployment alone. */
export const INFLATE_DEPLOYMENT = INFLATE.slice(INFLATE.indexOf('---') + 4);

/** The values of deliveryhero's chart in their default shape. */
export const DELIVERYHERO = `
priorityClassOverprovision: {name: overprovisioning, value: -1}
priorityClassDefault: {enabled: true, name: default, value: 0}
terminationGracePeriodSeconds: 0
image: {repository: registry.k8s.io/pause, tag: "", pullPolicy: IfNotPresent, command: [], args: []}
nameOverride: ""
extraLabels: {}
deployments:
  - name: default
    annotations: {}
    replicaCount: 3
    nodeSelector: {}
    resources: {limits: {cpu: 1000m, memory: 1000Mi}, requests: {cpu: 1000m, memory: 1000Mi}}
    tolerations: []
    affinity: {}
    topologySpreadConstraints: []
    pdb: {}
    schedulerName: ""
serviceAccount: {create: true, name: null, annotations: {}, automountServiceAccountToken: true}
`;

/** The values of codecentric's chart in their default shape. */
export const CODECENTRIC = `
cpa:
  image: {repository: registry.k8s.io/cpa/cluster-proportional-autoscaler, tag: v1.8.9}
  target: {name: "", namespace: ""}
op:
  enabled: true
  image: {repository: k8s.gcr.io/pause, pullPolicy: IfNotPresent, tag: 3.2}
  replicas: null
  resources: {}
  nodeSelector: {}
  priorityClasses: {default: {enabled: false, value: 0}, overprovision: {value: -1, name: overprovision}}
cronJob: {image: {repository: ghcr.io/codecentric/cluster-overprovisioner-helper, tag: latest}}
defaultConfig: {ladder: {nodesToReplicas: [[0, 1], [5, 2], [10, 0]]}}
schedules: []
`;

/** An alpha Provisioner with its node template, as old repositories have them. */
export const PROVISIONER = `
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: {name: service}
spec:
  providerRef: {name: default}
  labels: {team: web}
  requirements:
    - {key: karpenter.k8s.aws/instance-family, operator: In, values: [t3, t3a]}
    - {key: karpenter.k8s.aws/instance-size, operator: In, values: [medium, large]}
    - {key: topology.kubernetes.io/zone, operator: In, values: [ap-northeast-2a, ap-northeast-2c]}
    - {key: eks.amazonaws.com/nodegroup, operator: In, values: [default, platform]}
    - {key: capacity-spread, operator: In, values: [on-demand-1, on-demand-2]}
    - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
    - {key: kubernetes.io/os, operator: In, values: [linux]}
  ttlSecondsUntilExpired: 604800
  ttlSecondsAfterEmpty: 30
  weight: 10
  limits: {resources: {cpu: 1000}}
  kubeletConfiguration: {containerRuntime: containerd, maxPods: 58}
---
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: {name: default}
spec:
  subnetSelector: {karpenter.sh/discovery: shop}
  securityGroupSelector: {aws-ids: "sg-0a1b, sg-0c2d"}
  instanceProfile: KarpenterNodes
  launchTemplate: old-template
  tags: {team: web}
  blockDeviceMappings: [{deviceName: /dev/xvda, ebs: {volumeSize: 100Gi, volumeType: gp3, encrypted: true}}]
`;

/** A beta NodePool with its class, as a Helm chart of that time renders them. */
export const BETA = `
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: cicd}
spec:
  template:
    metadata: {labels: {purpose: cicd}}
    spec:
      requirements:
        - {key: karpenter.sh/capacity-type, operator: NotIn, values: [on-demand]}
        - {key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ["4"]}
      nodeClassRef: {apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: cicd}
      taints: [{key: dedicated, value: cicd, effect: NoSchedule}]
      kubelet: {maxPods: 30}
  disruption: {consolidationPolicy: WhenUnderutilized, expireAfter: 720h}
  limits: {cpu: "100"}
---
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {name: cicd}
spec:
  amiFamily: AL2023
  role: KarpenterNodeRole-shop
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
`;

/** A Headroom of OpenFaaS with all that its definition has. */
export const HEADROOM = `
apiVersion: openfaas.com/v1
kind: Headroom
metadata: {name: burst, namespace: spare}
spec:
  replicas: 3
  requests: {cpu: 250m, memory: 300Mi}
  priorityClassName: headroom
  podSecurityContext: {runAsNonRoot: true}
  tolerations: [{key: dedicated, operator: Exists}]
  topologySpreadConstraints: [{topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]
`;
