import { emfMetrics } from '../../shared/adapters/process/emf-metrics';
import { requirementsOf } from '../../shared/core/karpenter/requirements';
import { moneyText } from '../../shared/drawing/amounts';
import { planModel } from '../../shared/drawing/plan-model';
import { originText } from '../../shared/pricing/instance-types';
import { configIn } from '../fakes/loaded-config';
import { configOf, synthesized } from '../infra/synthesized';
import { pageText } from './pages';

/** USD, us-east-1, as docs/deploy.md states them. */
const PRICES = {
  'EventBridge Scheduler, a million invocations': 1,
  'Lambda, a million requests': 0.2,
  'Lambda on arm64, a million GB-seconds': 13.33,
  'CloudWatch, a custom metric': 0.3,
  'CloudWatch, a metric of an alarm': 0.1,
  'CloudWatch, a thousand calls of DescribeAlarms': 0.01,
  'CloudWatch Logs, a GB': 0.5,
  'SQS, a million requests': 0.4,
};
const POOLS = [1, 20, 100];
const DAYS = 30;
const HEARTBEATS = DAYS * 24 * 60;
const GB = 0.5;
/** Lambda polls a queue with five connections, each waiting up to 20 s. */
const POLLS = 5 * 3 * HEARTBEATS;
/** What Lambda itself logs about an invocation. */
const LAMBDA_LINES = 400;
/** What CloudWatch Logs adds to each line. */
const LINE_OVERHEAD = 26;

test('the table of costs in docs/deploy.md follows from what is emitted and deployed, at the prices that it states', () => {
  const page = pageText('docs/deploy.md');
  for (const [what, price] of Object.entries(PRICES)) expect(page).toContain(`| ${what} | ${price.toFixed(2)} |`);
  expect(page).toContain(tableOf(POOLS.map(costsOf)));
});

test('what announced peaks add is what docs/deploy.md and docs/events.md say', () => {
  const polling = (PRICES['SQS, a million requests'] * POLLS) / 1e6;
  const events = ', events: [{name: sale, pattern: {source: [shop]}, desiredReplicas: 1, hold: 1h}]';
  const alarms = PRICES['CloudWatch, a metric of an alarm'] * (alarmMetrics(1, events) - alarmMetrics(1));
  const [ofPolling, ofAlarms, sum] = [polling, alarms, polling + alarms].map((cost) => cost.toFixed(2));
  expect(pageText('docs/deploy.md')).toContain(
    `add ${ofPolling} for polling their queue, ${ofAlarms} for the alarms of the queue and of the function's errors`,
  );
  expect(pageText('docs/events.md')).toContain(
    `${sum} USD a month per stack: ${ofPolling} for polling the queue, ${ofAlarms} for its alarms`,
  );
});

test('README says what the stack and the lunch of its example cost', () => {
  const page = pageText('README.md');
  const sums = POOLS.map((pools) => Object.values(costsOf(pools)).reduce((sum, cost) => sum + cost, 0));
  for (const [index, sum] of sums.entries())
    expect(page).toContain(
      index === 0 ? `$${sum.toFixed(2)} a month with 1 NodePool` : `$${sum.toFixed(2)} with ${POOLS[index]}`,
    );
  const config = configIn('headroom.yaml');
  const requirements = new Map([['default', requirementsOf({}, config.cluster.region)]]);
  const day = Date.parse('2026-11-18T00:00Z');
  const [lunch] = planModel(config, day, day + 86_400_000, { requirements }).pools;
  const { nodeHours = 0, cost, monthlyCost } = lunch?.figures ?? {};
  const list = lunch?.price?.list;
  expect(page).toContain(`at most ${nodeHours} node-hours a day: ${cost && moneyText(cost)}`);
  expect(page).toContain(`(\`${lunch?.price?.instanceType}\`; ${list && originText(list)})`);
  expect(page).toContain(`, about $${Math.round(monthlyCost?.low ?? 0)} a month`);
});

/** The rows for a stack with so many NodePools, each with a window a day, an alarm and interruptions. */
function costsOf(pools: number): Readonly<Record<string, number>> {
  const price = (what: keyof typeof PRICES, amount: number) => PRICES[what] * amount;
  // About what a busy Lambda of 512 MB takes.
  const seconds = pools > 20 ? 0.5 : 0.3;
  const line = metricLine();
  const invocations = HEARTBEATS + 2 * DAYS * pools;
  return {
    'heartbeats and window edges: Scheduler, Lambda': [
      price('EventBridge Scheduler, a million invocations', invocations / 1e6),
      price('Lambda, a million requests', invocations / 1e6),
      price('Lambda on arm64, a million GB-seconds', (invocations * seconds * GB) / 1e6),
    ].reduce((sum, one) => sum + one),
    [`metrics: ${line.metrics} per NodePool`]: price('CloudWatch, a custom metric', line.metrics * pools),
    "Headstart's own alarms": price('CloudWatch, a metric of an alarm', alarmMetrics(pools)),
    'DescribeAlarms, once a heartbeat for up to 100 alarms': price(
      'CloudWatch, a thousand calls of DescribeAlarms',
      (HEARTBEATS * Math.ceil(pools / 100)) / 1e3,
    ),
    'Lambda polling the queue of interruption notices': price('SQS, a million requests', POLLS / 1e6),
    logs: price('CloudWatch Logs, a GB', (invocations * (LAMBDA_LINES + pools * (line.bytes + LINE_OVERHEAD))) / 1e9),
  };
}

/** What a heartbeat writes for a NodePool that is as it should be. */
function metricLine(): { readonly metrics: number; readonly bytes: number } {
  const lines: string[] = [];
  const metrics = emfMetrics('my-cluster', Date.now, (line) => lines.push(line));
  metrics.headroom([{ headroom: 'service', desired: 6, ready: 6 }]);
  const [line = ''] = lines;
  return { metrics: JSON.parse(line)._aws.CloudWatchMetrics[0].Metrics.length, bytes: line.length };
}

/** An alarm on an expression costs as much as the metrics in it. */
function alarmMetrics(pools: number, more = ''): number {
  const pool = `{max: 8, schedules: [{name: lunch, timezone: UTC, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}], alarms: [{alarmName: busy, add: 1}], interruptions: {}${more}}`;
  const all = Array.from({ length: pools }, (_, index) => `  pool-${index}: ${pool}\n`).join('');
  const stack = synthesized(configOf(`cluster: {name: my-cluster, region: us-east-1}\nnodePools:\n${all}`));
  const alarms = Object.values(stack.all('AWS::CloudWatch::Alarm'));
  return alarms.reduce(
    (sum, { Properties: { Metrics } }) =>
      sum + (Metrics?.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat).length ?? 1),
    0,
  );
}

function tableOf(columns: readonly Readonly<Record<string, number>>[]): string {
  const rows = Object.keys(columns[0] ?? {}).map((what) => [what, ...columns.map((column) => column[what] ?? 0)]);
  const sums = columns.map((column) => Object.values(column).reduce((sum, one) => sum + one, 0));
  return [
    `| USD a month | ${POOLS.map((pools) => `${pools} NodePool${pools === 1 ? '' : 's'}`).join(' | ')} |`,
    `|---|${POOLS.map(() => '---|').join('')}`,
    ...rows.map(([what, ...costs]) => `| ${what} | ${costs.map((cost) => Number(cost).toFixed(2)).join(' | ')} |`),
    `| **sum** | ${sums.map((sum) => `**${sum.toFixed(2)}**`).join(' | ')} |`,
  ].join('\n');
}
