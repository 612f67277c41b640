// Writes the pictures of docs/choosing.md and prints its table: the same two steps of work on a simulated cluster,
// with the real handlers, once for each kind of headroom.
import { writeFileSync } from 'node:fs';
import { atLeast } from '../../lab/simulator/engine/karpenter/node-delay';
import { Simulation } from '../../lab/simulator/run/simulation';
import { loadConfig } from '../../shared/core/config/read/load';
import { stepPicture } from './step-picture';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const at = (clock: string) => Date.parse(`2026-03-02T${clock}:00Z`);
const [FROM, TO] = [at('08:30'), at('14:30')];

/** Each pod fills a node; more of them run all the time from 11:00 on, which nobody has told Headstart. */
const WORK = [
  { at: FROM - HOUR, pods: 3 },
  { at: at('09:00'), pods: 9 },
  { at: at('10:30'), pods: 3 },
  { at: at('11:00'), pods: 5 },
  { at: at('12:00'), pods: 11 },
  { at: at('13:30'), pods: 5 },
];

const WINDOWS = [
  { from: at('09:00'), to: at('10:30') },
  { from: at('12:00'), to: at('13:30') },
];

const KINDS = [
  { name: 'room', title: 'Room', unit: '{node: {cpu: 3, memory: 4Gi}}', size: 'desiredReplicas: 6' },
  { name: 'floor', title: 'Floor', unit: '{floor: {cpu: 4, memory: 16Gi}}', size: 'desiredReplicas: 9' },
  {
    name: 'more-nodes',
    title: 'More nodes than there are',
    unit: '{floor: {cpu: 4, memory: 16Gi}}',
    size: 'addNodes: 6',
  },
] as const;

function configOf({ unit, size }: (typeof KINDS)[number]) {
  const text = `
cluster: {name: demo, region: us-east-1}
nodePools:
  web:
    max: 20
    leadTime: 5m
    unit: ${unit}
    pool: {role: nodes, instanceTypes: [m6i.xlarge], capacityType: [on-demand]}
    schedules:
      - {name: morning, timezone: UTC, start: 0 9 * * *, end: 30 10 * * *, ${size}}
      - {name: noon, timezone: UTC, start: 0 12 * * *, end: 30 13 * * *, ${size}}
`;
  const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

function work(replicas: number) {
  const labels = { app: 'work' };
  const resources = { requests: { cpu: '3', memory: '4Gi' } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'work', namespace: 'demo', labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: { 'karpenter.sh/nodepool': 'web' },
          containers: [{ name: 'work', image: 'demo.example/work:1', resources }],
        },
      },
    },
  };
}

async function run(kind: (typeof KINDS)[number]) {
  const quiet = { id: 'steps', title: '', description: () => '', startsAt: () => FROM, actions: () => [] };
  const simulation = new Simulation({
    config: configOf(kind),
    scenario: quiet,
    seed: 1,
    nodeDelay: atLeast(50),
    after: FROM,
    warmUpMs: HOUR,
  });
  const { meter } = simulation.cluster;
  simulation.host.deploy(simulation.config);
  for (const { at: moment, pods } of WORK) {
    await simulation.runUntil(moment);
    await simulation.underTest.transport.apply(
      '/apis/apps/v1/namespaces/demo/deployments/work',
      work(pods),
      'choosing',
    );
  }
  await simulation.runUntil(TO);
  const shown = meter.nodeCounts.filter(({ at: moment }) => moment >= FROM);
  const before = meter.nodeCounts.findLast(({ at: moment }) => moment < FROM)?.nodes ?? 0;
  const nodes = [{ at: FROM, value: before }, ...shown.map((one) => ({ at: one.at, value: one.nodes }))];
  const svg = stepPicture({
    title: `${kind.title}: ${kind.size}`,
    from: FROM,
    to: TO,
    peak: 18,
    nodes,
    work: WORK.map((step) => ({ at: Math.max(FROM, step.at), value: step.pods })),
    windows: WINDOWS,
  });
  writeFileSync(`docs/images/choosing-${kind.name}.svg`, svg);
  const most = (from: string, to: string) =>
    Math.max(...nodes.filter((one) => one.at >= at(from) && one.at < at(to)).map(({ value }) => value));
  const waits = meter.waits('placed', simulation.now);
  const longest = (from: string) =>
    Math.max(0, ...waits.filter(({ createdAt }) => Math.abs(createdAt - at(from)) < MINUTE).map(({ ms }) => ms));
  const { nodeHours } = meter.cost(simulation.now);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return `| ${kind.title} | ${most('08:40', '10:30')} | ${most('11:50', '13:30')} | ${seconds(longest('09:00'))} | ${seconds(longest('12:00'))} | ${nodeHours.toFixed(1)} |`;
}

for (const kind of KINDS) console.log(await run(kind));
