import { priorityClassName } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import type { Commands } from '../../input/commands';
import type { KubeFacts, PriorityClassFacts } from '../facts/kube-facts';
import type { Finding } from './finding';

const VALUE = -10;
/** At and below this Karpenter treats a node with nothing but pause pods as empty (since 1.14). */
const EMPTY_TO_KARPENTER = -(2 ** 25);
/** Below this Cluster Autoscaler does not count pods. */
const EXPENDABLE = -10;

/** Our PriorityClass must be below every normal pod and above what Karpenter treats as empty. */
export function checkPriority(
  { priorityClasses, clusterAutoscaler }: KubeFacts,
  { cluster }: Config,
  commands: Commands,
): Finding[] {
  if (!priorityClasses.ok) return [];
  const ours = priorityClassName(cluster.namespace);
  const own = priorityClasses.value.find(({ name }) => name === ours);
  const about = `PriorityClass ${ours}`;
  if (!own)
    return [
      {
        severity: 'error',
        about,
        problem: 'does not exist, so no pause pod can be created',
        evidence: `the cluster has ${priorityClasses.value.map(({ name }) => name).join(', ') || 'none'}`,
        fix: `run ${commands.deploy()} to create it`,
      },
    ];
  const withAutoscaler = clusterAutoscaler.ok && clusterAutoscaler.value.some(({ wanted }) => wanted > 0);
  return [
    ...wrongValue(own, { about, withAutoscaler }, commands),
    ...wrongPolicy(own, about, commands),
    ...otherDefault(priorityClasses.value, own),
  ];
}

function wrongValue(
  { name, value }: PriorityClassFacts,
  { about, withAutoscaler }: { readonly about: string; readonly withAutoscaler: boolean },
  commands: Commands,
): Finding[] {
  const evidence = `value ${value}, expected ${VALUE}`;
  const found = (severity: Finding['severity'], problem: string): Finding[] => [
    { severity, about, problem, evidence, fix: remake(name, commands) },
  ];
  if (value >= 0) return found('error', 'is not below normal pods, so they cannot preempt pause pods');
  if (value <= EMPTY_TO_KARPENTER)
    return found(
      'error',
      'is so low that Karpenter treats nodes with only pause pods as empty, removes them and launches new ones',
    );
  if (value < EXPENDABLE && withAutoscaler)
    return found('warning', 'is below -10, where Cluster Autoscaler ignores pods');
  return [];
}

function wrongPolicy(
  { name, preemptionPolicy, globalDefault }: PriorityClassFacts,
  about: string,
  commands: Commands,
): Finding[] {
  const found: Finding[] = [];
  if (preemptionPolicy !== 'Never')
    found.push({
      severity: 'warning',
      about,
      problem: 'lets pause pods preempt pods of even lower priority',
      evidence: `preemptionPolicy ${preemptionPolicy}, expected Never`,
      fix: remake(name, commands),
    });
  if (globalDefault)
    found.push({
      severity: 'error',
      about,
      problem: 'is the global default, so normal pods have the same priority and cannot preempt pause pods',
      evidence: 'globalDefault true',
      fix: `run ${commands.kubectl('patch', 'priorityclass', name, '--type', 'merge', '-p', '{"globalDefault": false}')}`,
    });
  return found;
}

function otherDefault(classes: readonly PriorityClassFacts[], own: PriorityClassFacts): Finding[] {
  // A headroom class that is too high is a finding of its own; compare the default with where it should be.
  const line = Math.min(own.value, VALUE);
  return classes
    .filter(({ name, globalDefault, value }) => globalDefault && name !== own.name && value <= line)
    .map(({ name, value }) => ({
      severity: 'error',
      about: `PriorityClass ${name}`,
      problem: 'is the global default and not above the headroom, so normal pods cannot preempt pause pods',
      evidence: `globalDefault true, value ${value}; ${own.name} has ${own.value}`,
      fix: `give your workloads a priorityClassName above ${own.value}, or create a default class with value 0`,
    }));
}

function remake(name: string, { kubectl, deploy }: Commands): string {
  return `a PriorityClass cannot be changed; run ${kubectl('delete', 'priorityclass', name)}, then ${deploy()}`;
}
