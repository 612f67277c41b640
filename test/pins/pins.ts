import { karpenterStackName, stackName } from '../../infra/stack-names';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import { clusterObjects } from '../../shared/core/manifests/cluster-object-manifests';
import { pauseDeployment } from '../../shared/core/manifests/pause-deployment';
import { writeRecord } from '../../shared/core/record/record-codec';
import { demo } from '../infra/demo-config';
import { configOf, type Synthesized, synthesized, synthesizedKarpenter } from '../infra/synthesized';
import { FULL_RECORD } from './full-record';

export const PINS_FILE = 'test/pins/pins.json';

/** By a name that says what it is: the value that stays. */
export type Pins = Readonly<Record<string, unknown>>;

/** Properties by which others find a resource. CloudFormation replaces it when one changes. */
const NAME_PROPERTIES =
  /^(Name|(Function|Role|Queue|Topic|Alarm|LogGroup|ManagedPolicy|Group|Dashboard|InstanceProfile)Name)$/;

/** Everything that Headstart can make for Karpenter. Not the example, which anybody may edit. */
const MANAGED = configOf(`
cluster: { name: demo, region: eu-central-1 }
karpenter:
  manage: true
  podIdentityAgent: true
  instanceProfile: true
  helm: { install: true, kubectlLayerArn: "arn:aws:lambda:eu-central-1:123456789012:layer:kubectl:1" }
nodePools:
  service: { max: 4, pool: { family: [m7i], spotTwin: true } }
`);

/** Everything that a release must not change in silence. */
export function currentPins(): Pins {
  const [first = demo.headrooms[0]] = demo.headrooms;
  if (!first) throw new Error('the demo has no NodePool');
  const content = { replicas: 1, annotations: {}, defaultTolerations: [], imageVolumes: true };
  const { metadata, spec } = pauseDeployment({ pool: first, namespace: 'headroom', ...content });
  return {
    ...stackPins('headroom', synthesized(demo)),
    ...stackPins('karpenter', synthesizedKarpenter(MANAGED)),
    'stack name': stackName(demo.cluster),
    'stack name of Karpenter': karpenterStackName(demo.cluster),
    'Deployment name': metadata.name,
    'Deployment selector': spec.selector,
    'Deployment labels of pods': spec.template.metadata.labels,
    ...Object.fromEntries(Object.entries(ANNOTATIONS).map(([name, key]) => [`annotation ${name}`, key])),
    ...Object.fromEntries(
      clusterObjects('headroom').map(({ kind, metadata }) => [`cluster object ${kind} ${metadata.name}`, true]),
    ),
    ...recordPins(JSON.parse(writeRecord(FULL_RECORD)), 'record'),
  };
}

/** Its id names a run of Helm: another one is made for other charts or values, and none is ever deleted. */
const RUN_OF_HELM = 'Custom::AWSCDK-EKS-HelmChart';

/** Logical ids, names and outputs of a stack. */
function stackPins(label: string, { resources, outputs }: Synthesized): Pins {
  const pins: Record<string, unknown> = {};
  for (const [id, { Type, Properties }] of Object.entries(resources)) {
    if (Type === RUN_OF_HELM) continue;
    pins[`${label}: ${id}`] = Type;
    for (const [property, value] of Object.entries(Properties ?? {}))
      if (NAME_PROPERTIES.test(property) && !isReference(value)) pins[`${label}: ${id}.${property}`] = value;
  }
  for (const name of Object.keys(outputs)) pins[`${label}: output ${name}`] = true;
  return pins;
}

/** Names another resource, which has a pin of its own. */
function isReference(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('Ref' in value || 'Fn::GetAtt' in value);
}

/** Every field of a record, by its path, with the kind of its value. */
function recordPins(value: unknown, path: string): Pins {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { [path]: Array.isArray(value) ? 'list' : typeof value };
  return Object.assign({}, ...Object.entries(value).map(([key, inner]) => recordPins(inner, `${path}.${key}`)));
}
