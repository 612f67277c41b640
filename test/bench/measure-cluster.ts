import { machineFacts, writeSection } from '../../scripts/bench/report';
import { build } from '../cluster/harness/build';
import { startCluster } from '../cluster/harness/cluster';
import { sweepAbandoned } from '../cluster/harness/sweep';
import { VERSIONS } from '../cluster/harness/versions';
import { measureHandlers } from './handler-times';
import { measureSizes } from './reconcile-sizes';
import { measureStarts } from './start-times';

const NODE_DELAY = '50s';

/** Runs all measurements on one cluster and writes them down. */
export async function measureCluster(): Promise<void> {
  const report = (message: string) => console.error(message);
  await build(report);
  await sweepAbandoned();
  const cluster = await startCluster({ karpenter: true, nodeDelay: NODE_DELAY });
  try {
    const handlers = await measureHandlers(cluster);
    report(handlers);
    const starts = await measureStarts(cluster);
    report(starts);
    const sizes = await measureSizes(cluster);
    report(sizes);
    writeSection('cluster', page(starts, handlers, sizes));
  } finally {
    await cluster.stop();
  }
}

function page(starts: string, handlers: string, sizes: string): string {
  return `## On a real control plane

\`npm run bench:cluster\`, ${machineFacts()}. Kubernetes ${VERSIONS.kubernetes} and Karpenter ${VERSIONS.karpenter} run as plain processes on this one machine, with the defaults of their authors; all ratios are of one run.

### From the create of a pod to Running

**Simulated kubelet and node delay**: KWOK lets a pod run as soon as it is bound, and a node takes ${NODE_DELAY} to come, as on EC2; pulling images and starting containers is not in any of these figures. Preemption, scheduling and Karpenter are real. Each time runs from the first create to the moment at which a watch shows the pod Running. Targets: ≥ 100× at the median, ≥ 50× at the worst pod.

${starts}

A pod costs kube-scheduler one preemption where each headroom pod is as large as one pod of the work, and each preemption means several requests to the apiserver, of which kube-scheduler makes 50 a second by default, and another turn in its queue. Headroom of whole nodes needs one preemption per node; the other pods of the burst find the room free. The last row is the floor: the same burst on nodes that stand empty, which is what creating, binding and running 50 pods takes when the whole control plane shares this machine; where it differs little from the rows above, the machine is the limit and not the headroom.

### From an event to the written replicas

Deployed bundles, real API, tokens checked by a webhook; each invocation changes the size. Warm is the handler alone, cold includes the start of the process. The floor is one PATCH of a Deployment's replicas over an open connection, from the same kind of process. Target: warm ≤ 3× the floor. \`alarm\` also asks CloudWatch (here on loopback), \`interruption\` first looks for the instance among the NodeClaims.

${handlers}

### A reconcile of many NodePools

Five windows each, warm process, median of ten. Targets: two LISTs whatever the number, ≤ 1 s at 1,000.

${sizes}`;
}
