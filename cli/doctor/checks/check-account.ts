import { runtimeGroup } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { compileSchedules } from '../../../shared/core/schedules/schedules';
import type { Read } from '../../access/read';
import type { AccountFacts, RuleFacts, ScheduleFacts } from '../facts/account-facts';
import type { Checkup, Finding } from './finding';

const DEPLOY = 'run npx cdk deploy with this config';
const HEARTBEAT = 'heartbeat';

/** Every check of an AWS account, area by area. */
export function checkAccount(facts: AccountFacts, config: Config, now: number): readonly Checkup[] {
  return [
    checkup('function', facts.inflate, (inflate) => functionFindings(facts, inflate)),
    checkup('schedules', facts.schedules, (schedules) => scheduleFindings(schedules, config, now)),
    checkup('event rules', facts.rules, (rules) => ruleFindings(rules, config)),
    checkup('CloudWatch alarms', facts.alarms, (alarms) => alarmFindings(alarms, config)),
    checkup('EKS cluster', facts.cluster, (cluster) => clusterFindings(cluster, config)),
    ...(config.cluster.access === 'entry'
      ? [checkup('access entry', facts.accessGroups, (groups) => accessFindings(groups, facts, config))]
      : []),
  ];
}

function checkup<T>(area: string, read: Read<T>, check: (value: T) => readonly Finding[]): Checkup {
  return read.ok ? { area, findings: check(read.value) } : { area, findings: [], unread: read.why };
}

function error(about: string, problem: string, evidence: string, fix: string): Finding {
  return { severity: 'error', about, problem, evidence, fix };
}

function functionFindings(
  { functionName }: AccountFacts,
  inflate: Extract<AccountFacts['inflate'], { ok: true }>['value'],
): Finding[] {
  const about = `function ${functionName}`;
  if (!inflate) return [error(about, 'does not exist', 'Lambda returns ResourceNotFoundException', DEPLOY)];
  const { state, lastUpdate } = inflate;
  if (state === 'Active' && lastUpdate !== 'Failed') return [];
  return [
    error(
      about,
      'cannot run',
      `state ${state}, last update ${lastUpdate}`,
      `${DEPLOY}, and check the events of the stack`,
    ),
  ];
}

/** The group of this cluster's schedules is the one that holds what the config compiles to. */
function scheduleFindings(schedules: readonly ScheduleFacts[], config: Config, now: number): Finding[] {
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
      error('heartbeat', 'has no schedule', `none of the ${groups.size} schedule groups in the region has one`, DEPLOY),
    ];
  const off = own.filter(({ state }) => state !== 'ENABLED');
  const missing = wanted.filter(({ name }) => !own.some((one) => one.name === name));
  return [
    ...off.map(({ name, state, group }) =>
      error(`schedule ${name}`, 'is disabled', `state ${state} in group ${group}`, `enable it, or ${DEPLOY}`),
    ),
    ...missing.map(
      ({ name, description, expression, timezone }): Finding => ({
        severity: 'warning',
        about: `schedule ${name}`,
        problem: `is missing; until it exists, the heartbeat covers ${description}`,
        evidence: `group ${own[0]?.group} has no ${expression} ${timezone}`,
        fix: DEPLOY,
      }),
    ),
  ];
}

function ruleFindings(rules: readonly RuleFacts[], config: Config): Finding[] {
  const needs = config.nodePools.some(({ alarms, interruptions }) => alarms.length > 0 || interruptions !== undefined);
  if (!needs) return [];
  if (rules.length === 0)
    return [
      error(
        'event rules',
        'are missing, so alarms and interruptions do not reach Headstart',
        'EventBridge has no rules of this stack',
        DEPLOY,
      ),
    ];
  return rules
    .filter(({ state }) => !state.startsWith('ENABLED'))
    .map(({ name, state }) =>
      error(`rule ${name}`, 'is disabled', `state ${state}`, `run aws events enable-rule --name ${name}`),
    );
}

function alarmFindings(known: readonly string[], { nodePools }: Config): Finding[] {
  return nodePools.flatMap(({ name, alarms }) =>
    alarms
      .filter(({ alarmName }) => !known.includes(alarmName))
      .map(({ alarmName, create }) =>
        error(
          `alarm ${alarmName}`,
          `does not exist, so it never boosts the headroom of ${name}`,
          'CloudWatch has no such alarm in this region',
          create ? DEPLOY : 'correct alarmName, or create the alarm',
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
        `run aws eks update-cluster-config --name ${name} --access-config authenticationMode=API_AND_CONFIG_MAP, or set access: manual`,
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
  return [error(`role ${role}`, `is not mapped to the group ${group}`, evidence, DEPLOY)];
}
