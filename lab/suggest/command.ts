import type { Command } from 'commander';
import { CONFIG, ENV, JSON_OPTION, withGuide } from '../../cli/input/options';
import type { Run } from '../../cli/terminal/run';

export function addSuggest(root: Command, run: Run): void {
  const command = root
    .command('suggest')
    .description('learn windows from a history of demand, and test them on days they have not seen')
    .option('--demand <file>', 'a CSV with time,pool,pods or time,pool,cpu,memory; - for standard input')
    .option('--prometheus <url>', 'read the history from Prometheus; a bearer token may be in PROMETHEUS_TOKEN')
    .option('--query <promql>', 'PromQL with a series per NodePool (default: CPU requests of its pods)')
    .option(
      '--cloudwatch <query>',
      "read the history from CloudWatch: a metric as 'NAMESPACE METRIC DIMENSION=VALUE', or an expression",
    )
    .option('--stat <statistic>', 'statistic of a CloudWatch metric, such as Sum', 'Average')
    .option(
      '--from <time>',
      'start of the query, as a time or a duration before now (default: 28d; 15d with --cloudwatch and a lead time below 5m)',
    )
    .option('--to <time>', 'end of the query, as a time or a duration after --from (default: now)')
    .option('--step <duration>', 'resolution of the query (default: 1m; with --cloudwatch the finest that it keeps)')
    .option(
      '--per-unit <amount>',
      'how much of the value one unit of headroom serves (default: 1; its CPU with the default query)',
    )
    .option('--pool <name>', 'the NodePool of a series that names none (default: the only one)')
    .option('--lead <duration>', "how long a node takes (default: each NodePool's leadTime)")
    .option('--kubeconfig <file>', 'with leadTime: auto, read the lead times measured so far from this cluster')
    .option('--function <name>', 'the same from the deployed inflate function')
    .option('--cover <percent>', 'the share of the rise to cover', '99')
    .option('--windows <n>', 'the most windows per NodePool', '5')
    .option('--learn <duration>', 'learn from the last days of the history', '28d')
    .option('--shape <shape>', "room, floor or more (nodes); default: what the NodePool's unit allows and costs least")
    .option('--base <percent>', 'propose a base that covers this share of the rise, and no windows')
    .option('--anyway', 'propose windows even where their rhythm is weak or missing')
    .option('--timezone <zone>', 'zone of the windows (default: the zone whose clock demand follows)')
    .option('--start <time>', 'start of relative times in the CSV', '2026-11-17')
    .option('--write', 'write the proposal into the config file; comments are kept')
    .option('--live <file>', 'write what differs from the config as live schedules, for headstart apply')
    .option('--svg <file>', 'write a picture of the history with the proposal')
    .option('--last-week <file>', 'this config as it was a week ago: say what it covered in the 7 days since')
    .option('--replay', 'simulate the last days, at most 14, with the proposal and with this config: waits and cost')
    .option('--node-delay <duration>', 'with --replay: typical time from the launch of a node until it is ready', '50s')
    .option(...CONFIG)
    .option(...ENV)
    .option(...JSON_OPTION)
    .action(async (options) => {
      run.exitCode = await (await import('./suggest')).suggest(options, run.terminal);
    });
  withGuide(command, {
    details: [
      'Headroom must cover the rise of demand within the lead time, not its level. For each NodePool, suggest finds when demand rises, how much, and whether that repeats. It proposes at most five windows, says why, and compares them with no headroom, with the cheapest constant in hindsight, with this config, and with perfect foresight (clairvoyant). Where demand has no rhythm, or a weak one, it says so, shows what a base would cost, and proposes nothing unless --base or --anyway asks for it. Windows in place stay while new ones would do little better; those whose demand is gone are proposed for removal or shrinking. A history of nodes or pause pods, which rises with our own requests, is refused.',
      'Nothing is changed unless --write is given. How it works: docs/suggest.md.',
    ],
    examples: {
      'suggest --demand examples/trace.csv': 'print windows for the NodePools of a trace',
      'suggest --demand trace.csv --write --svg suggest.svg': 'write them into headroom.yaml, and draw them',
      'suggest --demand trace.csv --replay': 'also simulate the last two weeks, for waits and cost',
      'suggest --prometheus http://127.0.0.1:9090': 'learn from the last four weeks in Prometheus',
      "suggest --cloudwatch 'AWS/ApplicationELB RequestCount LoadBalancer=app/shop/50dc6c495c0c9188' --stat Sum --per-unit 30000":
        'learn from the requests of a load balancer, of which a node serves 30,000 in each period',
    },
  });
}
