import type { KubernetesObject, V1Node, V1Pod } from '@kubernetes/client-node';
import { orMissing } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { listInPages } from '../../../shared/adapters/kube/list-in-pages';
import type { Config } from '../../../shared/core/config/config';
import { texts } from '../../../shared/core/config/schema/quantity';
import { asList, asMap } from '../../../shared/core/config/yaml/untyped';
import { read } from '../../kube/read';
import type { LooseObject } from './loose-objects';

export type FloorFacts = NonNullable<Awaited<ReturnType<typeof readFloors>>>;

/** A node, with the pods that run on it; `slots` is how many it can run. */
export interface FloorNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly slots?: number;
  readonly pods: number;
}

/** Reads what can falsify a floor; skipped without floors, because it lists all pods of the cluster. */
export async function readFloors(transport: KubeTransport, config: Config) {
  if (!config.headrooms.some(({ unit }) => unit.kind === 'floor')) return undefined;
  const limitRangesPath = `/api/v1/namespaces/${config.cluster.namespace}/limitranges`;
  const [limitRanges, nodes] = await Promise.all([
    // An API that the cluster does not serve has no objects.
    read(orMissing(listInPages(transport, limitRangesPath, { facts: limitRangeFacts })).then((found) => found ?? [])),
    read(listNodes(transport)),
  ]);
  return { limitRanges, nodes };
}

async function listNodes(transport: KubeTransport): Promise<readonly FloorNode[]> {
  const [nodes, places] = await Promise.all([
    listInPages(transport, '/api/v1/nodes', { facts: nodeFacts }),
    listInPages(transport, '/api/v1/pods', { facts: placeOf }),
  ]);
  const pods = new Map<string, number>();
  for (const node of places) pods.set(node, (pods.get(node) ?? 0) + 1);
  return nodes.map((node) => ({ ...node, pods: pods.get(node.name) ?? 0 }));
}

function nodeFacts({ metadata, status }: V1Node & KubernetesObject): Omit<FloorNode, 'pods'>[] {
  if (metadata?.deletionTimestamp) return [];
  const slots = Number(status?.allocatable?.pods);
  const [name, labels] = [metadata?.name ?? '', metadata?.labels ?? {}];
  return [{ name, labels, ...(Number.isFinite(slots) && { slots }) }];
}

/** The node on which a pod takes a slot; pods that have ended take none. */
function placeOf({ spec, status }: V1Pod & KubernetesObject): string[] {
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return spec?.nodeName === undefined || ended ? [] : [spec.nodeName];
}

/** What a container without requests gets: the API server fills in `defaultRequest` from `default`, `min` and `max`. */
function limitRangeFacts({ metadata, spec }: LooseObject) {
  const ofContainers = asList(spec?.limits)
    .map(asMap)
    .filter(({ type }) => type === 'Container');
  const requests = ofContainers.map((item) => ({ ...asMap(item.default), ...asMap(item.defaultRequest) }));
  return [{ name: metadata?.name ?? '', requests: texts(Object.assign({}, ...requests)) }];
}
