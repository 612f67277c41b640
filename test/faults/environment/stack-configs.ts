import type { Config } from '../../../shared/core/config/config';
import { loadConfig } from '../../../shared/core/config/read/load';
import { formatProblem } from '../../../shared/core/config/yaml/problem';
import { ANNOUNCED_POOLS } from './announcements';
import { NAMESPACE } from './world';

/** Windows that open and close so often that every scenario sees an edge. */
const HOURLY = '{name: hourly, timezone: Asia/Seoul, start: "10 * * * *", end: "35 * * * *", desiredReplicas: 5}';
const QUARTERS = '{name: quarters, timezone: UTC, start: "*/15 * * * *", end: "7-59/15 * * * *", desiredReplicas: 3}';
const MORE = '{name: more, timezone: UTC, start: "*/10 * * * *", end: "6-59/10 * * * *", addNodes: 3}';
const AGAIN = '{name: again, timezone: Asia/Seoul, start: "4-59/10 * * * *", end: "9-59/10 * * * *", addNodes: 2}';
/** Windows that open once a night, week, month or year, in zones that change their clocks. */
const night = (size: string) =>
  `{name: night, timezone: America/New_York, start: "30 1 * * *", end: "45 2 * * *", ${size}}`;
const sunday = (size: string) =>
  `{name: sunday, timezone: Europe/Prague, start: "20 2 * * SUN", end: "5 3 * * *", ${size}}`;
const weekend = (size: string) =>
  `{name: weekend, timezone: America/New_York, start: "0 20 * * FRI", end: "10 3 * * MON,TUE", ${size}}`;
const months = (size: string) =>
  `{name: months, timezone: Europe/Prague, start: "40 23 28-31 2,10,12 *", end: "30 0 1 1,3,11 *", ${size}}`;
const either = (size: string) =>
  `{name: either, timezone: Australia/Lord_Howe, start: "*/20 1-2 1,15 * SUN", end: "10-59/20 1-3 * * *", ${size}}`;
const holidays = (size: string) =>
  `{name: holidays, timezone: Europe/Prague, start: "0 2,14 * * *", end: "50 2,14 * * *", excludeDates: [2026-10-25, 2026-11-18, 2026-12-31], ${size}}`;
/** In the hour that comes twice, and in the one that does not come. */
const fair = (size: string) =>
  `{name: fair, timezone: America/New_York, from: "2026-11-01T01:15", to: "2026-11-01T01:40", ${size}}`;
const spring = (size: string) =>
  `{name: spring, timezone: Europe/Prague, from: "2026-03-29T02:10", to: "2026-03-29T02:40", ${size}}`;
const size = (replicas: number) => `desiredReplicas: ${replicas}`;
const ORDERS_HIGH = '{alarmName: orders-high, add: 2, hold: 90s}';
/** The same alarms where they add nodes. */
const ORDERS_MORE = '{alarmName: orders-high, addNodes: 2, hold: 90s}';
const QUEUE_MORE = '{alarmName: queue-deep, addNodes: 1, hold: 2m}';
const QUEUE_DEEP = '{alarmName: queue-deep, add: 1, hold: 2m}';

/** What a pod may need to land on its nodes. */
const PLACED = `minNode: {cpu: 2, memory: 4Gi}, zones: spread, nodeSelector: {team: orders}, warmImages: [registry.example.com/orders:1, registry.example.com/cart:2]`;
/** What policies demand of pods; a deploy takes it away. */
const DEMANDED = `imagePullSecrets: [pull], podLabels: {team: orders}, podAnnotations: {example.com/owner: orders}`;
const EXPLICIT = `tolerations: [{key: team, operator: Exists}], nodeAffinity: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]`;

const FLOOR_NODES = `nodeAffinity: [{key: kubernetes.io/arch, operator: NotIn, values: [arm64]}, {key: example.com/old, operator: DoesNotExist}, {key: example.com/rack, operator: Exists}, {key: example.com/disk, operator: Lt, values: ["8"]}]`;

const LEARNED = '{auto: {min: 1m, max: 5m, start: 3m}}';

