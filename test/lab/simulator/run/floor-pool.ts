import type { SimulatedType } from '../../../../lab/simulator/engine/karpenter/simulated-types';
import { createSimulatedCluster } from '../../../../lab/simulator/engine/simulated-cluster';
import { DEPLOYMENTS, KINDS, NAMESPACES, NODE_CLAIMS, NODE_POOLS, PODS } from '../../../../lab/simulator/kube/kinds';
import { inProcessTransport } from '../../../../lab/simulator/run/in-process-transport';
import { kubeCluster } from '../../../../shared/adapters/kube/kube-cluster';
import { HEADROOM_LABEL, headroomName } from '../../../../shared/core/basics/names';
import { heartbeat, tickEvent } from '../../../../shared/core/events/heartbeat-and-edges';
import { handle } from '../../../../shared/core/handle';
import { clusterObjects } from '../../../../shared/core/manifests/cluster-object-manifests';
import type { Runtime } from '../../../../shared/core/ports/ports';
import { labelsOf } from '../../../../shared/pricing/instance-types';
import type { FloorPool, FloorPoolOptions } from '../../../contract/floor-contract';
import { configOf } from '../../../fakes/fake-runtime';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const START = Date.parse('2026-03-02T07:00:00Z');
const PATIENCE_MS = 10 * MINUTE;
/** As the contract wants it, and not the group that the sandbox's own NodePools have. */
const NODE_CLASS = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' };

function typeOf(cpu: number): SimulatedType {
  const price = cpu / 100;
  const type = { name: `c.${cpu}x`, cpu, memoryMiB: cpu * 2048, maxPods: cpu * 16, arch: 'amd64' as const };
  return { ...type, labels: labelsOf(type), onDemand: price, spot: price };
}

/** A NodePool in the sandbox, with the real handlers; its time passes while a test waits. */
export async function openFloorPool(options: FloorPoolOptions): Promise<FloorPool> {
  const { cpus, taints = [], disruption, headroom, floorCpu = 4 } = options;
  const engine = createSimulatedCluster({ seed: 1, startTime: START, catalog: cpus.map(typeOf) });
  const { api, store } = engine;
  const config = configOf(`  web: ${JSON.stringify({ ...headroom, unit: { floor: { cpu: floorCpu } } })}\n`);
  const { namespace } = config.cluster;
  for (const manifest of clusterObjects(namespace)) {
    const kind = KINDS.find((one) => one.kind === manifest.kind) ?? NAMESPACES;
    api.apply(kind, manifest.metadata, manifest, { fieldManager: 'test', force: true });
  }
  api.create(NAMESPACES, undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'work' } });
  const template = { spec: { requirements: [], nodeClassRef: NODE_CLASS, taints, expireAfter: 'Never' } };
  api.create(NODE_POOLS, undefined, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'web' },
    spec: { template, ...(disruption && { disruption }) },
  });

  const runtime: Runtime = {
    config,
    owner: 'test',
    now: engine.now,
    ports: {
      cluster: kubeCluster(inProcessTransport(api), namespace),
      log: { info: () => {}, warn: () => {}, error: () => {} },
      metrics: { headroom: () => {}, count: () => {} },
      sleep: async () => {},
    },
  };
  const eventually = async (look: () => Promise<boolean>) => {
    const deadline = engine.now() + PATIENCE_MS;
    while (!(await look())) {
      if (engine.now() > deadline) throw new Error(`waited ${PATIENCE_MS / SECOND} s in vain`);
      engine.advanceTo(engine.now() + SECOND);
    }
  };
  const passTo = (minute: number) => engine.advanceTo(Math.max(engine.now(), START + minute * MINUTE));
  const headroomPods = async () =>
    store.list(PODS, namespace).filter(({ metadata }) => metadata.labels?.[HEADROOM_LABEL] === 'web');
  return {
    nodeClass: NODE_CLASS,
    tick: async (minute) => {
      passTo(minute);
      await handle(tickEvent(heartbeat, new Date(engine.now()).toISOString()), runtime);
    },
    order: async (minute, order) => {
      passTo(minute);
      return handle({ headroom: 'web', for: '30m', ...order }, runtime);
    },
    replicas: async () => api.get(DEPLOYMENTS, namespace, headroomName('web')).spec.replicas,
    claims: async () => store.list(NODE_CLAIMS),
    headroomPods,
    workPods: async () => store.list(PODS, 'work'),
    work: async (name, requests) => {
      const containers = [{ name: 'work', image: 'work', resources: { requests } }];
      const spec = { nodeSelector: { 'karpenter.sh/nodepool': 'web' }, containers, terminationGracePeriodSeconds: 0 };
      api.create(PODS, 'work', { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
    },
    awaitHeadroom: (count) =>
      eventually(async () => {
        const pods = await headroomPods();
        return pods.length === count && pods.every(({ status }) => status.phase === 'Running');
      }),
    eventually,
    settled: async () => engine.advanceTo(engine.now() + 2 * MINUTE),
    lose: async (name) => api.delete(NODE_CLAIMS, api.get(NODE_CLAIMS, undefined, name)),
  };
}
