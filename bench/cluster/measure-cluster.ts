import { build } from '../../test/cluster/harness/build/build';
import { VERSIONS } from '../../test/cluster/harness/build/versions';
import { startCluster } from '../../test/cluster/harness/cluster';
import { sweepAbandoned } from '../../test/cluster/harness/sweep';
import { machineFacts, writeSection } from '../results';
import { measureHandlers } from './handler-times';
import { measureLastPods, NODE_DELAY as SHORT_DELAY } from './last-pods';
import { measureSizes } from './reconcile-sizes';
import { measureStarts } from './start-times';
import { measureTakes } from './takes';
import { LONG_DELAY, measureWakeUps } from './wake-ups';

const NODE_DELAY = '50s';

/** What the table means by it. */
const NEVER =
  ' *Never* is a pod that preempted and that kube-scheduler then forgot ([kubernetes#141694](https://github.com/kubernetes/kubernetes/issues/141694)); it was given up after 200 s.';

/** In the order in which they run, each with its section of the page. */
const PARTS = {
  handlers: { measure: measureHandlers, section: 'handlers', page: handlersPage },
  starts: { measure: measureStarts, section: 'cluster', page: startsPage },
  sizes: { measure: measureSizes, section: 'sizes', page: sizesPage },
};

/** They take long, and run only when named. */
const NAMED_PARTS = {
  bursts: { measure: measureLastPods, section: 'last-pods', page: lastPodsPage },
  'wake-ups': { measure: measureWakeUps, section: 'wake-ups', page: wakeUpsPage },
  takes: { measure: measureTakes, section: 'takes', page: takesPage },
};

/** Runs the measurements that are named, or all, on one cluster and writes them down. */
export async function measureCluster(names: readonly string[]): Promise<void> {
  const report = (message: string) => console.error(message);
  await build(report);
  await sweepAbandoned();
  const cluster = await startCluster({ karpenter: true, nodeDelay: NODE_DELAY });
  try {
    const parts = names.length === 0 ? PARTS : { ...PARTS, ...NAMED_PARTS };
    for (const [name, { measure, section, page }] of Object.entries(parts)) {
      if (names.length > 0 && !names.includes(name)) continue;
      const measured = await measure(cluster);
      report(measured);
      writeSection(section, page(measured));
    }
  } finally {
    await cluster.stop();
  }
}

function startsPage(starts: string): string {
  return `## On a real control plane

\`npm run bench -- cluster\`, ${machineFacts()}. Kubernetes ${VERSIONS.kubernetes} and Karpenter ${VERSIONS.karpenter} run as plain processes on this machine, with their default settings. All ratios are from one run.

### From creating a pod to Running

**Kubelet and node delay are simulated**: KWOK marks a pod Running as soon as it is bound, and a node takes ${NODE_DELAY}, about as on EC2. The figures do not include pulling images and starting containers. Preemption, scheduling and Karpenter are real. Each time runs from the first create until a watch shows the pod Running. Targets: ≥ 100× at the median, ≥ 50× at the worst pod.

${starts}

If each pause pod is as large as one workload pod, every pod costs kube-scheduler a preemption: several requests to the apiserver, of which kube-scheduler makes 50 a second by default, and another pass through its queue. Headroom of whole nodes needs one preemption per node; the other pods of the burst find free room.${starts.includes('never') ? NEVER : ''} A floor requests nothing, so nothing is preempted. The last rows are the lower bound, measured in turns with the floor: the same burst on empty nodes, which is what creating, binding and running 50 pods takes when the whole control plane shares this machine. Where they differ little from the rows above, the machine is the limit, not the headroom.`;
}

function handlersPage(handlers: string): string {
  return `## From an event to the written replicas

\`npm run bench -- cluster handlers\`, ${machineFacts()}, on the same kind of control plane. Deployed bundles, real API, tokens checked by a webhook; each invocation changes the size. Warm is the handler alone, cold includes the start of the process. The lower bound is one PATCH of a Deployment's replicas over an open connection, from the same kind of process; the first rows make no call at all. Target: warm ≤ 3× the lower bound. \`alarm\` also queries CloudWatch (here on loopback); \`interruption\` first looks up the instance among the NodeClaims. After the size each of them writes a Kubernetes Event, which takes another 4 to 6 ms. After a pause of more than 30 s, as between two heartbeats, a function starts on a fresh connection.

${handlers}`;
}

function sizesPage(sizes: string): string {
  return `## A reconcile of many NodePools

\`npm run bench -- cluster\`, on the same control plane. Five windows each, warm process, median of ten; a config has at most 200 NodePools. All windows are closed; where there is room, or was within two minutes, a heartbeat makes one LIST more, of the Events about preemptions ([what it costs](#what-work-took)). Targets: two LIST calls for any number of NodePools, ≤ 1 s at the most.

${sizes}`;
}

function lastPodsPage(bursts: string): string {
  return `## The last pod of a burst

\`npm run bench -- cluster bursts\`, ${machineFacts()}, on the same kind of control plane with a node delay of ${SHORT_DELAY}. Pods of 500m, all created at once, on headroom for as many; free room on the nodes is filled first, so that each pod needs what a pause pod holds (not for the floor). Bursts run one after the other, each in a new NodePool, without a heartbeat and so without a wake-up. Times run from the first create to Running, as the median (range) over the bursts. A pod that is Pending for more than 30 s was left behind by kube-scheduler ([kubernetes#141694](https://github.com/kubernetes/kubernetes/issues/141694)); a burst is given up after 35 s.

${bursts}

The fewer preemptions a burst needs, the sooner its last pod runs and the less is left behind: use slices as large as several pods, node units or a floor.`;
}

function wakeUpsPage(wakeUps: string): string {
  return `## Wake-ups

\`npm run bench -- cluster wake-ups\`, ${machineFacts()}, on the same kind of control plane with a node delay of ${LONG_DELAY}. Bursts of 60 pods of 500m on 60 slices of the same size, one after the other, with a heartbeat every 60 s from the burst on. Times run from the burst. Below that, pods that are created one at a time, on 20 such slices.

${wakeUps}`;
}

function takesPage(takes: string): string {
  return `## What work took

\`npm run bench -- cluster takes\`, ${machineFacts()}, on the same kind of control plane with a node delay of ${NODE_DELAY}. Bursts of pods of 500m on as many slices of the same size, with a heartbeat every 5 s, and then what reading the Events costs a heartbeat, with Events as large as kube-scheduler's. The apiserver's audit log says which pause pods kube-scheduler deleted. Target: so many are counted.

${takes}`;
}
