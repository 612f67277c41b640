import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import type { Deployment } from '../../../lab/simulator/kube/object-types';
import { headroomName, MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import type { Stack } from '../environment/stack';
import { NAMESPACE, type World } from '../environment/world';
import { poolWithLike, replicasIn, workloadPath, writtenLike } from '../model/expected-like';
import { poolWithLive, writtenLive } from '../model/expected-live';
import { poolWithPeaks } from '../model/expected-peaks';
import { expectedSize } from '../model/expected-size';
import { type WrittenAlarm, type WrittenOverride, type WrittenRecord, writtenRecord } from '../model/written-record';
import { type AcceptedInputs, overrideKey, type PoolInputs, writtenOverride } from './accepted-inputs';
import { baseFor } from './like-invariants';
import { unsettledLive } from './live-invariants';
import type { Tolerations } from './tolerations';

/** What must hold a few heartbeats after the last fault. `now` is the time of the latest heartbeat. */
export function settledViolations(
  stack: Stack,
  { world, accepted, tolerations }: Settling,
  now: number,
): readonly string[] {
  const pools = stack.config.headrooms.flatMap((pool) => {
    const current = world.store.get(DEPLOYMENTS, NAMESPACE, headroomName(pool.name));
    const inputs = accepted.of(stack.name, pool.name);
    const wrong = isForeign(current, stack)
      ? wrongWithForeign(current, inputs)
      : [
          ...wrongWith(pool, current, inputs, world, now),
          ...(current ? unsettledLive(stack, pool.name, current, world) : []),
          ...tolerations.wrongWith(pool),
          ...(current ? unsettledLike(pool, current, world) : []),
        ];
    return wrong.map((what) => `${stack.name}/${pool.name}: ${what}`);
  });
  return [...pools, ...leftovers(stack, world)];
}

export interface Settling {
  readonly world: World;
  readonly accepted: AcceptedInputs;
  readonly tolerations: Tolerations;
}

/** Once nothing has changed for long enough, `base` follows what there is. */
function unsettledLike(deployed: HeadroomConfig, current: Deployment, { workloads }: World): readonly string[] {
  const [path, kept] = [
    workloadPath(deployed),
    writtenLike(deployed, current.metadata.annotations?.[ANNOTATIONS.like]),
  ];
  const replicas = replicasIn(path === undefined ? undefined : workloads.get(path));
  if (replicas === undefined || deployed.baseShare === undefined) return [];
  const pool = poolWithLike(deployed, kept);
  const [followed, right] = [kept?.base?.replicas ?? 0, replicas].map((one) => baseFor(pool, one));
  return followed === right ? [] : [`base follows ${kept?.base?.replicas} replicas, and there are ${replicas}`];
}

function isForeign(current: Deployment | undefined, { owner }: Stack): current is Deployment {
  return current !== undefined && ownerOf(current) !== owner;
}

function wrongWithForeign(current: Deployment, { latest, surges }: PoolInputs): readonly string[] {
  return latest || surges.size > 0 ? [`accepted something, and the headroom belongs to ${ownerOf(current)}`] : [];
}

/**
 * A deploy deletes the stack's headroom that the config no longer names. Headroom that appears later, from an old
 * function that was still running or from a rollback, stays until the next deploy. Headroom without the label
 * cannot be found at all.
 */
function leftovers(stack: Stack, world: World): readonly string[] {
  if (stack.deploying) return [];
  const named = new Set(stack.config.headrooms.map(({ name }) => headroomName(name)));
  return world.store
    .list(DEPLOYMENTS, NAMESPACE)
    .filter((object) => ownerOf(object) === stack.owner && !named.has(object.metadata.name))
    .filter(({ metadata }) => metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY)
    .filter(({ metadata }) => (world.ownedSince.get(metadata.uid) ?? 0) < stack.reconciledAt)
    .map(({ metadata }) => `${stack.name}: ${metadata.name} is still there, and the config does not name it`);
}

function wrongWith(
  deployed: HeadroomConfig,
  current: Deployment | undefined,
  inputs: PoolInputs,
  world: World,
  now: number,
): readonly string[] {
  if (!current) return ['there is no headroom'];
  const edited = poolWithLive(deployed, writtenLive(current.metadata.annotations?.[ANNOTATIONS.live])).pool;
  const kept = writtenLike(deployed, current.metadata.annotations?.[ANNOTATIONS.like]);
  const pool = poolWithPeaks(
    poolWithLike(edited, kept),
    writtenRecord(current.metadata.annotations?.[ANNOTATIONS.record]).announced,
  );
  const records = recordsOf(pool, inputs, world, now);
  const written = current.metadata.annotations?.[ANNOTATIONS.record] ?? '';
  // Taken as written, because every write of these is checked.
  const { requests, nodeStarts, shares, alarms, override } = writtenRecord(written);
  const sizes = records.map((record) => {
    const decided = pool.shaped ? current.spec.replicas : 0;
    const held = { broken: inputs.held !== undefined, decidedBefore: inputs.held ?? decided };
    return expectedSize({
      pool,
      record: { ...withCounts(record, alarms, override), requests, nodeStarts, shares },
      now,
      ...held,
    }).replicas;
  });
  return [
    ...(sizes.includes(current.spec.replicas)
      ? []
      : [`runs ${current.spec.replicas}, and what was accepted asks for ${[...new Set(sizes)].join(' or ')}`]),
    ...missing(written, inputs, now),
    // Without the shape of its workload's pods a headroom keeps its template.
    ...(pool.shaped?.pods === 0 || current.spec.template.spec.containers[0]?.image === pool.image
      ? []
      : ['runs another image']),
  ];
}

function withCounts(record: Accepted, written: WrittenRecord['alarms'], known?: WrittenOverride): Accepted {
  const alarms = Object.entries(record.alarms).map(([name, alarm]) => {
    const { counted, of } = written[name] ?? {};
    return [name, { ...alarm, ...(counted && { counted }), ...(of && { of }) }] as const;
  });
  const override = record.override && { override: { ...record.override, ...(known?.of && { of: known.of }) } };
  return { ...record, ...override, alarms: Object.fromEntries(alarms) };
}

/** What was accepted, has not ended, and is missing from the record. */
function missing(written: string, inputs: PoolInputs, now: number): readonly string[] {
  const override = inputs.latest?.override;
  const lost = override && override.until > now && !written.includes(JSON.stringify(override.reason));
  const ended = override && override.until <= now ? new Date(override.at).toISOString() : undefined;
  const { released } = writtenRecord(written);
  return [
    ...(lost ? [`lost the override ${override.reason}`] : []),
    ...(ended !== undefined && released?.at !== ended ? [`lost the time of ${override?.reason}, which has ended`] : []),
    ...(inputs.newer === undefined || written.includes(JSON.stringify({ for: inputs.newer }))
      ? []
      : ['lost a field of a newer version']),
  ];
}

type Accepted = Pick<WrittenRecord, 'override' | 'alarms' | 'surges' | 'counts' | 'broken'>;

/** The records that the accepted inputs allow; more than one if it is unknown when an alarm ended. */
function recordsOf(pool: HeadroomConfig, inputs: PoolInputs, world: World, now: number): readonly Accepted[] {
  const override = overrideOf(inputs, now);
  const counts = occurrencesOf(inputs);
  const surges = Object.fromEntries(
    [...inputs.surges].map(([id, until]) => [id, { cause: 'spot', until: iso(until) }]),
  );
  let alarms: readonly Record<string, WrittenAlarm>[] = [{}];
  for (const { alarmName } of pool.alarms) {
    const choices = alarmRecords(alarmName, inputs, world);
    alarms = alarms.flatMap((before) => choices.map((choice) => ({ ...before, [alarmName]: choice })));
  }
  return alarms.map((one) => ({ ...(override && { override }), alarms: one, surges, counts, broken: false }));
}

function overrideOf({ latest, counts }: PoolInputs, now: number): WrittenOverride | undefined {
  const override = latest?.override;
  const written = latest && writtenOverride(latest).override;
  if (!override || !written || override.until <= now) return undefined;
  const counted = counts.get(overrideKey(override));
  return counted ? { ...written, counted } : written;
}

function occurrencesOf({ counts }: PoolInputs): WrittenRecord['counts'] {
  return Object.fromEntries(
    [...counts].flatMap(([key, { until, ...count }]) => (until === undefined ? [] : [[key, { ...count, until }]])),
  );
}

function alarmRecords(alarmName: string, inputs: PoolInputs, world: World): readonly WrittenAlarm[] {
  const { reading, endedAt } = world.alarmState(alarmName);
  const now = { state: reading.state, at: iso(reading.at) };
  if (reading.state === 'ALARM' || endedAt === undefined) return [now];
  const known = { ...now, ended: iso(endedAt) };
  return inputs.alarmEnds.get(alarmName) === endedAt ? [known] : [known, now];
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

function ownerOf({ metadata }: Deployment): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.owner];
}
