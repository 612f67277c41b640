import { forbidden, forbiddenValue, invalid } from '../api-error';
import { isObject, type JsonObject } from '../json';
import { PODS, PRIORITY_CLASSES } from '../kinds';
import type { Draft, ObjectStore } from '../object-store';
import type { PriorityClass } from '../object-types';

export interface ResolvedPriority {
  readonly priorityClassName?: string;
  readonly priority: number;
  readonly preemptionPolicy: string;
}

/** Looks up the class that a pod names, or the cluster's default; throws the 403 of the real admission plugin. */
export function resolvePriority(store: ObjectStore, podName: string, className: string | undefined): ResolvedPriority {
  if (className === undefined || className === '') return defaultPriority(store);
  const found = store.get(PRIORITY_CLASSES, undefined, className);
  if (!found) throw forbidden(PODS, podName, `no PriorityClass with name ${className} was found`);
  return fromClass(found);
}

function defaultPriority(store: ObjectStore): ResolvedPriority {
  const classes = store.list(PRIORITY_CLASSES).filter((one) => one.globalDefault);
  const lowest = classes.sort((a, b) => a.value - b.value)[0];
  return lowest ? fromClass(lowest) : { priority: 0, preemptionPolicy: 'PreemptLowerPriority' };
}

function fromClass(found: PriorityClass): ResolvedPriority {
  const { metadata, value, preemptionPolicy = 'PreemptLowerPriority' } = found;
  return { priorityClassName: metadata.name, priority: value ?? 0, preemptionPolicy };
}

const POD_TOLERATIONS = ['not-ready', 'unreachable'].map((state) => ({
  key: `node.kubernetes.io/${state}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}));

/** Admits a pod: fills in its priority, and tolerations for nodes that are temporarily unreachable. */
export function admitPod(store: ObjectStore, draft: Draft): Draft {
  const spec: JsonObject = isObject(draft.spec) ? draft.spec : {};
  const priority = resolvePriority(store, draft.metadata.name, spec.priorityClassName as string | undefined);
  if (spec.priority !== undefined && spec.priority !== priority.priority) {
    const why =
      'the integer value of priority must not be provided in pod spec; priority admission controller computes it from the given PriorityClass name';
    throw invalid(PODS, draft.metadata.name, [forbiddenValue('spec.priority', why)]);
  }
  const tolerations = withPodTolerations(Array.isArray(spec.tolerations) ? spec.tolerations : []);
  return { ...draft, spec: { ...spec, ...priority, tolerations }, status: { phase: 'Pending', qosClass: 'Burstable' } };
}

function withPodTolerations(tolerations: readonly unknown[]): readonly unknown[] {
  const keys = tolerations.map((one) => (isObject(one) ? one.key : undefined));
  return [...tolerations, ...POD_TOLERATIONS.filter(({ key }) => !keys.includes(key))];
}
