import { MANAGED_BY_LABEL } from '../../basics/names';
import { fault, obey, type Rules } from './rules';
import { isLabelKey, isLabelValue, Labels, listOf, text } from './schema-fields';

/** Keys of Headstart, of the ReplicaSet controller, and those with which a pod keeps its node from being removed. */
const RESERVED: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)headstart\.dev\//, "is Headstart's own"],
  [new RegExp(`^${MANAGED_BY_LABEL}$`), "is Headstart's own"],
  [/^pod-template-hash$/, "is Kubernetes' own"],
  [/(^|\.)karpenter\.sh\//, 'would change what Karpenter does with the node'],
  [/^cluster-autoscaler\.kubernetes\.io\//, 'would keep the node from being removed'],
];

const keyRules: Rules<Readonly<Record<string, string>>> = (metadata) =>
  Object.keys(metadata).map((key) => {
    if (!isLabelKey(key)) return fault(key, 'is not a valid key; write one such as team or example.com/team');
    const reserved = RESERVED.find(([pattern]) => pattern.test(key));
    return reserved && fault(key, `${reserved[1]}; leave it out`);
  });

const valueRules: Rules<Readonly<Record<string, string>>> = (labels) =>
  Object.entries(labels).map(
    ([key, value]) =>
      !isLabelValue(value) &&
      fault(key, `is ${JSON.stringify(value)}; write a label value: up to 63 letters, digits, -, _ and .`),
  );

export const PodAnnotations = Labels.superRefine(obey(keyRules));
export const PodLabels = PodAnnotations.superRefine(obey(valueRules));

const SECRET_HINT = 'write the name of a Secret in the headroom namespace, such as registry-credentials';
export const PullSecrets = listOf(
  text(SECRET_HINT, /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/).max(253, SECRET_HINT),
  'write a list of names of Secrets, such as [registry-credentials]',
);