/** A second headroom on the NodePool of another, which each deploy moves to another one. */
const burst = (nodePool: string, hold: string) =>
  `burst: {nodePool: ${nodePool}, unit: {slice: {cpu: 250m}}, base: 1, max: 5, leadTime: 2m, schedules: [${QUARTERS}], alarms: [${QUEUE_DEEP}], interruptions: {surge: 1, max: 2, hold: ${hold}}}`;
/** Two headrooms on a NodePool that is no key. */
const LEFT = 'left: {nodePool: shared, base: 1, max: 3, interruptions: {hold: 2m}}';
const RIGHT = `right: {nodePool: shared, unit: {slice: {cpu: 1}}, max: 4, leadTime: ${LEARNED}, schedules: [${QUARTERS}], interruptions: {surge: 2, hold: 5m}}`;

/** The pools of the first stack, deploy by deploy. The floor moves to another NodePool and back. */
const FIRST = [
  `
  web: {base: 2, max: 9, leadTime: 3m, schedules: [${HOURLY}, ${night(size(8))}, ${holidays(size(6))}], alarms: [${ORDERS_HIGH}], interruptions: {surge: 1, max: 4, hold: 2m, on: [spot, rebalance, capacityReservation, health, stateChange]}}
  ci: {unit: {slice: {cpu: 500m}}, max: 6, leadTime: ${LEARNED}, schedules: [${QUARTERS}, ${sunday(size(5))}, ${fair(size(6))}], interruptions: {surge: 2, max: 4, hold: 3m}}
  batch: {base: 1, max: 3, leadTime: 70m, schedules: [${months(size(3))}, ${spring(size(2))}], ${PLACED}, ${DEMANDED}}
  step: {unit: {floor: {cpu: 4}}, ${FLOOR_NODES}, base: 1, max: 4, leadTime: 2m, schedules: [${MORE}, ${either('addNodes: 2')}], alarms: [${ORDERS_MORE}, ${QUEUE_DEEP}], interruptions: {surge: 1, max: 2, hold: 2m}}
  ${burst('step', '3m')}
  ${LEFT}
  ${RIGHT}`,
  `
  web: {base: 3, max: 9, leadTime: 5m, schedules: [${HOURLY}, ${QUARTERS}, ${weekend(size(4))}], alarms: [${ORDERS_HIGH}, ${QUEUE_DEEP}], interruptions: {surge: 1, max: 4, hold: 20m}}
  ci: {unit: {slice: {cpu: 1}}, base: 1, max: 6, schedules: [${holidays(size(4))}], alarms: [${ORDERS_HIGH}], interruptions: {surge: 2, max: 4, hold: 15m}}
  gpu: {unit: {node: {cpu: 1, nvidia.com/gpu: 1}}, zones: spread, ${EXPLICIT}, base: 1, max: 2, alarms: [${QUEUE_DEEP}], interruptions: {surge: 1, max: 2, hold: 20m}}
  step: {nodePool: spare, unit: {floor: {cpu: 4}}, ${FLOOR_NODES}, max: 3, leadTime: ${LEARNED}, schedules: [${MORE}, ${AGAIN}, ${QUARTERS}, ${night('addNodes: 3')}], alarms: [${ORDERS_HIGH}, ${QUEUE_MORE}]}
  ${burst('web', '20m')}
  ${LEFT}`,
  `
  web: {base: 1, max: 7, schedules: [${HOURLY}, ${sunday(size(7))}], interruptions: {surge: 1, max: 4, hold: 20m}}
  gpu: {base: 0, max: 4, leadTime: auto, schedules: [${QUARTERS}, ${months(size(4))}]}
  batch: {base: 2, max: 4, minNode: {memory: 2Gi}, zones: spread, ${EXPLICIT}, podLabels: {tier: low}, interruptions: {surge: 1, max: 3, hold: 10m}}
  step: {base: 2, max: 4, schedules: [${QUARTERS}, ${weekend(size(4))}]}
  ${burst('gpu', '10m')}
  ${RIGHT}`,
];

