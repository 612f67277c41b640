import type { AlarmConfig, AnnouncedEvent, HeadroomConfig, Shaped } from '../config/config';
import type { Window } from '../windows/window';
import type { LikeHeadroom } from './keep-like';
import type { KeptLike } from './kept-like';
import { nanos, quantityText } from './quantities';
import { type Shape, spreadsZones } from './shape';
import { inUnits, shareSizes, unitsBy } from './share-sizes';

/** The headroom with what is known of its workload: the pause pod as its unit, and every size in pause pods, rounded up. */
export function inPausePods(pool: LikeHeadroom, shape: Shape, kept: KeptLike): HeadroomConfig {
  const { pods, apart } = shape;
  const units = (written: number) => inUnits(written, pods);
  const sizeOf = shareSizes(pool.like, pods);
  const { base: written, baseShare: share, max } = pool;
  const base = sizeOf({ share, pods: written }, kept.base);
  const shaped: Shaped = { pods, base, max, sizeOf, unitsOf: unitsBy(sizeOf) };
  const sized = <T extends Window | AnnouncedEvent>(one: T): T =>
    one.share === undefined ? { ...one, replicas: units(one.replicas), pods: one.replicas } : one;
  const alarm = (one: AlarmConfig): AlarmConfig =>
    one.share === undefined ? { ...one, add: units(one.add), pods: one.add } : one;
  const { interruptions, events } = pool;
  return {
    ...pool,
    shaped,
    unit: { kind: apart ? 'node' : 'slice', requests: requestsOf(shape) },
    base: base.replicas,
    max: units(max),
    spreadZones: pool.spreadZones || spreadsZones(shape),
    windows: pool.windows.map(sized),
    alarms: pool.alarms.map(alarm),
    ...(events && { events: events.map(sized) }),
    ...(interruptions && {
      interruptions: { ...interruptions, surge: units(interruptions.surge), max: units(interruptions.max) },
    }),
  };
}

/** A headroom with what a Deployment keeps of its workload; as it was without. */
export function withKeptLike(pool: HeadroomConfig, kept: KeptLike | undefined): HeadroomConfig {
  const { like } = pool;
  return like && kept?.shape ? inPausePods({ ...pool, like }, kept.shape, kept) : pool;
}

/** As long as nothing is known of the pods: nothing is asked for, and only an `exactly` of 0 has a size. */
export function unknownPods(pool: LikeHeadroom): HeadroomConfig {
  const { base, baseShare: share, max } = pool;
  const inWords = shareSizes(pool.like, 1);
  const sizeOf: Shaped['sizeOf'] = (asked, of, countedAt) => {
    const { text, replicas, lacks } = inWords(asked, of, countedAt);
    return { replicas: 0, text, ...((replicas > 0 || lacks) && { lacks: text }) };
  };
  const shaped: Shaped = { pods: 0, base: sizeOf({ share, pods: base }), max, sizeOf, unitsOf: unitsBy(sizeOf) };
  return { ...pool, shaped };
}

/** Of a pause pod. */
function requestsOf({ pods, requests }: Shape): Readonly<Record<string, string>> {
  const times = (resource: string, quantity: string) => quantityText(resource, (nanos(quantity) ?? 0n) * BigInt(pods));
  return Object.fromEntries(Object.entries(requests).map(([name, quantity]) => [name, times(name, quantity)]));
}
