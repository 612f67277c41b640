import { headroomName } from '../basics/names';
import { recordable } from '../basics/record-limits';
import type { HeadroomConfig } from '../config/config';
import type { CurrentHeadroom, Preemption } from '../ports/ports';
import type { HeadroomRecord } from '../record/record';

/** An Event may be written a little after the preemption that it is about, and a doubled heartbeat must see the same ones. */
export const WRITTEN_AFTER_MS = 10_000;
/** Events of pause pods that went a moment ago may still come. */
const LOOKS_AFTER_MS = 120_000;

/** What work took since it was last counted. */
export interface Taken {
  readonly units: number;
  /** The pods that took them: at least so many, because one may take several units and only be named once. */
  readonly pods: number;
  /** The first and the last of these preemptions. */
  readonly since: number;
  readonly until: number;
}

/** Whether work may have taken units of any headroom. A floor has nothing that work takes. */
export function mayHaveTakes(
  headrooms: readonly HeadroomConfig[],
  current: ReadonlyMap<string, CurrentHeadroom>,
  now: number,
): boolean {
  return headrooms.some(({ name, unit }) => {
    const { replicas = 0, writtenAt = 0 } = current.get(headroomName(name)) ?? {};
    return unit.kind !== 'floor' && (replicas > 0 || now - writtenAt <= LOOKS_AFTER_MS);
  });
}

/** Counts each preemption once: the record keeps up to which one they are counted. One victim is one unit. */
export function recordTaken(
  record: HeadroomRecord,
  { name, unit }: Pick<HeadroomConfig, 'name' | 'unit'>,
  preemptions: readonly Preemption[],
  now: number,
): { readonly record: HeadroomRecord; readonly taken?: Taken } {
  const headroom = headroomName(name);
  const isNew = ({ at }: Preemption) => at > (record.takenUntil ?? 0) && at <= now - WRITTEN_AFTER_MS;
  const ours = unit.kind === 'floor' ? [] : preemptions.filter((one) => one.headroom === headroom);
  const found = firstOfEachPod(ours).filter(isNew);
  if (found.length === 0) return { record };
  const times = found.map(({ at }) => at).sort((a, b) => a - b);
  const [since = 0, until = 0] = [times[0], times.at(-1)];
  const pods = new Set(found.flatMap(({ by }) => by ?? [])).size;
  const taken = { units: found.length, pods, since, until };
  return { record: { ...record, takenUntil: recordable(until) }, taken };
}

/** In a burst kube-scheduler may preempt a pause pod for a second pod, although it is gone. */
function firstOfEachPod(preemptions: readonly Preemption[]): readonly Preemption[] {
  const first = new Map<string, Preemption>();
  for (const one of preemptions)
    if (one.at < (first.get(one.pod)?.at ?? Number.POSITIVE_INFINITY)) first.set(one.pod, one);
  return [...first.values()];
}
