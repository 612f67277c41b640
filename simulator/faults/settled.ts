import { headroomName, MANAGED_BY, MANAGED_BY_LABEL } from '../../shared/core/basics/names';
import type { NodePoolConfig } from '../../shared/core/config/config';
import { decide } from '../../shared/core/decision/decide';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import type { AlarmRecord, CountRecord, HeadroomRecord, Override } from '../../shared/core/record/record';
import { readRecord } from '../../shared/core/record/record-codec';
import { DEPLOYMENTS } from '../kube/kinds';
import type { Deployment } from '../kube/objects';
import { type Account, type Ledger, orderKey } from './ledger';
import type { Stack } from './stack';
import type { Tolerations } from './tolerations';
import { NAMESPACE, type World } from './world';

/** What must hold once nothing goes wrong any more and a few heartbeats have passed. `now` is the last one's time. */
export function unsettled(stack: Stack, { world, ledger, tolerations }: Settling, now: number): readonly string[] {
  const pools = stack.config.nodePools.flatMap((pool) => {
    const live = world.store.get(DEPLOYMENTS, NAMESPACE, headroomName(pool.name));
    const account = ledger.of(stack.name, pool.name);
    const wrong = isForeign(live, stack)
      ? wrongWithForeign(live, account)
      : [...wrongWith(pool, live, account, world, now), ...tolerations.wrongWith(pool.name)];
    return wrong.map((what) => `${stack.name}/${pool.name}: ${what}`);
  });
  return [...pools, ...leftovers(stack, world)];
}

export interface Settling {
  readonly world: World;
  readonly ledger: Ledger;
  readonly tolerations: Tolerations;
}

function isForeign(live: Deployment | undefined, { owner }: Stack): live is Deployment {
  return live !== undefined && ownerOf(live) !== owner;
}

function wrongWithForeign(live: Deployment, { word, surges }: Account): readonly string[] {
  return word || surges.size > 0 ? [`accepted something, and the headroom belongs to ${ownerOf(live)}`] : [];
}

/**
 * Our own headroom that the config no longer names is gone after a deploy. What comes after that (an old function
 * that was still running, a deploy that was rolled back) waits for the next deploy, and what somebody has taken
 * the label from is found by nobody.
 */
function leftovers(stack: Stack, world: World): readonly string[] {
  if (stack.deploying) return [];
  const named = new Set(stack.config.nodePools.map(({ name }) => headroomName(name)));
  return world.store
    .list(DEPLOYMENTS, NAMESPACE)
    .filter((object) => ownerOf(object) === stack.owner && !named.has(object.metadata.name))
    .filter(({ metadata }) => metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY)
    .filter(({ metadata }) => (world.labelledSince.get(metadata.uid) ?? 0) < stack.reconciledAt)
    .map(({ metadata }) => `${stack.name}: ${metadata.name} is still there, and the config does not name it`);
}

function wrongWith(
  pool: NodePoolConfig,
  live: Deployment | undefined,
  account: Account,
  world: World,
  now: number,
): readonly string[] {
  if (!live) return ['there is no headroom'];
  const records = recordsOf(pool, account, world, now);
  const written = live.metadata.annotations?.[ANNOTATIONS.record] ?? '';
  // Every single write of these was watched.
  const { asked, nodeStarts } = readRecord(written).record;
  const learned = { ...(asked && { asked }), ...(nodeStarts && { nodeStarts }) };
  const sizes = records.map(
    (record) => decide({ pool, record: { ...record, ...learned }, now, held: heldOf(account) }).replicas,
  );
  return [
    ...(sizes.includes(live.spec.replicas)
      ? []
      : [`runs ${live.spec.replicas}, and what was accepted asks for ${[...new Set(sizes)].join(' or ')}`]),
    ...missing(written, account, now),
    ...(live.spec.template.spec.containers[0]?.image === pool.image ? [] : ['runs another image']),
  ];
}

function heldOf({ held }: Account): number {
  return held ?? 0;
}

/** What was accepted, has not ended, and does not stand in the record. */
function missing(written: string, account: Account, now: number): readonly string[] {
  const override = account.word?.override;
  const lost = override && override.until > now && !written.includes(JSON.stringify(override.reason));
  return [
    ...(lost ? [`lost the override ${override.reason}`] : []),
    ...(account.newer === undefined || written.includes(JSON.stringify({ for: account.newer }))
      ? []
      : ['lost a field of a newer version']),
  ];
}

/** The records that what was accepted can lead to; more than one where nobody can know when an alarm ended. */
function recordsOf(pool: NodePoolConfig, account: Account, world: World, now: number): readonly HeadroomRecord[] {
  const override = orderOf(account, now);
  const openings = openingsOf(account);
  const surges = Object.fromEntries([...account.surges].map(([id, until]) => [id, { cause: 'spot', until }]));
  let alarms: readonly Record<string, AlarmRecord>[] = [{}];
  for (const { alarmName } of pool.alarms) {
    const choices = alarmRecords(alarmName, account, world);
    alarms = alarms.flatMap((before) => choices.map((choice) => ({ ...before, [alarmName]: choice })));
  }
  return alarms.map((one) => ({ ...(override && { override }), alarms: one, surges, openings }));
}

function orderOf({ word, counts }: Account, now: number): Override | undefined {
  const override = word?.override;
  if (!override || override.until <= now) return undefined;
  const counted = counts.get(orderKey(override));
  return counted ? { ...override, counted: { nodes: counted.nodes, at: Date.parse(counted.at) } } : override;
}

function openingsOf({ counts }: Account): Readonly<Record<string, CountRecord>> {
  const openings = [...counts].flatMap(([key, { nodes, at, until }]) =>
    until === undefined ? [] : [[key, { nodes, at: Date.parse(at), until: Date.parse(until) }]],
  );
  return Object.fromEntries(openings);
}

function alarmRecords(alarmName: string, account: Account, world: World): readonly AlarmRecord[] {
  const { reading, endedAt } = world.alarmState(alarmName);
  if (reading.state === 'ALARM' || endedAt === undefined) return [reading];
  const known = { ...reading, ended: endedAt };
  return account.alarmEnds.get(alarmName) === endedAt ? [known] : [known, reading];
}

function ownerOf({ metadata }: Deployment): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.owner];
}