/** The pools of a second stack that was deployed into the same namespace by mistake. */
const SECOND = [
  `
  edge: {base: 2, max: 5, schedules: [${HOURLY}], interruptions: {hold: 20m}}`,
  `
  edge: {base: 1, max: 5, interruptions: {hold: 20m}}
  web: {base: 4, max: 6, interruptions: {hold: 20m}}`,
  `
  ci: {base: 1, max: 5, alarms: [${ORDERS_HIGH}]}`,
];

/** Which configs of the first stack have live schedules, where the scenario does: a deploy may take them away. */
const LIVE = [true, true, false];

/** Live windows of a floor whose lead time is learned. */
const LEARNING = FIRST.map((pools) => pools.replace('max: 4, leadTime: 2m', `max: 4, leadTime: ${LEARNED}`));

/** Headroom for a workload; deploys move it to another workload or NodePool. The second one has its own on top. */
const LIKE = [
  `
  room: {nodePool: web, unit: {like: shop/checkout}, base: 25%, max: 24, leadTime: 2m, schedules: [${QUARTERS.replace('3}', '50%}')}, ${HOURLY}], alarms: [${ORDERS_HIGH.replace('2,', '30%,')}, ${QUEUE_DEEP}], interruptions: {surge: 3, max: 8, hold: 20m}}`,
  `
  room: {nodePool: ci, unit: {like: {kind: StatefulSet, namespace: shop, name: carts, pods: 2}}, base: 3, max: 14, leadTime: 2m, schedules: [${QUARTERS.replace('3}', '40%}')}], alarms: [${ORDERS_HIGH.replace('2,', '150%,')}], interruptions: {surge: 2, max: 6, hold: 2m}}
  more: {nodePool: ci, unit: {like: shop/checkout}, base: 10%, max: 9, leadTime: 2m, schedules: [${HOURLY.replace('5}', '30%}')}]}`,
  `
  room: {nodePool: gpu, unit: {like: {kind: Deployment, namespace: shop, name: checkout, pods: 3}}, base: 50%, max: 30, leadTime: 2m, schedules: [${QUARTERS.replace('3}', '50%}')}, ${HOURLY.replace('5}', '100%}')}], alarms: [${QUEUE_DEEP.replace('1,', '4,')}]}`,
];

type Configs = readonly [Config, ...Config[]];

/** What a scenario's first stack has. */
export interface StackFeatures {
  readonly isLive: boolean;
  readonly isAnnounced: boolean;
  readonly isLike: boolean;
}

const loaded = new Map<string, Configs>();

/** The configs of the first stack, deploy by deploy, loaded once. */
export function stackConfigs({ isLive, isAnnounced, isLike }: StackFeatures): Configs {
  const more = (texts: readonly string[], index: number) => texts[index] ?? '';
  const texts = (isLive ? LEARNING : FIRST).map(
    (pools, index) => `${pools}${isAnnounced ? more(ANNOUNCED_POOLS, index) : ''}${isLike ? more(LIKE, index) : ''}`,
  );
  return once(JSON.stringify([isLive, isAnnounced, isLike]), () => configsOf(texts, isLive ? LIVE : []));
}

export function secondConfigs(): Configs {
  return once('second', () => configsOf(SECOND));
}

function once(key: string, load: () => Configs): Configs {
  const known = loaded.get(key) ?? load();
  loaded.set(key, known);
  return known;
}

function configsOf(texts: readonly string[], live: readonly boolean[] = []): Configs {
  const [first, ...others] = texts.map((text, index) => configOf(text, live[index] ?? false));
  if (!first) throw new Error('there is no config');
  return [first, ...others];
}

function configOf(nodePools: string, liveSchedules: boolean): Config {
  const cluster = `{name: demo, region: ap-northeast-2, namespace: ${NAMESPACE}, liveSchedules: ${liveSchedules}}`;
  const text = `cluster: ${cluster}\nnodePools:${nodePools}\n`;
  const result = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!result.ok) throw new Error(result.problems.map(formatProblem).join('\n'));
  return result.config;
}
