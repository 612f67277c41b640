import { messageOf } from '../../core/basics/errors';
import { KubeError } from './kube-error';

/**
 * The errors that keep a function from its cluster, the worst first. They are error
 * names, because Lambda passes an error's name on to the caller (`errorType`).
 */
const CLUSTER_ERRORS = [
  'ClusterUnreachable',
  'ClusterTooSlow',
  'ClusterUnauthenticated',
  'ClusterForbidden',
  'KarpenterNotServed',
] as const;
export type ClusterErrorType = (typeof CLUSTER_ERRORS)[number];

const NO_CONNECTION = ['ENOTFOUND', 'ECONNREFUSED', 'ETIMEDOUT'];

/**
 * The type of this error, or the worst of its causes, thrown here or by an invoked
 * function; `undefined` if access to the cluster is not the problem.
 */
export function clusterErrorType(error: unknown): ClusterErrorType | undefined {
  const found = new Set(causesOf(error).map(typeOfOne));
  return CLUSTER_ERRORS.find((type) => found.has(type));
}

/** The same error, named by its type, which the caller of this function gets. */
export function withClusterErrorType(error: unknown): unknown {
  const type = clusterErrorType(error);
  if (type === undefined) return error;
  return Object.assign(new Error(messageOf(error), { cause: error }), { name: type });
}

function typeOfOne(error: Error): ClusterErrorType | undefined {
  if ('code' in error && NO_CONNECTION.includes(String(error.code))) return 'ClusterUnreachable';
  if (!(error instanceof KubeError)) return CLUSTER_ERRORS.find((type) => type === error.name);
  switch (error.status) {
    case 0:
      return error.reason === 'TooSlow' ? 'ClusterTooSlow' : 'ClusterUnreachable';
    case 401:
      return 'ClusterUnauthenticated';
    case 403:
      return 'ClusterForbidden';
    case 404:
      return error.path.startsWith('/apis/karpenter.sh/') ? 'KarpenterNotServed' : undefined;
    default:
      return undefined;
  }
}

export function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const parts: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...[error.cause, ...parts].flatMap(causesOf)];
}
