import { spotTwinName } from '../../../shared/core/basics/names';
import { type Config, type HeadroomConfig, headroomsOn } from '../../../shared/core/config/config';
import { clusterObjects, type Manifest, switchesOf } from '../../../shared/core/manifests/cluster-object-manifests';
import type { NodeDelay } from '../engine/karpenter/node-delay';
import { createSimulatedCluster, type SimulatedCluster } from '../engine/simulated-cluster';
import type { NodeRef, PodRef } from '../engine/state/facts';
import { DEPLOYMENTS, KINDS, type Kind, NODE_CLAIMS, NODE_POOLS } from '../kube/kinds';
import { countFacts } from './count-facts';
import { demoDeployment, demoNamespace, demoPlace } from './demo-workload';
import { Meter, type RequestedPod } from './meter';
import { sandboxCatalog, sandboxPools, zonesOf } from './sandbox-pools';

const SET_UP_BY = 'headstart-sandbox';
const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease'];

export interface DemoClusterOptions {
  readonly config: Config;
  readonly seed: number;
  readonly startTime: number;
  /** When the meter starts to count. */
  readonly countFrom: number;
  readonly nodeDelay: NodeDelay;
  /** Shared by clusters with the same demand, so that they count the same pods. */
  readonly requested?: Map<string, RequestedPod>;
}

export class DemoCluster {
  readonly engine: SimulatedCluster;
  readonly meter: Meter;
  private config: Config;

  constructor({ config, seed, startTime, countFrom, nodeDelay, requested }: DemoClusterOptions) {
    this.config = config;
    this.engine = createSimulatedCluster({
      seed,
      startTime,
      zones: zonesOf(config),
      catalog: sandboxCatalog(config),
      nodeDelay,
    });
    this.meter = new Meter(countFrom, requested);
    const isReal = ({ namespace }: PodRef) =>
      namespace !== config.cluster.namespace && !SYSTEM_NAMESPACES.includes(namespace);
    this.engine.on(countFacts(this.meter, { isReal, priceOf: (node) => this.priceOf(node) }));
    for (const manifest of [...clusterObjects(config.cluster.namespace, switchesOf(config)), demoNamespace()])
      this.apply(manifest);
    for (const manifest of sandboxPools(config)) this.apply(manifest);
  }

  /** Applies the NodePools of a changed config; removed pools keep their NodePool but lose their workload. */
  useConfig(config: Config): void {
    const kept = new Set(placesOf(config));
    const gone = placesOf(this.config).filter((place) => !kept.has(place));
    this.config = config;
    for (const manifest of sandboxPools(config)) this.apply(manifest);
    const { api, store } = this.engine;
    for (const place of gone) {
      const [namespace = '', name = ''] = place.split('/');
      const workload = store.get(DEPLOYMENTS, namespace, name);
      if (workload) api.delete(DEPLOYMENTS, workload);
    }
  }

  setDemand(poolName: string, pods: number): void {
    const pool = this.poolOf(poolName);
    if (!pool) return;
    const place = demoPlace(pool, this.config.headrooms);
    const current = this.engine.store.get(DEPLOYMENTS, place.namespace, place.name);
    if (current?.spec.replicas === pods) return;
    const taints = this.engine.store.get(NODE_POOLS, undefined, pool.nodePool)?.spec.template.spec.taints ?? [];
    if (!current) this.apply(demoNamespace(place.namespace));
    this.apply(demoDeployment(pool, place, pods, taints));
  }

  /** The ready spot nodes that are not leaving, oldest first; a NodePool includes its spot twin. */
  spotNodes(nodePool?: string): readonly NodeRef[] {
    const { store } = this.engine;
    const own = nodePool === undefined ? undefined : [nodePool, spotTwinName(nodePool)];
    return this.engine.karpenterNodes().filter((node) => {
      if (node.capacityType !== 'spot' || own?.includes(node.nodePool) === false) return false;
      const claim = store.get(NODE_CLAIMS, undefined, node.nodeClaim);
      const ready = claim?.status?.conditions?.some(({ type, status }) => type === 'Initialized' && status === 'True');
      return claim?.metadata.deletionTimestamp === undefined && ready === true;
    });
  }

  private poolOf(name: string): HeadroomConfig | undefined {
    return this.config.headrooms.find((pool) => pool.name === name);
  }

  /** The config's price, or else that of the instance type. */
  private priceOf({ nodePool, pricePerHour }: NodeRef): number {
    return headroomsOn(nodePool, this.config)[0]?.price ?? pricePerHour;
  }

  private apply(manifest: Manifest | ReturnType<typeof demoDeployment> | ReturnType<typeof demoNamespace>): void {
    const { kind, metadata } = manifest;
    const namespace = 'namespace' in metadata ? metadata.namespace : undefined;
    const place = { ...(namespace !== undefined && { namespace }), name: metadata.name };
    this.engine.api.apply(kindOf(kind), place, manifest, { fieldManager: SET_UP_BY, force: true });
  }
}

function placesOf({ headrooms }: Config): readonly string[] {
  return headrooms.map((pool) => demoPlace(pool, headrooms)).map(({ namespace, name }) => `${namespace}/${name}`);
}

function kindOf(name: string): Kind {
  const found = KINDS.find(({ kind }) => kind === name);
  if (!found) throw new Error(`the sandbox has no kind ${name}`);
  return found;
}
