import {
  BETA,
  CODECENTRIC,
  DELIVERYHERO,
  HEADROOM,
  INFLATE,
  INFLATE_DEPLOYMENT,
  KEDA_SAMPLE,
  KEDA_TARGET,
  PROVISIONER,
} from './samples';

/** What is replaced in a sample; a text without a second one comes behind it. */
type Change = readonly [from: string | RegExp, to: string] | readonly [added: string];

/** A sample, and what becomes of its import where a part of it is different. */
export interface Group {
  readonly name: string;
  /** `undefined` if import finds out by itself. */
  readonly source?: 'keda' | 'overprovisioner' | 'pause' | 'provisioner';
  readonly text: string;
  readonly changes?: Readonly<Record<string, readonly Change[]>>;
}

export function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((before, [from, to]) => {
    const after = to === undefined ? `${before}---\n${from}` : before.replace(from, to);
    if (after === before) throw new Error(`the sample has no ${from}`);
    return after;
  }, text);
}

const priorityClass = (value: number, name = 'filler') =>
  `kind: PriorityClass\nmetadata: {name: ${name}}\nvalue: ${value}\n`;
const apart = (app: string) =>
  `podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: ${app}}}}]}`;
const onPool = (more = '') =>
  `nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: karpenter.sh/nodepool, operator: In, values: [web]}${more}]}]}}`;
const inPod = (text: string): Change => ['    spec:\n', `    spec:\n      ${text}\n`];
const requests = (text: string): Change => ['{cpu: 500m, memory: 512Mi}', text];
/** What a template fills in later is neither a number nor nothing. */
const LATER = `\${COUNT}`;

const KEDA: readonly Group[] = [
  {
    name: 'a workload that starts its own pods',
    source: 'keda',
    text: `${KEDA_SAMPLE}---${KEDA_TARGET}`,
    changes: {
      'pods that need a larger node': [requests('{cpu: 6, memory: 1Gi}')],
      'pods of which memory is scarcer': [requests('{cpu: 100m, memory: 6Gi}')],
      'pods that keep apart': [
        ['    spec:\n', `    metadata: {labels: {app: web}}\n    spec:\n      affinity: {${apart('web')}}\n`],
      ],
      'pods without requests': [[/, resources: .*\}\}/g, '}']],
      'pods with a sidecar and a large init container': [
        [
          '      containers:',
          `      initContainers:
        - {name: proxy, image: proxy:1, restartPolicy: Always, resources: {requests: {cpu: 1}}}
        - {name: load, image: load:1, resources: {requests: {memory: 9Gi}}}
      containers:`,
        ],
      ],
      'pods with a GPU, which a floor cannot count': [requests('{cpu: 1, nvidia.com/gpu: 1}')],
      'pods of a negative priority': [inPod('priority: -5')],
      'pods of an overprovisioning class': [inPod('priorityClassName: overprovisioning')],
      'pods of a class that is not among the files': [inPod('priorityClassName: filler')],
      'pods of a class above 0': [inPod('priorityClassName: low-latency'), [priorityClass(1000, 'low-latency')]],
      'pods of a class that every cluster has': [inPod('priorityClassName: system-cluster-critical')],
      'a trigger for no more pods than always run': [['"10"', '"2"']],
      'a second ScaledObject on the same nodes': [[KEDA_SAMPLE.replace('office-hours', 'evening')]],
    },
  },
  {
    name: 'a target that is not given',
    source: 'keda',
    text: KEDA_SAMPLE,
    changes: {
      'with a larger minimum': [['minReplicaCount: 2', 'minReplicaCount: 9']],
      'with a name of pause pods': [['name: web', 'name: inflate']],
      'with a maximum below a window': [
        ['name: web', 'name: inflate'],
        ['maxReplicaCount: 40', 'maxReplicaCount: 8'],
      ],
      'twice on one NodePool': [[KEDA_SAMPLE.replace('office-hours', 'evening')]],
      'with two ends in a row': [['end: 0 20 * * *', 'end: "0 20,22 * * *"']],
      'with two starts in a row': [['start: 0 6 * * *', 'start: "0 6,7 * * *"']],
      'on day 7': [['start: 0 6 * * *, end: 0 20 * * *', 'start: 0 6 * * 7, end: 0 20 * * 7']],
      'of a paused object': [
        ['namespace: shop', 'namespace: shop\n  annotations: {autoscaling.keda.sh/paused: "true"}'],
      ],
      'with a formula': [['advanced: {', 'advanced: {scalingModifiers: {formula: a + b}, ']],
      'with a zone that is none': [['Asia/Kolkata, start: 0 6', 'Local, start: 0 6']],
      'without a zone': [['timezone: Asia/Kolkata, start: 0 6', 'start: 0 6']],
      'with a cron of six fields': [['start: 0 6 * * *', 'start: 0 0 6 * * *']],
      'with a start that is the end': [['start: 0 6', 'start: 0 20']],
      'for 0 pods': [['desiredReplicas: "10"', 'desiredReplicas: "0"']],
      'for replicas that are none': [['desiredReplicas: "10"', 'desiredReplicas: some']],
      'with a key of a YAML merge': [
        ['spec:\n  scaleTargetRef:\n    name: web\n', 'x: &x {scaleTargetRef: {name: inflate}}\nspec:\n  <<: *x\n'],
      ],
    },
  },
  {
    name: 'an inflate Deployment',
    source: 'keda',
    text: INFLATE,
    changes: {
      'with a minimum only while a trigger is active': [
        ['minReplicaCount: 1', 'minReplicaCount: 7\n  idleReplicaCount: 0'],
      ],
      'with a minimum to fill in': [['minReplicaCount: 1', `minReplicaCount: ${LATER}`]],
    },
  },
  {
    name: 'an inflate Deployment that pins a NodePool',
    source: 'keda',
    text: changed(INFLATE, [
      ['key: team, operator: In, values: [team1]', 'key: karpenter.sh/nodepool, operator: In, values: [web]'],
    ]),
    changes: {
      'of a class that is not among the files': [inPod('priorityClassName: filler')],
      'of a negative class': [inPod('priorityClassName: filler'), [priorityClass(-10)]],
      'of a class above that of work': [inPod('priorityClassName: filler'), [priorityClass(10)]],
      'of a class that every cluster has': [inPod('priorityClassName: system-node-critical')],
    },
  },
];

