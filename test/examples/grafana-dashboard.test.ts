import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { emfMetrics, METRIC_NAMESPACE, METRICS } from '../../shared/adapters/process/emf-metrics';
import { configOf } from '../fakes/fake-runtime';

interface Target {
  readonly datasource: { readonly uid: string };
  readonly expr?: string;
  readonly namespace?: string;
  readonly metricName?: string;
  readonly dimensions?: Readonly<Record<string, readonly string[]>>;
}

const text = readFileSync(resolve('examples/grafana-dashboard.json'), 'utf8');
const { panels, templating } = JSON.parse(text);
const targets: readonly Target[] = panels.flatMap((panel: { targets: Target[] }) => panel.targets);
const ofCloudWatch = targets.filter(({ metricName }) => metricName !== undefined);

/** Each metric with its dimensions, as the functions write them. */
function emitted(): ReadonlyMap<string, readonly string[]> {
  const lines: string[] = [];
  const metrics = emfMetrics('shop', Date.now, (line) => lines.push(line));
  metrics.headroom([{ headroom: 'web', desired: 1, ready: 1, late: 1, lateBySeconds: 9, taken: 1 }]);
  const counts = Object.keys(METRICS) as Parameters<typeof metrics.count>[0][];
  for (const name of counts.filter((one) => !['desired', 'ready', 'late', 'lateBy', 'taken'].includes(one)))
    metrics.count(name, 1);
  return new Map(
    lines.flatMap((line) => {
      const [{ Dimensions, Metrics }] = JSON.parse(line)._aws.CloudWatchMetrics;
      return Metrics.map(({ Name }: { Name: string }) => [Name, Dimensions[0]]);
    }),
  );
}

test('the Grafana dashboard shows every metric that the functions write, with its dimensions, and no other', () => {
  const shown = new Map(
    ofCloudWatch.map(({ metricName = '', dimensions }) => [metricName, Object.keys(dimensions ?? {})]),
  );
  const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
  expect([...shown].sort(byName)).toEqual([...emitted()].sort(byName));
  expect(new Set(ofCloudWatch.map(({ namespace }) => namespace))).toEqual(new Set([METRIC_NAMESPACE]));
});

test('it queries what the tested rules for Prometheus query, in the default namespace', () => {
  const names = (queries: string) => new Set(queries.match(/\bkube_\w+/g));
  const known = names(readFileSync(resolve('examples/prometheus-rules.yaml'), 'utf8'));
  const asked = names(targets.map(({ expr = '' }) => expr).join('\n'));
  expect(asked.size).toBeGreaterThan(2);
  expect([...asked].filter((name) => !known.has(name))).toEqual([]);
  const namespace = templating.list.find(({ name }: { name: string }) => name === 'namespace');
  expect(namespace.query).toBe(configOf('  web: {max: 1}').cluster.namespace);
});

test('every variable that it uses is declared, and its panels have ids of their own and do not overlap', () => {
  const declared = new Set(templating.list.map(({ name }: { name: string }) => name));
  const used = [...text.matchAll(/\$\{?([a-z]+)\b/g)].map(([, name = '']) => name);
  expect(used.filter((name) => !declared.has(name))).toEqual([]);
  expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }: { gridPos: Record<string, number> }) =>
    Array.from(
      { length: Number(w) * Number(h) },
      (_, n) => `${Number(x) + (n % Number(w))},${Number(y) + Math.floor(n / Number(w))}`,
    ),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos }: { gridPos: { x: number; w: number } }) => gridPos.x + gridPos.w <= 24)).toBe(true);
});
