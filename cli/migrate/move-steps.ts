import type { Config, NodePoolConfig } from '../../shared/core/config/config';
import { count } from '../../shared/drawing/amounts';
import type { ClusterSeen, KeptWorkload, NodeGroup } from './group-facts';
import type { Batch, Holding } from './holding';

/** One step of the move: what to run, how to see that it worked, and the way back. */
export interface MoveStep {
  readonly title: string;
  readonly commands: readonly string[];
  readonly check: readonly string[];
  readonly back: readonly string[];
}

export interface Move {
  readonly config: Config;
  readonly configFile: string;
  readonly pool: NodePoolConfig;
  readonly kubeconfig: string;
  readonly group: NodeGroup;
  /** The group that remains for what must not stand on Karpenter's nodes. */
  readonly keep: string;
  readonly seen: ClusterSeen;
  readonly holding: Holding;
  readonly lasts: string;
}

/** The whole move as numbered steps with exact commands. */
export function moveSteps(move: Move): readonly MoveStep[] {
  const { holding, seen } = move;
  return [
    lookFirst(move),
    ...(holding.most > move.pool.max ? [raiseMax(move)] : []),
    ...seen.kept.filter(({ pinnedTo }) => !pinnedTo.includes(move.keep)).map((kept) => pin(kept, move)),
    ...(holding.most > 0 ? [hold(move)] : []),
    ...(seen.clusterAutoscaler && seen.clusterAutoscaler.replicas > 0 ? [stopAutoscaler(move)] : []),
    ...holding.batches.map((batch, index) => shrink(move, batch, index)),
    ...(holding.most > 0 ? [release(move)] : []),
  ];
}

function headstart(move: Move, words: string): string {
  return `headstart ${words} -c ${move.configFile} --kubeconfig ${move.kubeconfig}`;
}

function kubectl(move: Move, words: string): string {
  return `kubectl --kubeconfig ${move.kubeconfig} ${words}`;
}

function lookFirst(move: Move): MoveStep {
  return {
    title: 'Look first: nothing may be wrong before it begins',
    commands: [headstart(move, 'doctor'), kubectl(move, 'get poddisruptionbudgets -A')],
    check: ['doctor finds no error; every workload that matters has a PodDisruptionBudget'],
    back: ['nothing was changed'],
  };
}

function raiseMax({ pool, holding, configFile }: Move): MoveStep {
  return {
    title: `Let the headroom of ${pool.name} grow to ${holding.most}`,
    commands: [`# in ${configFile}: nodePools.${pool.name}.max: ${holding.most}`, 'npx cdk deploy'],
    check: [`headstart validate -c ${configFile}`],
    back: [`# nodePools.${pool.name}.max: ${pool.max}`, 'npx cdk deploy'],
  };
}

function pin({ namespace, name }: KeptWorkload, move: Move): MoveStep {
  const { keep, seen } = move;
  const key = seen.groups.find((group) => group.name === keep)?.label ?? 'eks.amazonaws.com/nodegroup';
  const affinity = {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [keep] }] }],
      },
    },
  };
  const patch = JSON.stringify({ spec: { template: { spec: { affinity } } } });
  return {
    title: `Keep ${name} on the node group ${keep}, off the nodes that Karpenter may take away`,
    commands: [kubectl(move, `-n ${namespace} patch deployment ${name} --type merge -p '${patch}'`)],
    check: [kubectl(move, `-n ${namespace} rollout status deployment ${name}`)],
    back: [kubectl(move, `-n ${namespace} rollout undo deployment ${name}`)],
  };
}

function sizeWords({ unit }: NodePoolConfig, replicas: number): string {
  return `${unit.kind === 'node' ? '--nodes' : '--slices'} ${replicas}`;
}

function inflate(move: Move, replicas: number): string {
  const { pool, group, lasts } = move;
  return headstart(
    move,
    `inflate ${pool.name} ${sizeWords(pool, replicas)} --for ${lasts} --yes --reason "moving node group ${group.name}"`,
  );
}

