import type { Commands, SUGGESTED } from '../../cli/input/commands';
import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import { count } from '../../shared/drawing/amounts';
import type { Autoscaler, ClusterSeen, KeptWorkload, NodeGroup } from './group-facts';
import type { Batch, Holding } from './holding';

/** One step: what to run, how to check that it worked, and how to undo it. */
export interface MoveStep {
  readonly title: string;
  readonly commands: readonly string[];
  readonly check: readonly string[];
  readonly back: readonly string[];
}

export interface Move {
  readonly config: Config;
  readonly commands: Commands;
  readonly configFile: string;
  readonly pool: HeadroomConfig;
  readonly group: NodeGroup;
  /** The group that stays, for what must not run on Karpenter's nodes. */
  readonly keep: string;
  readonly seen: ClusterSeen;
  readonly holding: Holding;
  /** How long the capacity is held at most. */
  readonly duration: string;
}

export function moveSteps(move: Move): readonly MoveStep[] {
  const { holding, seen } = move;
  return [
    checkFirst(move),
    ...(holding.most > move.pool.max ? [raiseMax(move)] : []),
    ...seen.kept.filter(({ pinnedTo }) => !pinnedTo.includes(move.keep)).map((kept) => pin(kept, move)),
    ...(holding.most > 0 ? [hold(move)] : []),
    ...(seen.clusterAutoscaler?.replicas ? [stopAutoscaler(seen.clusterAutoscaler, move)] : []),
    cordon(move),
    ...holding.batches.map((batch, index) => shrink(move, batch, index)),
    ...(holding.most > 0 ? [release(move)] : []),
  ];
}

/** Each command has a line of its own, so it needs no backticks. */
function plain(command: string): string {
  return command.slice(1, -1);
}

function headstart({ commands }: Move, name: keyof typeof SUGGESTED, ...words: readonly string[]): string {
  return plain(commands.headstart(name, ...words));
}

function kubectl({ commands }: Move, words: string, ...more: readonly string[]): string {
  return plain(commands.kubectl(...words.split(' '), ...more));
}

function checkFirst(move: Move): MoveStep {
  return {
    title: 'Check the cluster before you start',
    commands: [headstart(move, 'doctor'), kubectl(move, 'get poddisruptionbudgets -A')],
    check: ['doctor reports no errors; every workload that matters has a PodDisruptionBudget'],
    back: ['nothing to undo'],
  };
}

function raiseMax(move: Move): MoveStep {
  const { pool, holding, configFile } = move;
  const deploy = plain(move.commands.deploy());
  return {
    title: `Raise max of ${pool.name} to ${holding.most}`,
    commands: [`# in ${configFile}: nodePools.${pool.name}.max: ${holding.most}`, deploy],
    check: [headstart(move, 'validate')],
    back: [`# nodePools.${pool.name}.max: ${pool.max}`, deploy],
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
    title: `Pin ${name} to node group ${keep}, away from nodes that Karpenter may remove`,
    commands: [kubectl(move, `-n ${namespace} patch deployment ${name} --type merge -p`, patch)],
    check: [kubectl(move, `-n ${namespace} rollout status deployment ${name}`)],
    back: [kubectl(move, `-n ${namespace} rollout undo deployment ${name}`)],
  };
}

const SIZE_OPTIONS = { node: '--nodes', slice: '--slices', floor: '--more' };

/** `3 nodes`, `3 slices`, `3 more nodes`. */
export function heldText({ unit }: HeadroomConfig, replicas: number): string {
  return unit.kind === 'floor' ? count(replicas, 'more node') : count(replicas, unit.kind);
}

function inflate(move: Move, replicas: number): string {
  const { pool, group, duration } = move;
  const size = [SIZE_OPTIONS[pool.unit.kind], String(replicas), '--for', duration];
  return headstart(move, 'inflate', pool.name, ...size, '--yes', '--reason', `moving node group ${group.name}`);
}

function hold(move: Move): MoveStep {
  const [first] = move.holding.batches;
  const { pool } = move;
  return {
    title: `Hold the capacity: ${heldText(pool, first?.hold ?? 0)} of ${pool.name}, launched by Karpenter`,
    commands: [inflate(move, first?.hold ?? 0)],
    check: ['inflate waits until all are ready, and explains what is missing'],
    back: [headstart(move, 'release', pool.name)],
  };
}

