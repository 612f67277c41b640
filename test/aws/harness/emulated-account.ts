import { InvokeCommand } from '@aws-sdk/client-lambda';
import { TEST_CA } from '../../fakes/loopback-server';
import { kubeWorld } from '../../lambdas/deploy/kube-world';
import { awsClients } from './aws-clients';
import { startEmulator } from './emulator';
import { openFunctionHost } from './function-host';

export type EmulatedAccount = Awaited<ReturnType<typeof startAccount>>;

/** Emulated AWS whose clusters all have one Kubernetes API, and whose functions run when they are invoked. */
export async function startAccount() {
  const [world, host] = await Promise.all([kubeWorld({ tls: true }), openFunctionHost()]);
  const kube = { url: world.url, caBase64: TEST_CA.toString('base64') };
  const emulator = await startEmulator({ functionHost: host, kube });
  host.environment = emulator.environment;
  const aws = awsClients(emulator);
  return {
    world,
    host,
    emulator,
    aws,
    /** What a function answers. */
    invoke: async (FunctionName: string, payload: object): Promise<unknown> => {
      const { Payload } = await aws.lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(payload) }));
      return JSON.parse(Buffer.from(Payload ?? []).toString());
    },
    stop: async () => {
      await emulator.stop();
      await Promise.all([host.close(), world.close()]);
    },
  };
}