function hold(move: Move): MoveStep {
  const [first] = move.holding.batches;
  const { pool } = move;
  return {
    title: `Hold the capacity first: ${count(first?.hold ?? 0, pool.unit.kind)} of ${pool.name}, bought by Karpenter`,
    commands: [inflate(move, first?.hold ?? 0)],
    check: ['it waits until all are ready; headstart tells why where they are not'],
    back: [headstart(move, `release ${pool.name}`)],
  };
}

function stopAutoscaler(move: Move): MoveStep {
  const { namespace, name, replicas } = move.seen.clusterAutoscaler ?? { namespace: '', name: '', replicas: 1 };
  const scale = (size: number) => kubectl(move, `-n ${namespace} scale deployment ${name} --replicas=${size}`);
  return {
    title: 'Stop Cluster Autoscaler, so that it does not buy for the pods that move',
    commands: [scale(0)],
    check: [kubectl(move, `-n ${namespace} get deployment ${name}`)],
    back: [scale(replicas)],
  };
}

function shrink(move: Move, batch: Batch, index: number): MoveStep {
  const { group, holding } = move;
  const before = batch.left + batch.nodes.length;
  const pods = batch.nodes.reduce((total, node) => total + node.pods, 0);
  const drain = batch.nodes.map(({ name }) =>
    kubectl(move, `drain ${name} --ignore-daemonsets --delete-emptydir-data --timeout=15m`),
  );
  // Only once the pods have landed, so that Karpenter does not buy for pause pods whose place they took.
  const next = holding.batches[index + 1];
  const after = next && next.hold !== batch.hold ? [inflate(move, next.hold)] : [];
  return {
    title: `Shrink ${group.name} from ${count(before, 'node')} to ${batch.left}, with ${count(pods, 'pod')} on what goes`,
    commands: [...drain, ...after, ...removal(move, batch)],
    check: [
      kubectl(move, `get nodes -l ${group.label}=${group.name}`),
      kubectl(move, 'get pods -A --field-selector status.phase=Pending'),
      '# go on only when no pod is pending beside the headroom',
    ],
    back: [resize(move, before), ...batch.nodes.map(({ name }) => kubectl(move, `uncordon ${name}`))],
  };
}

/** The drained instances by name: left alone, the Auto Scaling group would choose others. */
function removal(move: Move, { nodes, left }: Batch): readonly string[] {
  const ids = nodes.flatMap(({ instanceId }) => instanceId ?? []);
  if (ids.length < nodes.length) return [resize(move, left)];
  const { region } = move.config.cluster;
  const terminate = (id: string) =>
    `aws autoscaling terminate-instance-in-auto-scaling-group --region ${region} --instance-id ${id} --should-decrement-desired-capacity`;
  return [allowFewer(move, left), ...ids.map(terminate)];
}

function allowFewer({ config, group }: Move, least: number): string {
  const { name, region } = config.cluster;
  return group.managed
    ? `aws eks update-nodegroup-config --region ${region} --cluster-name ${name} --nodegroup-name ${group.name} --scaling-config minSize=${least}`
    : `eksctl scale nodegroup --region ${region} --cluster ${name} --name ${group.name} --nodes-min ${least}`;
}

function resize({ config, group }: Move, size: number): string {
  const { name, region } = config.cluster;
  return group.managed
    ? `aws eks update-nodegroup-config --region ${region} --cluster-name ${name} --nodegroup-name ${group.name} --scaling-config minSize=${size},desiredSize=${size}`
    : `eksctl scale nodegroup --region ${region} --cluster ${name} --name ${group.name} --nodes ${size} --nodes-min ${size}`;
}

function release(move: Move): MoveStep {
  const { pool } = move;
  return {
    title: 'Release what is still held: the pods have landed',
    commands: [headstart(move, `release ${pool.name}`)],
    check: [
      headstart(move, `status ${pool.name}`),
      'Karpenter removes nodes that are empty after its consolidateAfter',
    ],
    back: [inflate(move, move.holding.batches.at(-1)?.hold ?? 0)],
  };
}
