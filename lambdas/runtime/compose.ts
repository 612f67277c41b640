import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloudWatchAlarms } from '../../shared/adapters/cloudwatch-alarms';
import { clusterConnection, type Environment } from '../../shared/adapters/cluster-connection';
import { emfMetrics } from '../../shared/adapters/emf-metrics';
import { ENVIRONMENT } from '../../shared/adapters/environment';
import { jsonLog } from '../../shared/adapters/json-log';
import { kubeCluster } from '../../shared/adapters/kube-cluster';
import { kubeTransport } from '../../shared/adapters/kube-transport';
import { jitteredPause } from '../../shared/adapters/pause';
import type { Config } from '../../shared/core/config/config';
import type { Service } from '../../shared/core/service';

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
  const connection = await clusterConnection(config.cluster, environment, now);
  const alarmEndpoint = environment[ENVIRONMENT.cloudwatchEndpoint];
  return {
    config,
    now,
    ports: {
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
