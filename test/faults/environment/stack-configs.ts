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
const ORDERS_HIGH = '{alarmName: orders-high, add: 2, hold: 90s}';
const QUEUE_DEEP = '{alarmName: queue-deep, add: 1, hold: 2m}';

const LEARNED = '{auto: {min: 1m, max: 5m, start: 3m}}';

/** The pools of the first stack, deploy by deploy. */
const FIRST = [
  `
  web: {base: 2, max: 9, leadTime: 3m, schedules: [${HOURLY}], alarms: [${ORDERS_HIGH}], interruptions: {surge: 1, max: 4, hold: 2m}}
  ci: {unit: {slice: {cpu: 500m}}, max: 6, leadTime: ${LEARNED}, schedules: [${QUARTERS}], interruptions: {surge: 2, max: 4, hold: 3m}}
  batch: {base: 1, max: 3}
  step: {unit: {floor: {cpu: 4}}, base: 1, max: 4, leadTime: 2m, schedules: [${MORE}], alarms: [${ORDERS_HIGH}], interruptions: {surge: 1, max: 2, hold: 2m}}`,
  `
  web: {base: 3, max: 9, leadTime: 5m, schedules: [${HOURLY}, ${QUARTERS}], alarms: [${ORDERS_HIGH}, ${QUEUE_DEEP}], interruptions: {surge: 1, max: 4, hold: 20m}}
  ci: {unit: {slice: {cpu: 1}}, base: 1, max: 6, alarms: [${ORDERS_HIGH}], interruptions: {surge: 2, max: 4, hold: 15m}}
  gpu: {base: 1, max: 2, alarms: [${QUEUE_DEEP}], interruptions: {surge: 1, max: 2, hold: 20m}}
  step: {unit: {floor: {cpu: 4}}, max: 3, leadTime: ${LEARNED}, schedules: [${MORE}, ${AGAIN}, ${QUARTERS}]}`,
  `
  web: {base: 1, max: 7, schedules: [${HOURLY}], interruptions: {surge: 1, max: 4, hold: 20m}}
  gpu: {base: 0, max: 4, leadTime: auto, schedules: [${QUARTERS}]}
  batch: {base: 2, max: 4, interruptions: {surge: 1, max: 3, hold: 10m}}
  step: {base: 2, max: 4, schedules: [${QUARTERS}]}`,
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

const ANNOUNCED = FIRST.map((pools, index) => `${pools}${ANNOUNCED_POOLS[index]}`);

type Configs = readonly [Config, ...Config[]];

interface StackConfigs {
  readonly first: Configs;
  readonly live: Configs;
  /** The same two with announced peaks. */
  readonly announced: Configs;
  readonly announcedLive: Configs;
  readonly second: Configs;
}

let loaded: StackConfigs | undefined;

/** The configs of both stacks, loaded once. */
export function stackConfigs(): StackConfigs {
  loaded ??= {
    first: configsOf(FIRST),
    live: configsOf(FIRST, LIVE),
    announced: configsOf(ANNOUNCED),
    announcedLive: configsOf(ANNOUNCED, LIVE),
    second: configsOf(SECOND),
  };
  return loaded;
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
