import { alarmNameGroups } from '../config/alarm-patterns';
import type { ClusterConfig, Config, HeadroomConfig } from '../config/config';
import { wantedSources } from '../config/wanted-sources';

/** What CloudFormation allows in one stack. */
export const MAX_RESOURCES = 500;

/** Log group, role, its policy, and the function itself. */
const FUNCTION = 4;
/** Queues and topics come with a policy. */
const WITH_POLICY = 2;
/** A queue and its dead letters, an alarm on these, and how the function takes from it. */
const QUEUE = 2 * WITH_POLICY + 2;

/** How many resources the headroom stack has before the schedules of window edges, which take what is left. */
export function countResources(config: Config): number {
  const { cluster, headrooms, stack } = config;
  const alarms = headrooms.flatMap((pool) => pool.alarms);
  const sources = wantedSources(config).length;
  const patterns = countPatterns(config);
  const functions = 2 + Number(alarms.length > 0) + Number(sources > 0) + Number(patterns > 0);
  const isLive = cluster.liveSchedules === true;
  const hasWindows = ({ windows, events }: HeadroomConfig) => isLive || windows.length > 0 || events !== undefined;
  const parts = {
    runtime: functions * (FUNCTION + 1) /* how it is retried */,
    // Each with the custom resource that it answers for: endpoint, objects and reconcile. One more talks to the cluster.
    deploy: cluster.access === 'entry' ? 3 * (FUNCTION + 1) + FUNCTION : FUNCTION + 1,
    accessEntries: cluster.access === 'entry' ? functions + 1 : 0,
    network: networkSize(cluster),
    deadLetters: WITH_POLICY,
    interruptions: sources > 0 ? QUEUE + sources : 0,
    announcements: patterns > 0 ? QUEUE + patterns : 0,
    // Each group of names is a rule, and one permission lets them all invoke the function.
    boosts: alarms.filter(({ create }) => create).length + alarmNameGroups(config).length + Number(alarms.length > 0),
    // The group, its role, the role's policy, the heartbeat, and what is called daily: inflate and, with entries, drop-admin.
    scheduler: 5 + Number(cluster.access === 'entry'),
    // On errors, silence, dead letters, five kinds of trouble, live schedules, announcements that wait, and late nodes.
    ownAlarms: 8 + Number(isLive) + Number(patterns > 0) + headrooms.filter(hasWindows).length,
    topic: stack?.alarmTopicArn === undefined ? WITH_POLICY : 0,
    dashboard: Number(stack?.dashboard === true),
    emergencyPolicy: 1,
    cdkMetadata: 1,
  };
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

/** Each pattern of an event is a rule. */
export function countPatterns({ headrooms }: Config): number {
  const events = headrooms.flatMap((pool) => pool.events ?? []);
  return events.length + events.filter(({ cancel }) => cancel).length;
}

/** A group of our own and its rule, or the rules of those that are given. */
function networkSize({ vpc }: ClusterConfig): number {
  if (!vpc) return 0;
  if (vpc.securityGroupIds.length === 0) return 2;
  return vpc.admitSecurityGroups ? vpc.securityGroupIds.length : 0;
}
