import { canonicalQuantity } from '../canonical-quantity';
import { isObject, type JsonObject } from '../json';
import { DEPLOYMENTS, type Kind, NAMESPACES, NODE_POOLS, NODES, PODS, PRIORITY_CLASSES, REPLICA_SETS } from '../kinds';
import type { Draft } from '../object-store';

/** Fills in the API server's defaults, as far as clients depend on them. */
export function withDefaults(kind: Kind, object: Draft): Draft {
  return DEFAULTS.get(kind)?.(object) ?? object;
}

const DEFAULTS = new Map<Kind, (object: Draft) => Draft>([
  [DEPLOYMENTS, (object) => ({ ...object, spec: deploymentSpec(section(object.spec)) })],
  [REPLICA_SETS, (object) => ({ ...object, spec: { replicas: 1, ...section(object.spec) } })],
  [PODS, (object) => ({ ...object, spec: podSpec({ enableServiceLinks: true, ...section(object.spec) }) })],
  [PRIORITY_CLASSES, priorityClass],
  [NAMESPACES, namespace],
  [NODES, (object) => ({ ...object, status: nodeStatus(section(object.status)) })],
  [NODE_POOLS, nodePool],
]);

function section(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function deploymentSpec(spec: JsonObject): JsonObject {
  const template = section(spec.template);
  return {
    progressDeadlineSeconds: 600,
    replicas: 1,
    revisionHistoryLimit: 10,
    ...spec,
    strategy: strategy(section(spec.strategy)),
    ...(isObject(template.spec) && { template: { ...template, spec: podSpec(template.spec) } }),
  };
}

function strategy(given: JsonObject): JsonObject {
  const type = given.type ?? 'RollingUpdate';
  if (type !== 'RollingUpdate') return { ...given, type };
  const rollingUpdate = { maxSurge: '25%', maxUnavailable: '25%', ...section(given.rollingUpdate) };
  return { ...given, type, rollingUpdate };
}

function podSpec(spec: JsonObject): JsonObject {
  return {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    ...spec,
    ...(Array.isArray(spec.containers) && { containers: spec.containers.map(container) }),
    ...(Array.isArray(spec.initContainers) && { initContainers: spec.initContainers.map(container) }),
    ...(Array.isArray(spec.volumes) && { volumes: spec.volumes.map(volume) }),
  };
}

function container(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { image, ports } = given;
  return {
    imagePullPolicy: pullPolicy(image),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    ...given,
    resources: resources(section(given.resources)),
    ...(Array.isArray(ports) && { ports: ports.map((port) => (isObject(port) ? { protocol: 'TCP', ...port } : port)) }),
  };
}

function volume(given: unknown): unknown {
  if (!isObject(given) || !isObject(given.image)) return given;
  return { ...given, image: { pullPolicy: pullPolicy(given.image.reference), ...given.image } };
}

function pullPolicy(image: unknown): string {
  const name = `${image ?? ''}`;
  if (name.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(name)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** Requests default to the limits. */
function resources(given: JsonObject): JsonObject {
  const limits = quantities(given.limits);
  const requests = { ...limits, ...quantities(given.requests) };
  return {
    ...given,
    ...(limits && { limits }),
    ...(Object.keys(requests).length > 0 && { requests }),
  };
}

function quantities(given: unknown): JsonObject | undefined {
  if (!isObject(given)) return undefined;
  const entries = Object.entries(given).map(([name, value]) => {
    const quantity = typeof value === 'string' || typeof value === 'number' ? canonicalQuantity(value) : value;
    return [name, quantity];
  });
  return Object.fromEntries(entries);
}

function nodeStatus(status: JsonObject): JsonObject {
  const capacity = quantities(status.capacity);
  const allocatable = quantities(status.allocatable) ?? capacity;
  return { ...status, ...(capacity && { capacity }), ...(allocatable && { allocatable }) };
}

function namespace(object: Draft): Draft {
  const { metadata } = object;
  const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
  return {
    ...object,
    metadata: { ...metadata, labels },
    spec: { finalizers: ['kubernetes'], ...section(object.spec) },
    status: { phase: 'Active', ...section(object.status) },
  };
}

/** `globalDefault: false` is the default, and is not stored. */
function priorityClass({ globalDefault, ...object }: Draft): Draft {
  const given = globalDefault ? { globalDefault } : {};
  return { preemptionPolicy: 'PreemptLowerPriority', ...object, ...given } as Draft;
}

function nodePool(object: Draft): Draft {
  const spec = section(object.spec);
  const template = section(spec.template);
  return {
    ...object,
    spec: {
      ...spec,
      disruption: {
        budgets: [{ nodes: '10%' }],
        consolidateAfter: '0s',
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        ...section(spec.disruption),
      },
      template: { ...template, spec: { expireAfter: '720h', ...section(template.spec) } },
    },
  };
}
