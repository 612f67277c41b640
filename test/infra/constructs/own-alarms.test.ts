import { demo } from '../demo-config';
import { configOf, synthesized } from '../synthesized';

describe('alarms on Headstart itself', () => {
  test.each([
    { heartbeat: '1m', seconds: 300 },
    { heartbeat: '10m', seconds: 1_800 },
  ])('a reconcile that fails at every heartbeat of $heartbeat fires, without retries that add up', (slow) => {
    const config = configOf(
      `{cluster: {name: a, region: eu-west-1}, heartbeat: ${slow.heartbeat}, nodePools: {x: {max: 1}}}`,
    );
    const { Metrics, Threshold } = synthesized(config).one('AWS::CloudWatch::Alarm', 'OwnAlarmsErrors').Properties;
    const stats = (Metrics as { MetricStat?: { Period: number } }[]).flatMap(({ MetricStat }) => MetricStat ?? []);
    expect(stats.map(({ Period }) => Period)).toEqual(stats.map(() => slow.seconds));
    expect(stats.length).toBeGreaterThan(1);
    expect(Threshold).toBeLessThanOrEqual(slow.seconds / (Number.parseInt(slow.heartbeat, 10) * 60));
  });

  describe('the expression of the alarm on errors', () => {
    const { Metrics } = synthesized(demo).one('AWS::CloudWatch::Alarm', 'OwnAlarmsErrors').Properties as {
      Metrics: { Id: string; Expression?: string }[];
    };
    const errors = (seen: Readonly<Record<string, number>>) =>
      evaluated(Metrics.find(({ Expression }) => Expression)?.Expression ?? '', seen);

    test.each([
      { name: 'a failed heartbeat, which handler and Lambda both count', seen: { handled: 1, reconcile: 1 }, is: 1 },
      { name: 'three of them', seen: { handled: 3, reconcile: 3, inflate: 0 }, is: 3 },
      { name: 'a failed batch, which only the handler counts', seen: { handled: 1, reconcile: 0 }, is: 1 },
      { name: 'timeouts, which only Lambda counts', seen: { reconcile: 2, alarm: 1, interruption: 0 }, is: 3 },
      { name: 'only functions that never failed', seen: { reconcile: 0 }, is: 0 },
      { name: 'nothing that ever ran', seen: {}, is: undefined },
    ])('$name', ({ seen, is }) => {
      expect(errors(seen)).toBe(is);
    });
  });
});

/** As CloudWatch does: an operator with a missing operand gives nothing, a function over a list leaves out what is missing. */
function evaluated(expression: string, seen: Readonly<Record<string, number>>): number | undefined {
  const over = (pick: (values: number[]) => number) => (list: (number | undefined)[]) => {
    const values = list.filter((one) => one !== undefined);
    return values.length > 0 ? pick(values) : undefined;
  };
  const SUM = over((values) => values.reduce((sum, one) => sum + one, 0));
  const MAX = over((values) => Math.max(...values));
  // A metric that was never published has no points to fill between.
  const FILL = (value: number | undefined) => value;
  const names = ['handled', 'reconcile', 'inflate', 'alarm', 'interruption'];
  const value = new Function('SUM', 'MAX', 'FILL', ...names, `return ${expression}`)(
    SUM,
    MAX,
    FILL,
    ...names.map((name) => seen[name]),
  );
  return Number.isNaN(value) ? undefined : value;
}
