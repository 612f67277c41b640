import { runtimeGroup } from '../../../shared/core/basics/names';
import { compileSchedules } from '../../../shared/core/schedules/schedules';
import { command } from '../../input/commands';
import { readOr } from '../../kube/read';
import type { AccountFacts, ScheduleFacts } from '../facts/read-account';
import { checkAccessPolicies } from './check-access-policies';
import { checkFeeds } from './check-feeds';
import { type Checkup, type Context, checkup, error, type Findings, warning } from './finding';

const HEARTBEAT = 'heartbeat';

export function checkAccount(facts: AccountFacts, context: Context): readonly Checkup[] {
  const { inflate, schedules, alarms, cluster, accessGroups, accessPolicies } = facts;
  const feeds = [facts.feeds.alarm, facts.feeds.interruption].filter((feed) => feed !== undefined);
  const recreated = [...checkRecreated(facts, context)];
  const hasEntry = context.config.cluster.access === 'entry' && recreated.length === 0;
  return [
    checkup('function', [inflate], checkFunction(facts, context)),
    checkup('schedules', [schedules], schedules.ok ? checkSchedules(schedules.value, context) : []),
    ...(feeds.length > 0 ? [checkup('event rules', feeds, checkFeeds(facts.feeds, context))] : []),
    ...(alarms ? [checkup('CloudWatch alarms', [alarms], alarms.ok ? checkAlarms(alarms.value, context) : [])] : []),
    checkup('EKS cluster', [cluster], [...checkEksCluster(facts, context), ...recreated]),
    ...(hasEntry ? [checkup('access entry', [accessGroups], checkEntry(facts, context))] : []),
    ...(hasEntry
      ? [checkup('access policies', [accessPolicies], checkAccessPolicies(readOr(accessPolicies, []), context))]
      : []),
  ];
}

function* checkFunction({ functionName, inflate }: AccountFacts, { commands }: Context): Findings {
  if (!inflate.ok) return;
  const [about, deploy] = [`function ${functionName}`, `run ${commands.deploy()}`];
  if (!inflate.value) return yield error(about, 'does not exist', 'Lambda returns ResourceNotFoundException', deploy);
  const { state, lastUpdate } = inflate.value;
  const evidence = `state ${state}, last update ${lastUpdate}`;
  if (state === 'Inactive' || state === 'Pending')
    return yield warning(
      about,
      'is not ready: after weeks without a call, the first one takes up to two minutes',
      evidence,
      `run ${commands.headstart('status')}, which waits for it, and check the schedule daily-status`,
    );
  if (state !== 'Active' || lastUpdate === 'Failed')
    yield error(about, 'cannot run', evidence, `${deploy}, and check the events of the stack`);
}

/** This cluster's group is the one with a heartbeat that has most of the schedules of the config. */
function* checkSchedules(schedules: readonly ScheduleFacts[], { config, now, commands }: Context): Findings {
  const wanted = compileSchedules(config, { now, max: Number.POSITIVE_INFINITY }).schedules;
  const names = [...new Set(schedules.map(({ group }) => group))];
  const groups = names.map((name) => schedules.filter(({ group }) => group === name));
  const fits = (group: readonly ScheduleFacts[]) =>
    wanted.filter(({ name }) => group.some((one) => one.name === name)).length;
  const [own] = groups
    .filter((group) => group.some(({ name }) => name === HEARTBEAT))
    .sort((a, b) => fits(b) - fits(a));
  const deploy = `run ${commands.deploy()}`;
  if (!own) {
    const evidence = `none of the ${groups.length} schedule groups in the region has one`;
    return yield error(HEARTBEAT, 'has no schedule', evidence, deploy);
  }
  for (const { name, state, group } of own.filter((one) => one.state !== 'ENABLED'))
    yield error(`schedule ${name}`, 'is disabled', `state ${state} in group ${group}`, `enable it, or ${deploy}`);
  for (const { name, description, expression, timezone } of wanted)
    if (!own.some((one) => one.name === name))
      yield warning(
        `schedule ${name}`,
        `is missing; until it exists, the heartbeat covers ${description}`,
        `group ${own[0]?.group} has no ${expression} ${timezone}`,
        deploy,
      );
}

function* checkAlarms(known: readonly string[], { config, commands }: Context): Findings {
  for (const { name, alarms } of config.headrooms)
    for (const { alarmName, create } of alarms.filter((alarm) => !known.includes(alarm.alarmName)))
      yield error(
        `alarm ${alarmName}`,
        `does not exist, so it never boosts the headroom of ${name}`,
        'CloudWatch has no such alarm in this region',
        create ? `run ${commands.deploy()}` : 'correct alarmName, or create the alarm',
      );
}

function* checkEksCluster({ cluster }: AccountFacts, { config }: Context): Findings {
  const { name, region, access } = config.cluster;
  const [about, evidence] = [`cluster ${name}`, `EKS has no such cluster in ${region}`];
  if (!cluster.ok) return;
  if (!cluster.value) yield error(about, 'does not exist', evidence, 'correct cluster.name or cluster.region');
  else if (access === 'entry' && cluster.value.authenticationMode === 'CONFIG_MAP')
    yield error(
      about,
      'does not support access entries',
      `authenticationMode ${cluster.value.authenticationMode}`,
      `run ${command('aws eks update-cluster-config', '--name', name, '--region', region, '--access-config', 'authenticationMode=API_AND_CONFIG_MAP')}, or set access: manual`,
    );
}

function* checkEntry({ accessGroups, inflate }: AccountFacts, { config: { cluster } }: Context): Findings {
  const group = runtimeGroup(cluster.namespace);
  if (!accessGroups.ok || accessGroups.value?.includes(group)) return;
  const groups = accessGroups.value;
  const role = readOr(inflate, undefined)?.role ?? '';
  const evidence = groups ? `its groups are ${groups.join(', ') || 'none'}` : 'EKS has no access entry for it';
  // A deploy would not help: to CloudFormation, the entry it created still exists.
  const change = groups ? 'update-access-entry' : 'create-access-entry';
  const where = ['--cluster-name', cluster.name, '--region', cluster.region];
  const fix = `run ${command('aws eks', change, ...where, '--principal-arn', role, '--kubernetes-groups', group)}`;
  yield error(`role ${role}`, `is not mapped to the group ${group}`, evidence, fix);
}

/** A cluster that was deleted and recreated has another endpoint and lacks the stack's access entries. */
function* checkRecreated({ inflate, cluster }: AccountFacts, { config, commands }: Context): Findings {
  const deployed = readOr(inflate, undefined)?.endpoint;
  const current = readOr(cluster, undefined)?.server;
  if (deployed === undefined || current === undefined || deployed === current) return;
  yield error(
    `cluster ${config.cluster.name}`,
    'was deleted and created again after the stack was deployed, so the functions have no access to it',
    `the functions were deployed for ${deployed}, EKS says ${current}`,
    `run ${commands.deployAfresh()}, or ${commands.headstart('export', '--again')} and deploy that`,
  );
}
