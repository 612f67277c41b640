import { kubeCluster } from '../../shared/adapters/kube/kube-cluster';
import { likePorts } from '../../shared/adapters/kube/like-ports';
import { keptLive } from '../../shared/adapters/kube/live-ports';
import { jitteredSleep } from '../../shared/adapters/process/sleep';
import type { Config } from '../../shared/core/config/config';
import { type HandlerResponse, handle } from '../../shared/core/handle';
import { observe } from '../../shared/core/observe/observe';
import type { Log, Runtime } from '../../shared/core/ports/ports';
import { commandsFor, type Reach } from '../input/commands';
import { clockSkew, skewWorthCorrecting } from '../kube/clock-skew';
import { clusterFailure } from '../kube/cluster-failure';
import { findOwner, type OwnerOptions } from '../kube/find-owner';
import { kubeconfigCluster } from '../kube/kubeconfig-cluster';
import { openCluster } from '../kube/open-cluster';
import { clusterMismatch, foundOwners } from '../kube/same-cluster';
import { InputError } from '../terminal/exit';
import { plain } from '../terminal/plain';
import type { Terminal } from '../terminal/terminal';
import type { Access, AccessResponse } from './access';

/** Directly to the cluster, through the same handler that the function runs. */
export async function clusterAccess(
  options: Reach & OwnerOptions,
  config: Config,
  terminal: Terminal,
): Promise<Access> {
  const { server, connection, transport } = await openCluster(options.kubeconfig);
  let ahead = 0;
  const now = () => terminal.now() + ahead;
  const cluster = kubeCluster(transport, config.cluster.namespace);
  const runtime: Omit<Runtime, 'owner'> = {
    config,
    now,
    isLocalConfig: true,
    ports: {
      cluster,
      log: quietLog(terminal),
      metrics: { headroom: () => {}, count: () => {} },
      sleep: jitteredSleep,
      ...keptLive(config),
      ...likePorts(config, transport),
    },
  };
  return {
    place: server,
    transport,
    now,
    mismatch: async () =>
      clusterMismatch(config.cluster, await kubeconfigCluster(options.kubeconfig), await foundOwners(cluster)),
    countNodes: async (pool) => (await observe(config, runtime.ports)).countNodeClaims(pool),
    send: async (request) => {
      let response: HandlerResponse;
      try {
        ahead = skewWorthCorrecting(await clockSkew(connection, terminal.now));
        const owner = request.status === true ? NOBODY : await findOwner(config, cluster, options);
        response = await handle(request, { ...runtime, owner });
      } catch (error) {
        if (error instanceof InputError) throw error;
        throw clusterFailure(error, server, commandsFor(options, terminal));
      }
      if ('rejected' in response) throw new InputError(plain(response.rejected));
      return response as AccessResponse;
    },
  };
}

/** A query needs no owner. */
const NOBODY = '';

/** Log messages whose content is also in the response, or in the error that is thrown instead. */
const IN_THE_RESPONSE = ['event rejected', 'processing failed'];

export function quietLog({ err }: Pick<Terminal, 'err'>): Log {
  const loud: Log['error'] = (message, fields) => {
    if (!IN_THE_RESPONSE.includes(message))
      err(`${plain(`${message}: ${Object.values(fields).map(fieldText).join(', ')}`)}\n`);
  };
  return { info: () => {}, warn: loud, error: loud };
}

function fieldText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
