import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterConnection } from '../../shared/adapters/cluster-connection';
import { describeCluster } from '../../shared/adapters/describe-cluster';
import { jsonLog } from '../../shared/adapters/json-log';
import { kubeTransport } from '../../shared/adapters/kube-transport';
import { sleep } from '../../shared/adapters/sleep';
import type { Manifest } from '../../shared/core/manifests/cluster-objects';
import { clusterAbout } from './cluster-about';
import { customResource, updateRollingBack } from './custom-resource';
import { handleClusterObjects, NOTHING_LEFT } from './handle-cluster-objects';

const now = () => Date.now();
const log = jsonLog();

/** The custom resource that puts Headstart's own objects on the cluster. */
export const handler = customResource(
  (event) =>
    handleClusterObjects(event, {
      connect: async () =>
        kubeTransport(await clusterConnection(clusterAbout(event.ResourceProperties), process.env, now)),
      objects: readObjects(),
      updateRollingBack,
      describe: describeCluster,
      now,
      sleep,
      log,
    }),
  undefined,
  { LeftToDelete: NOTHING_LEFT },
);

function readObjects(): readonly Manifest[] {
  const folder = process.env.LAMBDA_TASK_ROOT ?? __dirname;
  return JSON.parse(readFileSync(join(folder, 'objects.json'), 'utf8')) as readonly Manifest[];
}
