import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { writeContests } from '../../shared/core/apply/contested-field';

const RULES = resolve('examples/prometheus-rules.yaml');
const DEPLOYMENT = 'namespace="headroom", deployment="headroom-web"';
const installed = spawnSync('promtool', ['--version']).status === 0;

/** A series in promtool's notation, a value a minute: `6x20` is six for twenty minutes more. */
type Series = readonly [metric: string, values: string];
const wanted = (values: string): Series => [`kube_deployment_spec_replicas{${DEPLOYMENT}}`, values];
const ready = (values: string): Series => [`kube_deployment_status_replicas_ready{${DEPLOYMENT}}`, values];
const unschedulable = (pod: string, values: string): Series => [
  `kube_pod_status_unschedulable{namespace="headroom", pod="${pod}"}`,
  values,
];
const contested = (times: number): Series => {
  const annotation = writeContests([{ field: 'spec.replicas', times, at: 0 }]);
  const label = `annotation_headstart_dev_contested_field=${JSON.stringify(annotation)}`;
  return [`kube_deployment_annotations{${DEPLOYMENT}, ${label}}`, '1x40'];
};

interface Case {
  readonly name: string;
  readonly alert: string;
  readonly series: readonly Series[];
  readonly after: string;
  readonly fires: boolean;
}

const CASES: readonly Case[] = [
  {
    name: 'as many as wanted',
    alert: 'HeadroomShort',
    series: [wanted('6x40'), ready('6x40')],
    after: '40m',
    fires: false,
  },
  {
    name: 'nodes that take four minutes',
    alert: 'HeadroomShort',
    series: [wanted('0x5 6x40'), ready('0x9 6x40')],
    after: '9m',
    fires: false,
  },
  {
    name: 'two missing for a quarter of an hour',
    alert: 'HeadroomShort',
    series: [wanted('6x40'), ready('4x40')],
    after: '15m',
    fires: true,
  },
  {
    name: 'a Deployment of another namespace',
    alert: 'HeadroomShort',
    series: [
      ['kube_deployment_spec_replicas{namespace="shop", deployment="headroom-web"}', '6x40'],
      ['kube_deployment_status_replicas_ready{namespace="shop", deployment="headroom-web"}', '0x40'],
    ],
    after: '30m',
    fires: false,
  },
  {
    name: 'nodes that never came',
    alert: 'HeadroomLate',
    series: [wanted('0x5 6x40'), ready('0x50')],
    after: '22m',
    fires: true,
  },
  {
    name: 'nodes that came after ten minutes',
    alert: 'HeadroomLate',
    series: [wanted('0x5 6x40'), ready('0x15 6x40')],
    after: '30m',
    fires: false,
  },
  {
    name: 'room that work has just taken',
    alert: 'HeadroomLate',
    series: [wanted('6x60'), ready('6x30 0x30')],
    after: '35m',
    fires: false,
  },
  {
    name: 'a size that was raised a moment ago',
    alert: 'HeadroomLate',
    series: [wanted('2x30 8x5'), ready('2x40')],
    after: '34m',
    fires: false,
  },
  {
    name: 'pods without a place for 40 minutes',
    alert: 'HeadroomStuck',
    series: [unschedulable('headroom-web-7d9f-abcde', '1x60'), unschedulable('headroom-web-7d9f-fghij', '1x60')],
    after: '40m',
    fires: true,
  },
  {
    name: 'pods that found a place',
    alert: 'HeadroomStuck',
    series: [unschedulable('headroom-web-7d9f-abcde', '1x10 0x60')],
    after: '40m',
    fires: false,
  },
  { name: 'a field restored five times', alert: 'HeadroomContested', series: [contested(5)], after: '5m', fires: true },
  {
    name: 'a field restored twelve times',
    alert: 'HeadroomContested',
    series: [contested(12)],
    after: '5m',
    fires: true,
  },
  { name: 'a field restored once', alert: 'HeadroomContested', series: [contested(1)], after: '5m', fires: false },
];

/** What promtool says of one case: the alert must fire for the Deployment, or not at all. */
function promtoolTest({ alert, series, after, fires }: Case): { readonly code: number | null; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'headstart-rules-'));
  const file = join(folder, 'test.yaml');
  // Which Deployment it fires for, without the texts and whatever else the alert carries.
  const expr = `count by (alertname, deployment) (ALERTS{alertname="${alert}", alertstate="firing"})`;
  const labels = `{alertname="${alert}", deployment="headroom-web"}`;
  const test = {
    interval: '1m',
    input_series: series.map(([metric, values]) => ({ series: metric, values })),
    promql_expr_test: [{ expr, eval_time: after, exp_samples: fires ? [{ labels, value: 1 }] : [] }],
  };
  writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [test] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return { code: status, said: `${stdout}${stderr}` };
}

if (!installed && !process.env.CI) console.warn('skipped: promtool is not installed (package prometheus)');

(installed || process.env.CI ? describe : describe.skip)('examples/prometheus-rules.yaml', () => {
  test('is what promtool takes for rules', () => {
    expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toContain('4 rules found');
  });

  test.each(CASES)('$alert, $name: fires $fires', (given) => {
    const { code, said } = promtoolTest(given);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('SUCCESS') });
    // The opposite must fail, or the case would prove nothing.
    expect(promtoolTest({ ...given, fires: !given.fires }).code).not.toBe(0);
  });

  test('each alert is tried for and against', () => {
    const alerts = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    for (const alert of alerts)
      expect(new Set(CASES.filter((one) => one.alert === alert).map(({ fires }) => fires))).toEqual(
        new Set([true, false]),
      );
  });
});
