import { type ClusterErrorType, causesOf, clusterErrorType } from '../../shared/adapters/kube/cluster-error';
import { KubeError } from '../../shared/adapters/kube/kube-error';
import { messageOf } from '../../shared/core/basics/errors';
import type { Commands } from '../input/commands';

/** Why the cluster did not carry out a call, and what to do about it. */
export interface Advice {
  readonly problem: string;
  readonly fix: string;
}

const ADVICE: Readonly<Record<ClusterErrorType | 'NotFound', Advice>> = {
  ClusterUnreachable: {
    problem: 'cannot be reached',
    fix: 'check the address in the kubeconfig, the network and the VPN',
  },
  ClusterTooSlow: {
    problem: 'answers too slowly',
    fix: 'look for an overloaded API server or a webhook that does not answer',
  },
  ClusterUnauthenticated: {
    problem: 'does not accept the credentials',
    fix: 'renew the credentials of the kubeconfig',
  },
  ClusterForbidden: {
    problem: 'does not allow it',
    fix: 'ask for the permissions of the RoleBinding headstart-runtime in its namespace',
  },
  KarpenterNotServed: {
    problem: 'does not serve karpenter.sh/v1',
    fix: 'install Karpenter 1.0 or newer',
  },
  NotFound: {
    problem: 'has no such object',
    fix: 'check that the namespace exists',
  },
};

/** `undefined` if there is nothing to add to the error's own message. */
export function explainClusterError(error: unknown): Advice | undefined {
  const type = clusterErrorType(error);
  if (type !== undefined) return ADVICE[type];
  return causesOf(error).some((one) => one instanceof KubeError && one.status === 404) ? ADVICE.NotFound : undefined;
}

/** The error with its fix, for the terminal. */
export function clusterFailure(error: unknown, server: string, { headstart }: Commands): Error {
  const advice = explainClusterError(error);
  const message = messageOf(error);
  if (!advice) return new Error(message, { cause: error });
  const { problem, fix } = advice;
  return new Error(`${server} ${problem}: ${fix}, or run ${headstart('doctor')} (${message})`, { cause: error });
}
