import type { KubernetesObject } from '@kubernetes/client-node';
import { orMissing } from '../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../shared/adapters/kube/kube-transport';
import { FIELD_MANAGER, priorityClassName } from '../../shared/core/basics/names';
import { namespaceManifest, priorityClassManifest } from '../../shared/core/manifests/cluster-objects';

/** Headstart's own namespace and PriorityClass, created where they are missing and otherwise left alone. */
export async function ensureClusterObjects(transport: KubeTransport, namespace: string): Promise<void> {
  const objects = [
    { path: '/api/v1/namespaces', name: namespace, manifest: namespaceManifest(namespace) },
    {
      path: '/apis/scheduling.k8s.io/v1/priorityclasses',
      name: priorityClassName(namespace),
      manifest: priorityClassManifest(namespace),
    },
  ];
  for (const { path, name, manifest } of objects) {
    if (await orMissing(transport.get(`${path}/${name}`))) continue;
    await transport.create(`${path}?fieldManager=${FIELD_MANAGER}`, manifest as KubernetesObject);
  }
}
