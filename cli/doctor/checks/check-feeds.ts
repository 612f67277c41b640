import type { Config } from '../../../shared/core/config/config';
import { wantedSources } from '../../../shared/core/config/wanted-sources';
import { alarmStateChange } from '../../../shared/core/events/alarm-state-change';
import { command } from '../../input/commands';
import type { AccountFacts } from '../facts/read-account';
import type { Feed, RuleFacts } from '../facts/read-feeds';
import { type Context, error, type Findings } from './finding';

interface Wanted {
  readonly label: string;
  readonly isMatchedBy: (rule: RuleFacts) => boolean;
}

export function* checkFeeds({ alarm, interruption }: AccountFacts['feeds'], context: Context): Findings {
  if (alarm?.ok) yield* checkFeed(alarm.value, 'state changes of', wantedAlarms(context.config), context);
  if (interruption?.ok) yield* checkFeed(interruption.value, 'notices of', wantedNotices(context.config), context);
}

function* checkFeed(feed: Feed, what: string, wanted: readonly Wanted[], { config, commands }: Context): Findings {
  const { functionName, target, rules, off } = feed;
  const deploy = `run ${commands.deploy()}`;
  if (target === undefined)
    return yield error(
      `function ${functionName}`,
      `does not exist or reads no queue, so ${what} ${labelsOf(wanted)} do not reach Headstart`,
      'Lambda has no such function, or the function has no event source',
      deploy,
    );
  if (off !== undefined)
    yield error(`function ${functionName}`, 'does not read its queue', off, `enable it, or ${deploy}`);
  const missing = wanted.filter(({ isMatchedBy }) => !rules.some(isMatchedBy));
  if (missing.length > 0)
    yield error(
      'EventBridge',
      `has no rule that sends ${what} ${labelsOf(missing)} to Headstart`,
      `rules with the target ${target}: ${rules.map(({ name }) => name).join(', ') || 'none'}`,
      deploy,
    );
  for (const { name, state } of rules.filter((rule) => !rule.state.startsWith('ENABLED'))) {
    const enable = command('aws events enable-rule', '--name', name, '--region', config.cluster.region);
    yield error(`rule ${name}`, 'is disabled', `state ${state}`, `run ${enable}`);
  }
}

function wantedAlarms({ headrooms }: Config): readonly Wanted[] {
  const names = new Set(headrooms.flatMap(({ alarms }) => alarms.map(({ alarmName }) => alarmName)));
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
