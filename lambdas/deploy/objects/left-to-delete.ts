import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { deleteCommands } from '../../../shared/core/karpenter/delete-commands';
import type { Manifest } from '../../../shared/core/manifests/cluster-object-manifests';
import { drainingKinds, objectText } from '../../../shared/core/manifests/places';
import { listLabelled } from './current-objects';

/** The commands that delete our NodePools and EC2NodeClasses that the config no longer contains. */
export async function leftToDelete(transport: KubeTransport, objects: readonly Manifest[]): Promise<readonly string[]> {
  const kinds = drainingKinds(objects);
  const ours = await Promise.all(kinds.map((kind) => listLabelled(transport, kind)));
  refuseUnserved(
    objects,
    kinds.filter((_, index) => ours[index] === undefined),
  );
  const present = ours
    .flatMap((list) => list ?? [])
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ kind, metadata: { name } }) => ({ kind, name }));
  return deleteCommands(present, objects);
}

function refuseUnserved(objects: readonly Manifest[], unserved: readonly string[]): void {
  const impossible = objects.filter(({ kind }) => unserved.includes(kind));
  if (impossible.length === 0) return;
  throw new Error(
    `the cluster does not serve ${unserved.join(' and ')}, and the config asks for ${impossible.map(objectText).join(', ')}; install Karpenter 1.0 or newer first: deploy without pool blocks, install it, then deploy with them`,
  );
}
