import { parseDuration } from '../../basics/duration';
import { KARPENTER_NODEPOOL_LABEL, spotTwinName, uniqueName } from '../../basics/names';
import { shareIn } from '../../basics/share';
import { texts } from '../../config/schema/quantity';
import type {
  AlarmConfig,
  AnnouncedEvent,
  Calendars,
  ClusterConfig,
  Config,
  HeadroomConfig,
  InterruptionsConfig,
  LikeWorkload,
  Toleration,
  Unit,
} from '../config';
import { type AlarmInput, parseThreshold } from '../schema/alarm-schema';
import type { ConfigInput, NodePoolInput } from '../schema/config-schema';
import { DEFAULTS } from '../schema/defaults';
import type { EventInput } from '../schema/event-schema';
import { leadBounds } from '../schema/lead-bounds';
import { parseQuantity } from '../schema/quantity';
import { resolveWindow } from './resolve-window';

/** Fills in every default and turns text into numbers; the input has been checked. */
export function resolveConfig(input: ConfigInput): Config {
  const cluster = resolveCluster(input.cluster);
  const heartbeatSeconds = seconds(input.heartbeat ?? DEFAULTS.heartbeat);
  const { calendars } = input;
  return {
    cluster,
    heartbeatSeconds,
    headrooms: Object.entries(input.nodePools).map(([name, headroom]) =>
      resolveHeadroom({
        cluster,
        name,
        input: headroom,
        heartbeatSeconds,
        calendars,
        shared: sharedBy(input, headroom.nodePool ?? name),
      }),
    ),
    ...(calendars && { calendars }),
    ...(input.karpenter && { karpenter: input.karpenter }),
    ...(input.stack && { stack: input.stack }),
  };
}

function resolveCluster(input: ConfigInput['cluster']): ClusterConfig {
  const { name, region, account, wave, vpc } = input;
  return {
    name,
    region,
    ...(account !== undefined && { account }),
    ...(wave !== undefined && { wave }),
    namespace: input.namespace ?? DEFAULTS.namespace,
    access: input.access ?? DEFAULTS.access,
    ...(input.liveSchedules && { liveSchedules: true }),
    ...(input.wakeUp === false && { wakeUp: false }),
    ...(vpc && {
      vpc: {
        subnetIds: vpc.subnetIds,
        securityGroupIds: vpc.securityGroupIds ?? [],
        ...(vpc.admitSecurityGroups && { admitSecurityGroups: true }),
      },
    }),
  };
}

/** What all headrooms on a NodePool share. */
interface Shared extends Pick<HeadroomConfig, 'nodePool' | 'twins' | 'pool' | 'price'> {}

/** From the entry whose key is the NodePool; without one a price may be in any entry. */
function sharedBy({ nodePools, defaults }: ConfigInput, nodePool: string): Shared {
  const own = nodePools[nodePool];
  const others = Object.values(nodePools).filter((one) => one.nodePool === nodePool);
  const price = own ? own.price : (others.find((one) => one.price !== undefined)?.price ?? defaults?.price);
  return {
    nodePool,
    ...(price !== undefined && { price }),
    ...(own?.pool && { pool: own.pool }),
    ...(own?.pool?.spotTwin && { twins: [spotTwinName(nodePool)] }),
  };
}

interface Resolving {
  readonly cluster: ClusterConfig;
  readonly name: string;
  readonly input: NodePoolInput;
  readonly heartbeatSeconds: number;
  readonly calendars: Calendars | undefined;
  readonly shared: Shared;
}

function resolveHeadroom({ cluster, name, input, heartbeatSeconds, calendars, shared }: Resolving): HeadroomConfig {
  const { tolerations, interruptions, imagePullSecrets, podLabels, podAnnotations } = input;
  const minNode = input.unit?.floor ?? input.minNode;
  const lead = resolveLead(input.leadTime ?? DEFAULTS.leadTime, heartbeatSeconds / 60);
  return {
    name,
    ...shared,
    unit: resolveUnit(input.unit),
    ...(input.unit?.like && { like: resolveLike(input.unit.like) }),
    ...(minNode && { minNode: resolveMinNode(minNode) }),
    ...resolveBase(input.base),
    max: input.max ?? 0,
    ...lead,
    image: input.image ?? DEFAULTS.image,
    ...(imagePullSecrets && { imagePullSecrets }),
    ...(podLabels && { podLabels }),
    ...(podAnnotations && { podAnnotations }),
    ...(tolerations && { tolerations: tolerations as readonly Toleration[] }),
    ...resolveSelection(input, shared),
    spreadZones: input.zones === 'spread',
    warmImages: input.warmImages ?? [],
    windows: (input.schedules ?? []).map((one, index) => resolveWindow(one, index, calendars)),
    alarms: (input.alarms ?? []).map((alarm) => resolveAlarm(cluster, name, alarm)),
    ...(interruptions && { interruptions: resolveInterruptions(interruptions) }),
    ...resolveEvents(input.events, lead, heartbeatSeconds / 60),
  };
}

/** Always on its NodePool; with labels of its own also on the spot twin. */
function resolveSelection(
  { nodeSelector, nodeAffinity }: NodePoolInput,
  { nodePool, twins }: Shared,
): Pick<HeadroomConfig, 'nodeSelector' | 'nodeAffinity'> {
  const own = (nodeAffinity ?? []).map(({ key, operator, values }) => ({ key, operator, ...(values && { values }) }));
  const [isBound, hasOwn] = [nodeSelector?.[KARPENTER_NODEPOOL_LABEL] !== undefined, nodeSelector ?? nodeAffinity];
  if (twins && hasOwn && !isBound) {
    const both = { key: KARPENTER_NODEPOOL_LABEL, operator: 'In', values: [nodePool, ...twins] };
    return { nodeSelector: nodeSelector ?? {}, nodeAffinity: [...own, both] };
  }
  return { nodeSelector: { ...nodeSelector, [KARPENTER_NODEPOOL_LABEL]: nodePool }, nodeAffinity: own };
}