/** A pause Deployment with a part of its own. */
const deployment = (name: string, pod = 'hostNetwork: false') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: spare}
spec:
  replicas: 4
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      ${pod}
      containers:
        - {name: p, image: "registry.k8s.io/pause:3.9", resources: {requests: {cpu: 700m, memory: 1500Mi}}}
`;
const WORK = deployment('web', 'priorityClassName: low-latency').replace('registry.k8s.io/pause:3.9', 'nginx:1');
const pods = (text: string): Change => ['hostNetwork: false', text];

const PAUSE: readonly Group[] = [
  { name: 'a Headroom of OpenFaaS', source: 'pause', text: HEADROOM },
  {
    name: 'an inflate Deployment',
    source: 'pause',
    text: deployment('inflate'),
    changes: {
      'whose pods work preempts': [pods('priorityClassName: spare'), [priorityClass(-50, 'spare')]],
      'that pins a NodePool, one pod per node': [pods(`affinity: {${apart('inflate')}, ${onPool()}}`)],
      'that pins a NodePool, and work preempts it': [
        pods(`priority: -1\n      affinity: {${apart('inflate')}, ${onPool()}}`),
      ],
      'that pins a NodePool, of an unknown class': [
        pods(`priorityClassName: filler\n      affinity: {${apart('inflate')}, ${onPool()}}`),
      ],
      'with one pod per node, on no NodePool': [pods(`affinity: {${apart('inflate')}}`)],
      'that prefers one pod per node': [
        pods(
          'affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: inflate}}}}]}}',
        ),
      ],
      'that keeps away from other pods': [pods(`affinity: {${apart('web')}}`)],
      'with a NodePool beside other labels': [pods('nodeSelector: {team: web, karpenter.sh/provisioner-name: web}')],
      'with a NodePool beside other expressions': [
        pods(`affinity: {${onPool(', {key: karpenter.sh/capacity-type, operator: In, values: [spot]}')}}`),
      ],
      'with labels of no NodePool': [pods('nodeSelector: {intent: apps}')],
      'with a spread that is not over zones': [
        pods(
          'topologySpreadConstraints: [{topologyKey: capacity-spread, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]',
        ),
      ],
      'with no replicas now': [['replicas: 4', 'replicas: 0']],
      'without replicas': [['replicas: 4', 'paused: false']],
      'with replicas in quotes': [['replicas: 4', 'replicas: "5"']],
      'with replicas to fill in': [['replicas: 4', `replicas: ${LATER}`]],
      'with an image of a frozen registry': [['registry.k8s.io/pause:3.9', 'k8s.gcr.io/pause:3.2']],
      'with an image without a tag': [['pause:3.9', 'pause']],
      'with an image that is no pause': [['registry.k8s.io/pause:3.9', 'bash:5']],
      'beside another one': [[deployment('pause-pods')]],
      'beside work and a CronJob': [
        [deployment('web').replace('registry.k8s.io/pause:3.9', 'nginx:1')],
        ['kind: CronJob\nmetadata: {name: scale}\nspec: {schedule: 0 6 * * *}\n'],
      ],
      'beside work of an unknown class': [[WORK]],
      'beside a patch of it': [['kind: Deployment\nmetadata: {name: inflate}\nspec: {replicas: 9}\n']],
    },
  },
];

const step = (name: string, cron: string, replicas: number) =>
  `  - {name: ${name}, cronTimeExpression: "${cron}", timeZone: Europe/Berlin, config: {ladder: {nodesToReplicas: [[0, ${replicas}]]}}}`;
const schedules = (...steps: string[]): Change => ['schedules: []', ['schedules:', ...steps].join('\n')];
const indented = (text: string, by: number) => text.trim().replace(/^/gm, ' '.repeat(by));

const OVERPROVISIONER: readonly Group[] = [
  {
    name: "deliveryhero's chart",
    source: 'overprovisioner',
    text: DELIVERYHERO,
    changes: {
      'under its name': [[/^[\s\S]*$/, `cluster-overprovisioner:\n${indented(DELIVERYHERO, 2)}`]],
      'in a HelmRelease': [
        [/^[\s\S]*$/, `kind: HelmRelease\nmetadata: {name: op}\nspec:\n  values:\n${indented(DELIVERYHERO, 4)}`],
      ],
      'in an Application': [
        [
          /^[\s\S]*$/,
          `kind: Application\nmetadata: {name: op}\nspec: {source: {helm: {values: ${JSON.stringify(DELIVERYHERO.trim())}}}}`,
        ],
      ],
      'with a count in quotes': [['replicaCount: 3', 'replicaCount: "3"']],
      'with a count to fill in': [['replicaCount: 3', `replicaCount: ${LATER}`]],
      'with two deployments, one on a NodePool': [
        [
          /deployments:[\s\S]*(?=serviceAccount)/,
          `deployments:
  - {name: web-buffer, replicaCount: 1, resources: {requests: {cpu: 1}}}
  - {name: gpu-buffer, replicaCount: 2, resources: {requests: {cpu: 1}}, nodeSelector: {karpenter.sh/nodepool: gpu}}
