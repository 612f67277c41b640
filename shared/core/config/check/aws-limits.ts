import { INTERRUPTION_CAUSES } from '../../events/interruption-causes';
import { alarmNameGroups } from '../alarm-patterns';
import type { Config } from '../config';
import { DEFAULTS } from '../schema/defaults';
import { wantedSources } from '../wanted-sources';
import { type Located, problemAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';

/** EventBridge's default quota of rules for each bus, and from how many on a deploy may exceed it with the rules of others. */
const RULES = { quota: 300, many: 250 };
const FEW_RULES = { quota: 100, many: 80 };
const FEW_RULES_IN = ['af-south-1', 'eu-south-1'];

/** What AWS allows only so often, or not everywhere. */
export function awsWarnings(config: Config, tree: Located): Problem[] {
  return [...manyRules(config, tree), ...unreachableImage(config, tree)];
}

function manyRules(config: Config, tree: Located): Problem[] {
  const { quota, many } = FEW_RULES_IN.includes(config.cluster.region) ? FEW_RULES : RULES;
  return [...rulesByBus(config)]
    .filter(([, rules]) => rules > many)
    .map(([bus, rules]) =>
      problemAt(
        tree,
        ['nodePools'],
        `need ${rules} rules on the event bus ${bus}, and EventBridge allows ${quota} there for everyone by default; ask AWS for a higher quota before the deploy, or use fewer events and alarms`,
      ),
    );
}

/** Of both stacks: AWS sends its own events to the default bus. */
function rulesByBus(config: Config): ReadonlyMap<string, number> {
  const { manage, queue = true } = config.karpenter ?? {};
  const karpenter = manage && queue === true ? INTERRUPTION_CAUSES.length : 0;
  const rules = new Map([
    [DEFAULTS.bus, alarmNameGroups(config).length + wantedSources(config).length + karpenter] as [string, number],
  ]);
  for (const { bus, cancel } of config.headrooms.flatMap(({ events = [] }) => events)) {
    const name = bus.replace(/^arn:.*:event-bus\//, '');
    rules.set(name, (rules.get(name) ?? 0) + (cancel ? 2 : 1));
  }
  return rules;
}

function unreachableImage({ cluster: { region }, headrooms }: Config, tree: Located): Problem[] {
  const names = headrooms.filter(({ image }) => image === DEFAULTS.image).map(({ name }) => name);
  if (!region.startsWith('cn-') || names.length === 0) return [];
  return [
    problemAt(
      tree,
      ['cluster', 'region'],
      `is ${region}, where nodes may not reach registry.k8s.io, and the default image ${DEFAULTS.image} is used by ${names.join(', ')}; copy it to a registry that they reach and write defaults: {image: …}`,
    ),
  ];
}
