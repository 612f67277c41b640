import { kubeTransport } from '../../shared/adapters/kube-transport';
import { kubeconfigConnection } from '../../shared/adapters/kubeconfig-connection';
import type { Config } from '../../shared/core/config/config';
import { LiveSession } from './live-session';
import { OptionError, type StartOptions } from './options';
import type { Started } from './started';

/** Starts the console over a real cluster. */
export async function startLive(config: Config, { kubeconfig = '', act }: StartOptions): Promise<Started> {
  const connection = await kubeconfigConnection(kubeconfig).catch((error: unknown) => {
    throw new OptionError(`--kubeconfig ${kubeconfig}: ${(error as Error).message}`);
  });
  const source = new LiveSession({ config, transport: kubeTransport(connection), server: connection.server() });
  await source.start({ act });
  return {
    source,
    greeting: `Headstart against a REAL cluster, ${connection.server()}, in real time and without AWS.\n`,
    lines: [
      act
        ? 'acting     yes: Headstart writes its own namespace, PriorityClass and Deployments'
        : 'acting     no: nothing is written until you press "act" on the page (or start with --act)',
    ],
    stop: async () => source.stop(),
  };
}
