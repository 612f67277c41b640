import { asMap } from '../../../../shared/core/config/yaml/untyped';
import { isObject, type JsonObject } from '../json';
import { DEPLOYMENTS, type Kind, NAMESPACES, NODE_POOLS, NODES, PODS, PRIORITY_CLASSES, REPLICA_SETS } from '../kinds';
import type { Draft } from '../object-store';

/** Fills in the API server's defaults, as far as clients depend on them. */
export function withDefaults(kind: Kind, object: Draft): Draft {
  return DEFAULTS.get(kind)?.(object) ?? object;
}

const DEFAULTS = new Map<Kind, (object: Draft) => Draft>([
  [DEPLOYMENTS, (object) => ({ ...object, spec: deploymentSpec(asMap(object.spec)) })],
  [REPLICA_SETS, (object) => ({ ...object, spec: { replicas: 1, ...asMap(object.spec) } })],
  [PODS, (object) => ({ ...object, spec: podSpec({ enableServiceLinks: true, ...asMap(object.spec) }) })],
  [PRIORITY_CLASSES, priorityClass],
  [NAMESPACES, namespace],
  [NODES, (object) => ({ ...object, status: nodeStatus(asMap(object.status)) })],
  [NODE_POOLS, nodePool],
]);

function deploymentSpec(spec: JsonObject): JsonObject {
  const template = asMap(spec.template);
  return {
    progressDeadlineSeconds: 600,
    replicas: 1,
    revisionHistoryLimit: 10,
    ...spec,
    strategy: strategy(asMap(spec.strategy)),
    ...(isObject(template.spec) && { template: { ...template, spec: podSpec(template.spec) } }),
  };
}

function strategy(given: JsonObject): JsonObject {
  const type = given.type ?? 'RollingUpdate';
  if (type !== 'RollingUpdate') return { ...given, type };
  const rollingUpdate = { maxSurge: '25%', maxUnavailable: '25%', ...asMap(given.rollingUpdate) };
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
    resources: resources(asMap(given.resources)),
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
  const requests = { ...asMap(given.limits), ...asMap(given.requests) };
  return { ...given, ...(Object.keys(requests).length > 0 && { requests }) };
}

function nodeStatus({ capacity, ...status }: JsonObject): JsonObject {
  return capacity === undefined ? status : { capacity, allocatable: capacity, ...status };
}

function namespace(object: Draft): Draft {
  const { metadata } = object;
  const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
  return {
    ...object,
    metadata: { ...metadata, labels },
    spec: { finalizers: ['kubernetes'], ...asMap(object.spec) },
    status: { phase: 'Active', ...asMap(object.status) },
  };
}

/** `globalDefault: false` is the default, and is not stored. */
function priorityClass({ globalDefault, ...object }: Draft): Draft {
  const given = globalDefault ? { globalDefault } : {};
  return { preemptionPolicy: 'PreemptLowerPriority', ...object, ...given } as Draft;
}

function nodePool(object: Draft): Draft {
  const spec = asMap(object.spec);
  const template = asMap(spec.template);
  return {
    ...object,
    spec: {
      ...spec,
      disruption: {
        budgets: [{ nodes: '10%' }],
        consolidateAfter: '0s',
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        ...asMap(spec.disruption),
      },
      template: { ...template, spec: { expireAfter: '720h', ...asMap(template.spec) } },
    },
  };
}
