import { alarmNameGroups } from '../config/alarm-patterns';
import type { ClusterConfig, Config } from '../config/config';
import { wantedSources } from '../config/wanted-sources';

/** What CloudFormation allows in one stack. */
export const MAX_RESOURCES = 500;

/** Log group, role, its policy, and the function itself. */
const FUNCTION = 4;
/** Also how it is retried. */
const RUNTIME_FUNCTION = FUNCTION + 1;
/** Also the custom resource that it answers for. */
const DEPLOY_FUNCTION = FUNCTION + 1;
/** Queues and topics come with their policies, rules that call a function with their permissions. */
const WITH_POLICY = 2;
/** Scheduler's group, its role, the role's policy, and the heartbeat. */
const SCHEDULER = 4;
/** On errors, silence, and the five kinds of trouble. */
const OWN_ALARMS = 7;
/** The policy for people on call, and CDK's own note of its version. */
const SINGLE = 2;

/** How many resources the headroom stack has before the schedules of window edges, which take what is left. */
export function countResources(config: Config): number {
  const { cluster, nodePools, stack } = config;
  const alarms = nodePools.flatMap((pool) => pool.alarms);
  const sources = wantedSources(config).length;
  const functions = 2 + count(alarms.length > 0) + count(sources > 0);
  const deadLetterQueues = 1 + count(sources > 0);
  // Each with an alarm on it.
  const queues = deadLetterQueues * (WITH_POLICY + 1);
  const interruptions = sources > 0 ? WITH_POLICY + sources + 1 : 0;
  // Two functions apply the objects, with an entry for one; one reconciles.
  const entries = cluster.access === 'entry' ? FUNCTION + 1 + 2 * DEPLOY_FUNCTION + functions : 0;
  return (
    functions * RUNTIME_FUNCTION +
    DEPLOY_FUNCTION +
    entries +
    network(cluster) +
    queues +
    interruptions +
    SCHEDULER +
    OWN_ALARMS +
    SINGLE +
    alarms.filter(({ create }) => create !== undefined).length +
    alarmNameGroups(config).length * WITH_POLICY +
    nodePools.filter(({ windows }) => windows.length > 0).length +
    (stack?.alarmTopicArn === undefined ? WITH_POLICY : 0) +
    count(stack?.dashboard === true)
  );
}

/** A group of our own and its rule, or the rules of those that are given. */
function network({ vpc }: ClusterConfig): number {
  if (!vpc) return 0;
  if (vpc.securityGroupIds.length === 0) return 2;
  return vpc.admitSecurityGroups ? vpc.securityGroupIds.length : 0;
}

function count(exists: boolean): number {
  return exists ? 1 : 0;
}
