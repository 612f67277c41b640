import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { ClusterDescription } from '../../shared/adapters/describe-cluster';
import type { Invoked } from '../../shared/adapters/invoke-function';
import { messageOf } from '../../shared/core/basics/errors';
import { DEPLOY, tickEvent } from '../../shared/core/events/ticks';
import type { Log } from '../../shared/core/ports/ports';
import type { Response } from '../../shared/core/response';
import { clusterAbout } from './cluster-about';
import type { CustomResourceResponse } from './custom-resource';
import { classifyClusterError, explainClusterError } from './explain-cluster-error';
import { PATIENCE_MS } from './patience';

/** What the custom resource's properties say beside the cluster. */
export interface DeployReconcileProperties {
  /** The reconcile function. */
  readonly functionName: string;
  /** A new one makes CloudFormation run this again. */
  readonly configHash: string;
  /** Whether Karpenter may still have to be installed by hand after this deploy. */
  readonly karpenterLater: 'true' | 'false';
}

export interface DeployReconcilePorts {
  readonly invoke: (functionName: string, region: string, event: unknown) => Promise<Invoked>;
  readonly describe: (name: string, region: string) => Promise<ClusterDescription | undefined>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
}

const BETWEEN_TRIES_MS = 10_000;

/**
 * Runs the reconcile function once at the end of a deploy, so that a cluster that
 * cannot be reached or refuses us fails the deploy and not the first window. The
 * function itself is invoked: what is tried is the very role, network and access
 * that it will have at night.
 */
export async function handleDeployReconcile(
  event: CloudFormationCustomResourceEvent,
  ports: DeployReconcilePorts,
): Promise<CustomResourceResponse> {
  if (event.RequestType === 'Delete') return { physicalResourceId: event.PhysicalResourceId };
  const about = clusterAbout(event.ResourceProperties);
  const properties = event.ResourceProperties as unknown as DeployReconcileProperties;
  const physicalResourceId = `deploy-reconcile-${about.name}`;
  const outcome = await patientlyInvoke(properties.functionName, about.region, ports);
  if (outcome.kind === 'answered') return { physicalResourceId, data: { Outcome: outcomeOf(outcome.payload) } };

  const { message } = outcome;
  if (classifyClusterError(message) === 'no-karpenter' && properties.karpenterLater === 'true')
    return { physicalResourceId, data: { Outcome: 'Karpenter is not installed yet; the heartbeat takes over then' } };
  const facts = await ports.describe(about.name, about.region).catch((error: unknown) => {
    ports.log.warn('cluster not described', { reason: messageOf(error) });
    return undefined;
  });
  throw new Error(explainClusterError(message, about, facts));
}

/** A role, its policy and its access entry take a while to be known everywhere. */
async function patientlyInvoke(
  functionName: string,
  region: string,
  { invoke, now, sleep, log }: DeployReconcilePorts,
): Promise<Invoked> {
  const until = now() + PATIENCE_MS;
  for (;;) {
    const outcome = await invoke(functionName, region, tickEvent(DEPLOY, new Date(now()).toISOString())).catch(
      (error: unknown): Invoked => ({ kind: 'failed', message: messageOf(error) }),
    );
    if (outcome.kind === 'answered' || !isRefusal(outcome.message) || now() + BETWEEN_TRIES_MS > until) return outcome;
    log.info('not admitted yet', { reason: outcome.message });
    await sleep(BETWEEN_TRIES_MS);
  }
}

function isRefusal(message: string): boolean {
  return (
    ['unauthenticated', 'forbidden'].includes(classifyClusterError(message)) ||
    /not authorized to perform/.test(message)
  );
}

/** `default 0 -> 6, service 2`: what the deploy brought the headroom to. */
function outcomeOf(payload: unknown): string {
  const { decisions = [], rejected } = (payload ?? {}) as Partial<Response> & { readonly rejected?: string };
  if (rejected !== undefined) throw new Error(rejected);
  const shown = decisions.map(({ nodePool, from, replicas }) =>
    from === replicas ? `${nodePool} ${replicas}` : `${nodePool} ${from} -> ${replicas}`,
  );
  return shown.join(', ').slice(0, 1_000);
}