function resolveLead(
  input: NonNullable<NodePoolInput['leadTime']>,
  heartbeatMinutes: number,
): Pick<HeadroomConfig, 'leadMinutes' | 'autoLead'> {
  if (typeof input === 'string' && input !== 'auto') return { leadMinutes: seconds(input) / 60 };
  const { min, max, start } = leadBounds(input === 'auto' ? {} : input.auto);
  return {
    leadMinutes: start / 60 + heartbeatMinutes,
    autoLead: { minMinutes: min / 60, maxMinutes: max / 60, heartbeatMinutes },
  };
}

function resolveUnit(input: NodePoolInput['unit']): Unit {
  if (!input) return DEFAULTS.unit;
  if (input.floor) return { kind: 'floor', requests: {} };
  if (input.like) return { kind: 'slice', requests: {} };
  const kind = input.node ? 'node' : 'slice';
  return { kind, requests: texts(input.node ?? input.slice) };
}

/** A share needs a workload, and its number of pods is known only to the functions. */
function resolveBase(base: NodePoolInput['base'] = DEFAULTS.base): Pick<HeadroomConfig, 'base' | 'baseShare'> {
  const share = shareIn(base);
  return share === undefined ? { base: Number(base) } : { base: 0, baseShare: share };
}

function resolveLike(input: NonNullable<NonNullable<NodePoolInput['unit']>['like']>): LikeWorkload {
  if (typeof input === 'string') {
    const [namespace = '', name = ''] = input.split('/');
    return { kind: 'Deployment', namespace, name };
  }
  const { kind = 'Deployment', namespace, name, pods } = input;
  return { kind, namespace, name, ...(pods !== undefined && { pods }) };
}

type NodeSize = NonNullable<NodePoolInput['minNode']> & { readonly gpu?: number | undefined };

function resolveMinNode({ cpu, memory, gpu }: NodeSize) {
  return {
    ...(cpu !== undefined && { cpu: Math.ceil(parseQuantity(String(cpu)) ?? 0) }),
    ...(memory !== undefined && { memoryMiB: Math.ceil((parseQuantity(String(memory)) ?? 0) / 2 ** 20) }),
    ...(gpu !== undefined && { gpus: gpu }),
  };
}

function resolveAlarm(cluster: ClusterConfig, headroom: string, input: AlarmInput): AlarmConfig {
  const { alarmName, metric, name, add, addNodes } = input;
  const threshold = parseThreshold(input.threshold ?? '');
  const share = shareIn(add);
  const known = {
    add: addNodes ?? (share === undefined ? Number(add ?? 0) : 0),
    ...(share !== undefined && { share }),
    ...(addNodes !== undefined && { relative: true as const }),
    holdSeconds: seconds(input.hold ?? DEFAULTS.alarm.hold),
  };
  if (!metric || !threshold) return { name: name ?? alarmName ?? '', alarmName: alarmName ?? '', ...known };
  return {
    name: name ?? '',
    alarmName: uniqueName(['headstart', cluster.name, headroom, name ?? ''], 255),
    ...known,
    create: {
      namespace: metric.namespace,
      metric: metric.name,
      dimensions: metric.dimensions ?? {},
      statistic: metric.statistic ?? DEFAULTS.alarm.statistic,
      periodSeconds: seconds(metric.period ?? DEFAULTS.alarm.period),
      evaluationPeriods: metric.evaluationPeriods ?? DEFAULTS.alarm.evaluationPeriods,
      comparison: threshold.comparison,
      threshold: threshold.value,
    },
  };
}

function resolveInterruptions(input: NonNullable<NodePoolInput['interruptions']>): InterruptionsConfig {
  return {
    surge: input.surge ?? DEFAULTS.interruptions.surge,
    max: input.max ?? DEFAULTS.interruptions.max,
    holdSeconds: seconds(input.hold ?? DEFAULTS.interruptions.hold),
    on: input.on ?? DEFAULTS.interruptions.on,
  };
}

/** A learned lead time has a heartbeat in it already, so that its peaks are not requested earlier. */
function resolveEvents(
  events: readonly EventInput[] = [],
  { autoLead }: Pick<HeadroomConfig, 'autoLead'>,
  heartbeatMinutes: number,
): Pick<HeadroomConfig, 'events'> {
  const earlyMinutes = autoLead ? 0 : heartbeatMinutes;
  return events.length === 0 ? {} : { events: events.map((event) => resolveEvent(event, earlyMinutes)) };
}

function resolveEvent(input: EventInput, earlyMinutes: number): AnnouncedEvent {
  const { name, pattern, cancel, hold, from, to, key, addNodes, desiredReplicas } = input;
  const share = shareIn(desiredReplicas);
  return {
    name,
    bus: input.bus ?? DEFAULTS.bus,
    pattern,
    ...(cancel && { cancel }),
    replicas: share === undefined ? Number(addNodes ?? desiredReplicas) : 0,
    ...(share !== undefined && { share }),
    ...(addNodes !== undefined && { relative: true as const }),
    ...(hold !== undefined && { holdSeconds: seconds(hold) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(key !== undefined && { key }),
    earlyMinutes,
  };
}

function seconds(text: string): number {
  return parseDuration(text) ?? 0;
}