`,
        ],
      ],
      'without deployments': [[/deployments:[\s\S]*(?=serviceAccount)/, '']],
    },
  },
  {
    name: "codecentric's chart",
    source: 'overprovisioner',
    text: CODECENTRIC,
    changes: {
      'switched off': [['enabled: true', 'enabled: false']],
      'with schedules that follow each other': [
        schedules(step('night', '0 18 * * 1-5', 1), step('day', '0 8 * * 1-5', 4)),
      ],
      'with a schedule of 0': [schedules(step('night', '0 18 * * *', 0), step('day', '0 8 * * *', 4))],
      'with a schedule without a single end': [
        schedules(step('low', '0 0 * * 1', 0), step('noon', '0 12 * * *', 4), step('late', '0 18 * * 1,2', 2)),
      ],
    },
  },
  { name: 'values of another chart', source: 'overprovisioner', text: 'replicaCount: 3\n' },
];

const terms = (text: string): Change => ['  amiFamily: AL2023\n', text];
const V1 = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec: {role: Nodes, amiSelectorTerms: [{alias: al2023@latest}]}
`;
const capacity = (operator: string, values: string) =>
  `{key: karpenter.sh/capacity-type, operator: ${operator}, values: [${values}]}`;
const requirements = (...all: string[]): Change => ['requirements: []', `requirements: [${all.join(', ')}]`];
const RESERVED: Change = ['role: Nodes', 'role: Nodes, capacityReservationSelectorTerms: [{id: cr-123}]'];

