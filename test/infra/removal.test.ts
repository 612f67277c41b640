import { readFileSync } from 'node:fs';
import type { Config } from '../../shared/core/config/config';
import { demo, minimal } from './demo-config';
import { configOf, type Synthesized, synthesized } from './synthesized';

const before = synthesized(demo);
// With any other config the objects are applied and the headroom is reconciled again.

test('removing a NodePool takes its own edges, lateness and notices away and touches what it shared', () => {
  expect(difference(before, synthesized(without(demo, 'ci')))).toEqual({
    removed: [
      'AWS::CloudWatch::Alarm OwnAlarmsLateci',
      'AWS::Events::Rule Interruptionsrebalance',
      'AWS::Scheduler::Schedule cron(0 18 ? * MON-FRI *)',
      'AWS::Scheduler::Schedule cron(0 6 29 2 ? *)',
    ],
    added: [],
    changed: [
      // The rule that is gone may no longer send to them.
      'AWS::SQS::QueuePolicy InterruptionsQueuePolicy',
      // The edge that both had keeps its schedule and loses a name in the description.
      'AWS::Scheduler::Schedule cron(25 11 ? * MON-FRI *)',
      'Custom::HeadstartClusterObjects AccessObjectsFunction',
      'Custom::HeadstartDeployReconcile DeployReconcileFunction',
    ],
  });
});

test('removing an alarm takes it out of the rule, and away if Headstart made it', () => {
  const fewer = nodePoolChanged(demo, 'service', ({ alarms, ...pool }) => ({
    ...pool,
    alarms: alarms.filter(({ create }) => create === undefined),
  }));
  expect(difference(before, synthesized(fewer))).toEqual({
    removed: ['AWS::CloudWatch::Alarm Alarmsservicep95high'],
    added: [],
    changed: [
      'AWS::Events::Rule AlarmsRule',
      'Custom::HeadstartClusterObjects AccessObjectsFunction',
      'Custom::HeadstartDeployReconcile DeployReconcileFunction',
    ],
  });
});

test('removing the last interruptions takes everything about them away', () => {
  const none = { ...demo, headrooms: demo.headrooms.map(({ interruptions: _, ...pool }) => pool) };
  const { removed, added, changed } = difference(before, synthesized(none));
  expect(added).toEqual([]);
  expect(removed.filter((resource) => !/interruption/i.test(resource))).toEqual([]);
  expect(changed).toEqual([
    'AWS::CloudWatch::Alarm OwnAlarmsErrors',
    'Custom::HeadstartClusterObjects AccessObjectsFunction',
    'Custom::HeadstartDeployReconcile DeployReconcileFunction',
  ]);
});

test('the order of NodePools and alarms in the file is of no consequence to what exists', () => {
  const reversed = { ...demo, headrooms: [...demo.headrooms].reverse() };
  const { removed, added } = difference(before, synthesized(reversed));
  expect([...removed, ...added]).toEqual([]);
});

test('removing karpenter and pool blocks changes nothing in the headroom stack', () => {
  const full = configOf(readFileSync('examples/full.yaml', 'utf8'));
  const { karpenter: _, ...rest } = full;
  const withoutKarpenter = { ...rest, headrooms: rest.headrooms.map(({ pool: _, ...nodePool }) => nodePool) };
  expect(difference(synthesized(full), synthesized(withoutKarpenter))).toEqual({ removed: [], added: [], changed: [] });
});

test('a stack without triggers is a part of one with all of them', () => {
  expect(difference(synthesized(minimal), before).removed).toEqual([]);
});

interface Difference {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
}

function difference(from: Synthesized, to: Synthesized): Difference {
  const [ids, laterIds] = [Object.keys(from.resources), Object.keys(to.resources)];
  const changed = ids.filter((id) => {
    const later = to.resources[id];
    return later !== undefined && bare(later) !== bare(from.resources[id]);
  });
  const name =
    ({ resources }: Synthesized) =>
    (id: string) => {
      const { Type = '', Properties } = resources[id] ?? {};
      return `${Type} ${Properties?.ScheduleExpression ?? id.replace(/^Headstart/, '').replace(/[0-9A-F]{8}$/, '')}`;
    };
  return {
    removed: ids
      .filter((id) => !laterIds.includes(id))
      .map(name(from))
      .sort(),
    added: laterIds
      .filter((id) => !ids.includes(id))
      .map(name(to))
      .sort(),
    changed: changed.map(name(from)).sort(),
  };
}

/** What a resource is, but for what it waits for, and for the code, beside which the config lies. */
function bare(resource: unknown): string {
  const { DependsOn: _, Properties, ...rest } = resource as { DependsOn?: unknown; Properties?: object };
  return JSON.stringify({ ...rest, ...Properties, Code: undefined });
}

function without(config: Config, nodePool: string): Config {
  return { ...config, headrooms: config.headrooms.filter(({ name }) => name !== nodePool) };
}

type NodePool = Config['headrooms'][number];

function nodePoolChanged(config: Config, nodePool: string, change: (pool: NodePool) => NodePool): Config {
  return { ...config, headrooms: config.headrooms.map((pool) => (pool.name === nodePool ? change(pool) : pool)) };
}
