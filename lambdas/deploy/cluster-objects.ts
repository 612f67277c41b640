import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterConnection } from '../../shared/adapters/cluster-connection';
import { kubeTransport } from '../../shared/adapters/kube-transport';
import type { Manifest } from '../../shared/core/manifests/cluster-objects';
import { clusterAbout } from './cluster-about';
import { deployPorts } from './compose';
import { customResource } from './custom-resource';
import { handleClusterObjects, NOTHING_LEFT } from './handle-cluster-objects';

/** The custom resource that puts Headstart's own objects on the cluster. */
export const handler = customResource(
  (event, deadline) =>
    handleClusterObjects(event, {
      ...deployPorts,
      deadline,
      connect: async () => {
        const about = clusterAbout(event.ResourceProperties);
        return kubeTransport(await clusterConnection(about, process.env, deployPorts.now, deadline), { deadline });
      },
      objects: readObjects(),
    }),
  deployPorts,
  { LeftToDelete: NOTHING_LEFT },
);

function readObjects(): readonly Manifest[] {
  const folder = process.env.LAMBDA_TASK_ROOT ?? __dirname;
  return JSON.parse(readFileSync(join(folder, 'objects.json'), 'utf8')) as readonly Manifest[];
}
