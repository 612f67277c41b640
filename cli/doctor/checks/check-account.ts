import { runtimeGroup } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { compileSchedules } from '../../../shared/core/schedules/schedules';
import type { Read } from '../../access/read';
import { type Commands, command } from '../../input/commands';
import type { AccountFacts, ScheduleFacts } from '../facts/account-facts';
import { checkFeeds } from './check-feeds';
import { type Checkup, error, type Finding } from './finding';

const HEARTBEAT = 'heartbeat';

/** Every check of an AWS account, area by area. */
export function checkAccount(
  facts: AccountFacts,
  config: Config,
  { now, commands }: { readonly now: number; readonly commands: Commands },
): readonly Checkup[] {
  const deploy = `run ${commands.deploy()}`;
  const recreated = checkRecreated(facts, config, commands);
  return [
    checkup('function', facts.inflate, (inflate) => functionFindings(facts, inflate, deploy)),
    checkup('schedules', facts.schedules, (schedules) => scheduleFindings(schedules, config, { now, deploy })),
    ...feedCheckup(facts, config, deploy),
    ...(facts.alarms
      ? [checkup('CloudWatch alarms', facts.alarms, (alarms) => alarmFindings(alarms, config, deploy))]
      : []),
    checkup('EKS cluster', facts.cluster, (cluster) => [...clusterFindings(cluster, config), ...recreated]),
    ...(config.cluster.access === 'entry' && recreated.length === 0
      ? [checkup('access entry', facts.accessGroups, (groups) => accessFindings(groups, facts, config))]
      : []),
  ];
}

function checkup<T>(area: string, read: Read<T>, check: (value: T) => readonly Finding[]): Checkup {
  return read.ok ? { area, findings: check(read.value) } : { area, findings: [], unread: read.why };
}

function feedCheckup({ feeds }: AccountFacts, config: Config, deploy: string): readonly Checkup[] {
  const reads = [feeds.alarm, feeds.interruption].filter((feed) => feed !== undefined);
  if (reads.length === 0) return [];
  const unread = reads.flatMap((feed) => (feed.ok ? [] : [feed.why]));
  return [
    { area: 'event rules', findings: checkFeeds(feeds, config, deploy), ...(unread[0] && { unread: unread[0] }) },
  ];
}

function functionFindings(
  { functionName }: AccountFacts,
  inflate: Extract<AccountFacts['inflate'], { ok: true }>['value'],
  deploy: string,
): Finding[] {
  const about = `function ${functionName}`;
  if (!inflate) return [error(about, 'does not exist', 'Lambda returns ResourceNotFoundException', deploy)];
  const { state, lastUpdate } = inflate;
  if (state === 'Active' && lastUpdate !== 'Failed') return [];
  return [
    error(
      about,
      'cannot run',
      `state ${state}, last update ${lastUpdate}`,
      `${deploy}, and check the events of the stack`,
    ),
  ];
}

/** This cluster's group is the one with a heartbeat that has most of the schedules of the config. */
function scheduleFindings(
  schedules: readonly ScheduleFacts[],
  config: Config,
  { now, deploy }: { readonly now: number; readonly deploy: string },
): Finding[] {
  const wanted = compileSchedules(config, { now, max: Number.POSITIVE_INFINITY }).schedules;
  const groups = new Map<string, ScheduleFacts[]>();
  for (const one of schedules) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  const fits = (group: readonly ScheduleFacts[]) =>
    wanted.filter(({ name }) => group.some((one) => one.name === name)).length;
  const own = [...groups.values()]
    .filter((group) => group.some(({ name }) => name === HEARTBEAT))
    .sort((a, b) => fits(b) - fits(a))[0];
  if (!own)
    return [
      error('heartbeat', 'has no schedule', `none of the ${groups.size} schedule groups in the region has one`, deploy),
    ];
  const off = own.filter(({ state }) => state !== 'ENABLED');
  const missing = wanted.filter(({ name }) => !own.some((one) => one.name === name));
  return [
    ...off.map(({ name, state, group }) =>
      error(`schedule ${name}`, 'is disabled', `state ${state} in group ${group}`, `enable it, or ${deploy}`),
    ),
    ...missing.map(
      ({ name, description, expression, timezone }): Finding => ({
        severity: 'warning',
        about: `schedule ${name}`,
        problem: `is missing; until it exists, the heartbeat covers ${description}`,
        evidence: `group ${own[0]?.group} has no ${expression} ${timezone}`,
        fix: deploy,
      }),
    ),
  ];
}

function alarmFindings(known: readonly string[], { nodePools }: Config, deploy: string): Finding[] {
  return nodePools.flatMap(({ name, alarms }) =>
    alarms
      .filter(({ alarmName }) => !known.includes(alarmName))
      .map(({ alarmName, create }) =>
        error(
          `alarm ${alarmName}`,
          `does not exist, so it never boosts the headroom of ${name}`,
          'CloudWatch has no such alarm in this region',
          create ? deploy : 'correct alarmName, or create the alarm',
        ),
      ),
  );
}

function clusterFindings(
  cluster: Extract<AccountFacts['cluster'], { ok: true }>['value'],
  { cluster: { name, region, access } }: Config,
): Finding[] {
  const about = `cluster ${name}`;
  if (!cluster)
    return [
      error(about, 'does not exist', `EKS has no such cluster in ${region}`, 'correct cluster.name or cluster.region'),
    ];
  if (access === 'entry' && cluster.authenticationMode === 'CONFIG_MAP')
    return [
      error(
        about,
        'does not support access entries',
        `authenticationMode ${cluster.authenticationMode}`,
        `run ${command('aws eks update-cluster-config', '--name', name, '--region', region, '--access-config', 'authenticationMode=API_AND_CONFIG_MAP')}, or set access: manual`,
      ),
    ];
  return [];
}

function accessFindings(
  groups: readonly string[] | undefined,
  { inflate }: AccountFacts,
  { cluster }: Config,
): Finding[] {
  const group = runtimeGroup(cluster.namespace);
  const role = inflate.ok ? (inflate.value?.role ?? '') : '';
  if (groups?.includes(group)) return [];
  const evidence = groups ? `its groups are ${groups.join(', ') || 'none'}` : 'EKS has no access entry for it';
  // A deploy would not help: to CloudFormation, the entry it created still exists.
  const change = groups ? 'update-access-entry' : 'create-access-entry';
  const where = ['--cluster-name', cluster.name, '--region', cluster.region];
  const fix = `run ${command('aws eks', change, ...where, '--principal-arn', role, '--kubernetes-groups', group)}`;
  return [error(`role ${role}`, `is not mapped to the group ${group}`, evidence, fix)];
}

/** A cluster that was deleted and recreated has another endpoint and lacks the stack's access entries. */
function checkRecreated(
  { inflate, cluster }: AccountFacts,
  { cluster: { name } }: Config,
  commands: Commands,
): Finding[] {
  const deployed = inflate.ok ? inflate.value?.endpoint : undefined;
  const live = cluster.ok ? cluster.value?.server : undefined;
  if (deployed === undefined || live === undefined || deployed === live) return [];
  return [
    error(
      `cluster ${name}`,
      'was deleted and created again after the stack was deployed, so the functions have no access to it',
      `the functions were deployed for ${deployed}, EKS says ${live}`,
      `run ${commands.deployAfresh()}, or ${commands.headstart('export', '--again')} and deploy that`,
    ),
  ];
}