const KARPENTER: readonly Group[] = [
  {
    name: 'a v1alpha5 Provisioner with its template',
    source: 'provisioner',
    text: PROVISIONER,
    changes: {
      'with a weight that the config refuses': [['weight: 10', 'weight: 1000']],
      'without an instance profile': [['  instanceProfile: KarpenterNodes\n', '']],
      'with a label that Karpenter refuses': [['{team: web}', '{team: web, karpenter.sh/x: y}']],
      'with an expiry in quotes': [['ttlSecondsUntilExpired: 604800', 'ttlSecondsUntilExpired: "600"']],
      'with an expiry to fill in': [['ttlSecondsUntilExpired: 604800', `ttlSecondsUntilExpired: ${LATER}`]],
      'with a time when empty to fill in': [['ttlSecondsAfterEmpty: 30', `ttlSecondsAfterEmpty: ${LATER}`]],
      'with a placeholder for the cluster': [['discovery: shop', 'discovery: "YOUR_CLUSTER_NAME"']],
      'with another placeholder': [['discovery: shop', 'discovery: "{$USER}-shop"']],
      'twice, the second under a name that is not allowed': [
        [PROVISIONER.replace('{name: service}', '{name: "Team_pool"}')],
      ],
    },
  },
  {
    name: 'a v1alpha5 Provisioner without its template',
    source: 'provisioner',
    text: 'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: default}\nspec: {providerRef: {name: gone}}\n',
  },
  {
    name: 'a v1beta1 NodePool with its class',
    source: 'provisioner',
    text: BETA,
    changes: {
      'without its class': [[/---[\s\S]*/, '']],
      'with an AMI that cannot be looked up': [
        terms('  amiFamily: AL2\n  amiSelectorTerms: [{id: "<<AMI>>"}]\n  userData: old\n'),
      ],
      'of AL2': [terms('  amiFamily: AL2\n  amiSelectorTerms: []\n')],
      'of another family': [terms('  amiFamily: Ubuntu\n  userData: apt install\n')],
      'with images of Ubuntu': [
        terms(
          '  amiFamily: Ubuntu\n  amiSelectorTerms: [{name: ubuntu-*, owner: 123456789012}]\n  userData: apt install\n',
        ),
      ],
      'of Custom with an alias': [terms('  amiFamily: Custom\n  amiSelectorTerms: [{alias: bottlerocket@v1.40.0}]\n')],
      "with Karpenter's own tags": [
        terms('  amiFamily: AL2023\n  tags: {team: web, kubernetes.io/cluster/shop: owned}\n'),
      ],
      'with fields of newer classes': [
        terms('  amiFamily: AL2023\n  capacityReservationSelectorTerms: [{tags: {team: web}}]\n'),
      ],
      'with a security group to fill in': [[/(securityGroupSelectorTerms: )\[.*\]/, '$1[{id: "<<SG>>"}]']],
      'with a role to fill in': [['role: KarpenterNodeRole-shop', 'role: "KarpenterNodeRole-<<CLUSTER>>"']],
      'of another cloud': [['kind: EC2NodeClass, name: cicd}', 'kind: AKSNodeClass, name: cicd}']],
      'of EKS Auto Mode': [
        [/nodeClassRef: .*/, 'nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}'],
      ],
      'that shares the class with another, and has no labels': [
        ['labels: {purpose: cicd}', 'labels: {}'],
        [BETA.slice(0, BETA.indexOf('---')).replace('{name: cicd}', '{name: other}')],
      ],
    },
  },
  {
    name: 'a v1 NodePool with its class',
    source: 'provisioner',
    text: V1,
    changes: {
      'with one requirement twice': [requirements(capacity('In', 'spot'), capacity('In', 'spot'))],
      'with two requirements of one key': [requirements(capacity('In', 'on-demand, spot'), capacity('NotIn', 'spot'))],
      'with two requirements that nothing meets': [requirements(capacity('In', 'on-demand'), capacity('In', 'spot'))],
      'with a value to fill in': [
        requirements('{key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["<<CPU>>"]}'),
      ],
      'with capacity reservations': [RESERVED],
      'with capacity reservations, without spot': [requirements(capacity('NotIn', 'spot')), RESERVED],
    },
  },
];

