import type { Config } from '../../../shared/core/config/config';
import { wantedSources } from '../../../shared/core/config/wanted-sources';
import { alarmStateChange } from '../../../shared/core/events/alarm-state-change';
import { command } from '../../input/commands';
import type { AccountFacts, Feed, RuleFacts } from '../facts/account-facts';
import { error, type Finding } from './finding';

/** A kind of event that the config needs, and whether a rule matches it. */
interface Wanted {
  readonly label: string;
  readonly isMatchedBy: (rule: RuleFacts) => boolean;
}

/** Alarms and interruption notices must reach their functions. */
export function checkFeeds({ alarm, interruption }: AccountFacts['feeds'], config: Config, deploy: string): Finding[] {
  const { region } = config.cluster;
  return [
    ...(alarm?.ok
      ? checkFeed(alarm.value, { what: 'state changes of', wanted: wantedAlarms(config), region, deploy })
      : []),
    ...(interruption?.ok
      ? checkFeed(interruption.value, { what: 'notices of', wanted: wantedNotices(config), region, deploy })
      : []),
  ];
}

interface Need {
  readonly what: string;
  readonly wanted: readonly Wanted[];
  readonly region: string;
  readonly deploy: string;
}

function checkFeed(feed: Feed, { what, wanted, region, deploy }: Need): Finding[] {
  const { functionName, target, rules, off } = feed;
  if (target === undefined)
    return [
      error(
        `function ${functionName}`,
        `does not exist or reads no queue, so ${what} ${labelsOf(wanted)} do not reach Headstart`,
        'Lambda has no such function, or the function has no event source',
        deploy,
      ),
    ];
  const missing = wanted.filter(({ isMatchedBy }) => !rules.some(isMatchedBy));
  const disabled = rules.filter(({ state }) => !state.startsWith('ENABLED'));
  return [
    ...(off === undefined
      ? []
      : [error(`function ${functionName}`, 'does not read its queue', off, `enable it, or ${deploy}`)]),
    ...(missing.length === 0
      ? []
      : [
          error(
            'EventBridge',
            `has no rule that sends ${what} ${labelsOf(missing)} to Headstart`,
            `rules with the target ${target}: ${rules.map(({ name }) => name).join(', ') || 'none'}`,
            deploy,
          ),
        ]),
    ...disabled.map(({ name, state }) =>
      error(
        `rule ${name}`,
        'is disabled',
        `state ${state}`,
        `run ${command('aws events enable-rule', '--name', name, '--region', region)}`,
      ),
    ),
  ];
}

function wantedAlarms({ nodePools }: Config): readonly Wanted[] {
  const names = new Set(nodePools.flatMap(({ alarms }) => alarms.map(({ alarmName }) => alarmName)));
  return [...names].map((name) => ({
    label: name,
    isMatchedBy: (rule) => matches(rule, alarmStateChange) && rule.alarmNames.includes(name),
  }));
}

function wantedNotices(config: Config): readonly Wanted[] {
  return wantedSources(config).map((source) => ({ label: source.cause, isMatchedBy: (rule) => matches(rule, source) }));
}

function matches(rule: RuleFacts, { source, detailType }: { source: string; detailType: string }): boolean {
  return rule.sources.includes(source) && rule.detailTypes.includes(detailType);
}

function labelsOf(wanted: readonly Wanted[]): string {
  return wanted.map(({ label }) => label).join(', ');
}
