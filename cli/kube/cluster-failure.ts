import { type ClusterErrorType, causesOf, clusterErrorType } from '../../shared/adapters/kube/cluster-error';
import { KubeError } from '../../shared/adapters/kube/kube-error';
import { messageOf } from '../../shared/core/basics/errors';
import type { Commands } from '../input/commands';
import { plainAll } from '../terminal/plain';

const ADVICE: Readonly<Record<ClusterErrorType | 'NotFound', readonly [problem: string, fix: string]>> = {
  ClusterUnreachable: ['cannot be reached', 'check the address in the kubeconfig, the network and the VPN'],
  ClusterTooSlow: ['answers too slowly', 'look for an overloaded API server or a webhook that does not answer'],
  ClusterUnauthenticated: ['does not accept the credentials', 'renew the credentials of the kubeconfig'],
  ClusterForbidden: [
    'does not allow it',
    'ask for the permissions of the RoleBinding headstart-runtime in its namespace',
  ],
  KarpenterNotServed: ['does not serve karpenter.sh/v1', 'install Karpenter 1.0 or newer'],
  NotFound: ['has no such object', 'check that the namespace exists'],
};

/** Why the cluster did not carry out a call, and what to do; `undefined` if there is nothing to add to the error's message. */
export function explainClusterError(error: unknown): (typeof ADVICE)['NotFound'] | undefined {
  const type = clusterErrorType(error);
  if (type !== undefined) return ADVICE[type];
  return causesOf(error).some((one) => one instanceof KubeError && one.status === 404) ? ADVICE.NotFound : undefined;
}

export function clusterFailure(error: unknown, server: string, { headstart }: Commands): Error {
  const advice = explainClusterError(error);
  const message = plainAll(messageOf(error));
  if (!advice) return new Error(message, { cause: error });
  const [problem, fix] = advice;
  return new Error(`${server} ${problem}: ${fix}, or run ${headstart('doctor')} (${message})`, { cause: error });
}