const chart = (name: string, values: string) =>
  `kind: HelmRelease\nmetadata: {name: a}\nspec:\n  chart: {spec: {chart: ${name}}}\n  values: {${values}}\n`;
const SPARE = 'deployments: [{name: spare, replicaCount: 2, resources: {requests: {cpu: 1}}}]';

const ANY: readonly Group[] = [
  {
    name: 'a NodePool, its headroom, another ScaledObject and a Service',
    text: `${PROVISIONER}---\n${INFLATE_DEPLOYMENT.replace(
      '{key: team, operator: In, values: [team1]}',
      '{key: karpenter.sh/nodepool, operator: In, values: [service]}',
    )}---${KEDA_SAMPLE}---\nkind: Service\nmetadata: {name: web}\n`,
  },
  { name: "deliveryhero's values alone", text: DELIVERYHERO },
  { name: "codecentric's values alone", text: CODECENTRIC },
  { name: 'the chart by its name', text: chart('cluster-overprovisioner', SPARE) },
  { name: 'the chart in another one', text: chart('platform', `cluster-overprovisioner: {${SPARE}}`) },
  ...Object.entries({
    'a chart of another name': chart('shop', 'op: {enabled: true}'),
    'an Application of another chart':
      'kind: Application\nmetadata: {name: shop}\nspec: {source: {chart: shop, helm: {valuesObject: {op: {enabled: true}}}}}\n',
    'backups by the clock': 'schedules:\n  nightly: {schedule: 0 3 * * *, template: {ttl: 240h}}\n',
    'services by name': 'deployments:\n  web: {replicaCount: 3}\n',
    'services in a list': 'deployments:\n  - {name: web, replicaCount: 3, image: {repository: nginx}}\n',
    'a patch of a NodePool':
      'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\nspec: {limits: {cpu: 2000}}\n',
    'a Namespace before the work that could have been headroom': `kind: Namespace\nmetadata: {name: web}\n---\n${WORK}`,
    'a Kustomization': 'kind: Kustomization\nresources: [a.yaml]\n',
    'values of a chart': 'replicaCount: 5\n',
    'a comment': '# later\n',
    nothing: '',
    'a ScaledObject without a target':
      'kind: ScaledObject\nmetadata: {name: a}\nspec: {triggers: [{type: cron, metadata: {timezone: UTC, start: 0 6 * * *, end: 0 7 * * *, desiredReplicas: 3}}]}\n',
    'a file of Terraform':
      'resource "kubectl_manifest" "pool" {\n  yaml_body = <<-YAML\n    kind: NodePool\n  YAML\n}\n',
    'a script': 'cat <<EOF | kubectl apply -f -\nkind: NodePool\nspec:\n  limits: {}\nEOF\n',
    'broken YAML': 'kind: A\nb:\n  - [',
    'a template': 'a: {{ .Values.x }}\n b: {{ y }}',
    'a template that happens to be YAML': 'kind: Deployment\nspec: {replicas: {{ .Values.n }}}',
    'an alias without an anchor': 'a: *gone',
  }).map(([name, text]) => ({ name, text })),
  { name: 'pause pods', source: 'keda', text: INFLATE_DEPLOYMENT },
  { name: 'a ScaledObject', source: 'pause', text: KEDA_SAMPLE.replace('name: web', 'name: inflate') },
  { name: 'a Provisioner', source: 'keda', text: PROVISIONER },
  { name: 'values', source: 'provisioner', text: DELIVERYHERO },
  { name: 'pause pods', source: 'overprovisioner', text: INFLATE_DEPLOYMENT },
];

export const GROUPS: readonly Group[] = [...KEDA, ...PAUSE, ...OVERPROVISIONER, ...KARPENTER, ...ANY];