function stopAutoscaler({ namespace, name, replicas }: Autoscaler, move: Move): MoveStep {
  const scale = (size: number) => kubectl(move, `-n ${namespace} scale deployment ${name} --replicas=${size}`);
  return {
    title: 'Stop Cluster Autoscaler, so that it does not scale up for the pods that move',
    commands: [scale(0)],
    check: [kubectl(move, `-n ${namespace} get deployment ${name}`)],
    back: [scale(replicas)],
  };
}

/** All of them before the first drain: a pod that is drained must not land on a node that is drained next. */
function cordon(move: Move): MoveStep {
  const { group, holding } = move;
  const leaving = holding.batches.flatMap(({ nodes }) => nodes.map(({ name }) => name));
  const selector = `-l ${group.label}=${group.name}`;
  const whole = leaving.length === group.nodes.length;
  const which = whole ? selector : leaving.join(' ');
  return {
    title: `Cordon ${whole ? 'all ' : ''}${count(leaving.length, 'node')} of ${group.name}, so that drained pods do not land on nodes that are drained next`,
    commands: [kubectl(move, `cordon ${which}`)],
    check: [
      kubectl(move, `get nodes ${selector}`),
      `# ${whole ? 'every node' : leaving.join(', ')}: SchedulingDisabled`,
    ],
    back: [kubectl(move, `uncordon ${which}`)],
  };
}

function shrink(move: Move, batch: Batch, index: number): MoveStep {
  const { group, holding } = move;
  const before = batch.left + batch.nodes.length;
  const pods = batch.nodes.reduce((total, node) => total + node.pods, 0);
  const drain = batch.nodes.map(({ name }) =>
    kubectl(move, `drain ${name} --ignore-daemonsets --delete-emptydir-data --timeout=15m`),
  );
  // Only once the pods have moved, so that Karpenter does not launch nodes for pause pods that they preempted.
  const next = holding.batches[index + 1];
  const after = next && (holding.countsAgain || next.hold !== batch.hold) ? [inflate(move, next.hold)] : [];
  return {
    title: `Shrink ${group.name} from ${count(before, 'node')} to ${batch.left}, moving ${count(pods, 'pod')}`,
    commands: [...drain, ...after, ...removal(move, batch)],
    check: [
      kubectl(move, `get nodes -l ${group.label}=${group.name}`),
      kubectl(move, 'get pods -A --field-selector status.phase=Pending'),
      '# continue only when no pods are pending other than the headroom',
    ],
    back: [resize(move, before), ...batch.nodes.map(({ name }) => kubectl(move, `uncordon ${name}`))],
  };
}

/** Terminates the drained instances by id: the Auto Scaling group would choose others. */
function removal(move: Move, { nodes, left }: Batch): readonly string[] {
  const ids = nodes.flatMap(({ instanceId }) => instanceId ?? []);
  if (ids.length < nodes.length) return [resize(move, left)];
  const { region } = move.config.cluster;
  const terminate = (id: string) =>
    `aws autoscaling terminate-instance-in-auto-scaling-group --region ${region} --instance-id ${id} --should-decrement-desired-capacity`;
  return [resize(move, left, false), ...ids.map(terminate)];
}

/** The command that changes the least size of a group, and with `all` its size too. */
function resize({ config, group }: Move, size: number, all = true): string {
  const { name, region } = config.cluster;
  return group.managed
    ? `aws eks update-nodegroup-config --region ${region} --cluster-name ${name} --nodegroup-name ${group.name} --scaling-config minSize=${size}${all ? `,desiredSize=${size}` : ''}`
    : `eksctl scale nodegroup --region ${region} --cluster ${name} --name ${group.name}${all ? ` --nodes ${size}` : ''} --nodes-min ${size}`;
}

function release(move: Move): MoveStep {
  const { pool } = move;
  return {
    title: 'Release the capacity that is still held',
    commands: [headstart(move, 'release', pool.name)],
    check: [headstart(move, 'status', pool.name), 'Karpenter removes nodes that are empty after its consolidateAfter'],
    back: [inflate(move, move.holding.batches.at(-1)?.hold ?? 0)],
  };
}
