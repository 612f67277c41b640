import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloudWatchAlarms } from '../shared/adapters/cloudwatch-alarms';
import { eksConnection } from '../shared/adapters/eks-connection';
import type { AwsCredentials } from '../shared/adapters/eks-token';
import { emfMetrics } from '../shared/adapters/emf-metrics';
import { jsonLog } from '../shared/adapters/json-log';
import { kubeCluster } from '../shared/adapters/kube-cluster';
import { kubeTransport } from '../shared/adapters/kube-transport';
import { jitteredPause } from '../shared/adapters/pause';
import type { Config } from '../shared/core/config/config';
import { ENVIRONMENT } from './environment';
import type { Service } from './service';

type Environment = Readonly<Record<string, string | undefined>>;

let composed: Promise<Service> | undefined;

/** The composition root: the only reader of the environment, made once per process. */
export function service(): Promise<Service> {
  // A failed start is not remembered, so that the next invocation tries again.
  composed ??= compose(process.env).catch((error) => {
    composed = undefined;
    throw error;
  });
  return composed;
}

/** Builds a service from the environment that the CDK app sets. */
export async function compose(environment: Environment): Promise<Service> {
  const config = readConfig(environment);
  const now = () => Date.now();
  const { name, region, namespace } = config.cluster;
  const [server, caBase64] = [environment[ENVIRONMENT.endpoint], environment[ENVIRONMENT.certificateAuthority]];
  const connection = await eksConnection({
    clusterName: name,
    region,
    ...(server && caBase64 && { known: { server, caBase64 } }),
    credentials: async () => credentialsFrom(environment),
    now,
  });
  const alarmEndpoint = environment[ENVIRONMENT.cloudwatchEndpoint];
  return {
    config,
    now,
    outside: {
      cluster: kubeCluster(kubeTransport(connection), namespace),
      alarms: cloudWatchAlarms({ region, ...(alarmEndpoint && { endpoint: alarmEndpoint }) }),
      log: jsonLog(),
      metrics: emfMetrics(name, now),
      pause: jitteredPause,
    },
  };
}

function readConfig(environment: Environment): Config {
  const folder = environment.LAMBDA_TASK_ROOT ?? __dirname;
  const file = environment[ENVIRONMENT.configFile] ?? join(folder, 'config.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Config;
}

/** Lambda puts the role's credentials into the environment before the process starts. */
function credentialsFrom(environment: Environment): AwsCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Error('no AWS credentials in the environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required');
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}
