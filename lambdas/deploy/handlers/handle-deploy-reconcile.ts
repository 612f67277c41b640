import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { ClusterDescription } from '../../../shared/adapters/aws/describe-cluster';
import { TIMED_OUT } from '../../../shared/adapters/aws/invoke-function';
import { clusterErrorType } from '../../../shared/adapters/kube/cluster-error';
import { messageOf } from '../../../shared/core/basics/errors';
import { deploy, tickEvent } from '../../../shared/core/events/heartbeat-and-edges';
import type { Response } from '../../../shared/core/respond';
import { type CustomResourceResponse, shortAttribute } from '../protocol/custom-resource';
import { type ClusterError, clusterAbout, explainDeployError } from '../protocol/explain-deploy-error';
import { type AdmissionPorts, untilAdmitted } from '../protocol/retry-until-admitted';

interface DeployReconcileProperties {
  /** The reconcile function. */
  readonly functionName: string;
  /** Whether Karpenter may still have to be installed by hand after this deploy. */
  readonly karpenterLater: 'true' | 'false';
}

export interface DeployReconcilePorts extends AdmissionPorts {
  /** Throws the function's own error, under its own name. */
  readonly invoke: (functionName: string, region: string, event: unknown) => Promise<unknown>;
  readonly describe: (name: string, region: string) => Promise<ClusterDescription | undefined>;
}

/**
 * Runs the reconcile function once at the end of a deploy, so that a cluster that
 * cannot be reached or refuses us fails the deploy and not the first window. It
 * invokes the function itself, to test the role, network and access that it will have.
 */
export async function handleDeployReconcile(
  event: CloudFormationCustomResourceEvent,
  ports: DeployReconcilePorts,
): Promise<CustomResourceResponse> {
  if (event.RequestType === 'Delete') return { physicalResourceId: event.PhysicalResourceId };
  const about = clusterAbout(event.ResourceProperties);
  const properties = event.ResourceProperties as unknown as DeployReconcileProperties;
  const physicalResourceId = `deploy-reconcile-${about.name}`;
  try {
    return { physicalResourceId, data: { Outcome: outcomeOf(await invokeReconcile(properties, about.region, ports)) } };
  } catch (error) {
    const clusterError = clusterErrorOf(error);
    if (clusterError.type === 'KarpenterNotServed' && properties.karpenterLater === 'true')
      return { physicalResourceId, data: { Outcome: 'Karpenter is not installed yet; the heartbeat takes over then' } };
    const facts = await ports.describe(about.name, about.region).catch((failure: unknown) => {
      ports.log.warn('cluster not described', { reason: messageOf(failure) });
      return undefined;
    });
    throw new Error(explainDeployError(clusterError, about, facts), { cause: error });
  }
}

function invokeReconcile(
  { functionName }: DeployReconcileProperties,
  region: string,
  ports: DeployReconcilePorts,
): Promise<unknown> {
  const { invoke, now } = ports;
  const invokeOnce = () => invoke(functionName, region, tickEvent(deploy, new Date(now()).toISOString()));
  return untilAdmitted(ports)(invokeOnce);
}

/** A function that timed out was waiting for the cluster: nothing else takes that long. */
function clusterErrorOf(error: unknown): ClusterError {
  const timedOut = error instanceof Error && error.name === TIMED_OUT;
  return { type: timedOut ? 'ClusterUnreachable' : clusterErrorType(error), message: messageOf(error) };
}

/** The sizes after the deploy, and deployed windows that live ones replace: `default 0 -> 6, service 2 (live: lunch)`. */
function outcomeOf(payload: unknown): string {
  const { decisions = [], rejected } = (payload ?? {}) as Partial<Response> & { readonly rejected?: string };
  if (rejected !== undefined) throw new Error(rejected);
  const sizes = decisions.map(({ headroom, from, replicas, replacedLive }) => {
    const size = from === replicas ? `${headroom} ${replicas}` : `${headroom} ${from} -> ${replicas}`;
    return replacedLive ? `${size} (live: ${replacedLive.join(', ')})` : size;
  });
  return shortAttribute(sizes.join(', '));
}
