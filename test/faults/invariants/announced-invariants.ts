import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { headroomName } from '../../../shared/core/basics/names';
import type { QueueMessage } from '../../../shared/core/events/deliveries';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { ANNOUNCED_POOL } from '../environment/announcements';
import { Invocation } from '../environment/invocation';
import { NAMESPACE, type World } from '../environment/world';
import { newest, newestOf, peaksIn, type WrittenPeak, type WrittenPeaks } from '../model/expected-peaks';
import { writtenRecord } from '../model/written-record';

/** A tick counts up to 90 s ahead, on a clock that is off by seconds. */
const CLOCKS_DIFFER_MS = 150_000;
const NAME = headroomName(ANNOUNCED_POOL);

export interface AnnouncedInvariantsOptions {
  readonly world: World;
  readonly violated: (what: string) => void;
}

/**
 * No announced peak is lost, counted twice or left standing: of all messages about a peak that were handled, the newest
 * stands in the record, whatever order they came in. What falls out because there are too many is reported with its key.
 */
export class AnnouncedInvariants {
  private accepted: [string, WrittenPeak][] = [];
  private readonly invocations: Invocation[] = [];
  private disturbed = false;
  /** By key, the newest that ever stood: a function that was killed may have written what never counted as handled. */
  private readonly stood = new Map<string, WrittenPeak>();

  constructor(private readonly options: AnnouncedInvariantsOptions) {
    const { world } = options;
    world.store.subscribe(DEPLOYMENTS, ({ type, object, previous }) => {
      if (object.metadata.name !== NAME || world.writer === 'cluster') return;
      for (const [key, one] of Object.entries(writtenRecord(recordOf(object)).announced ?? {}))
        this.stood.set(key, newest(this.stood.get(key) ?? one, one));
      const isDeletion = type === 'DELETED';
      const isEdit = !(world.writer instanceof Invocation) && recordOf(object) !== recordOf(previous);
      // What somebody broke or deleted by hand is lost; from then on only single writes are checked.
      if (isDeletion || isEdit) this.disturbed = true;
    });
  }

  started(invocation: Invocation): void {
    this.invocations.push(invocation);
  }

  /** Also by functions that are still running, or were killed. */
  private droppedKeys(): ReadonlySet<unknown> {
    const lines = this.invocations.flatMap(({ logged }) => logged);
    const dropped = lines.filter(({ message }) => message === 'announced peaks dropped');
    return new Set(dropped.flatMap(({ fields }) => fields.peaks as readonly string[]));
  }

  handled(invocation: Invocation, messages: readonly QueueMessage[]): void {
    const pool = invocation.config.headrooms.find(({ name }) => name === ANNOUNCED_POOL);
    if (!pool) return;
    this.accepted.push(...peaksIn(messages, pool, invocation.receivedAt ?? invocation.startedAt));
    for (const what of this.wrong()) this.options.violated(`${invocation.label} ${what}`);
  }

  /** What was accepted and does not stand. */
  wrong(): readonly string[] {
    const { world } = this.options;
    if (this.disturbed) return [];
    const dropped = this.droppedKeys();
    const peaks = writtenRecord(recordOf(world.store.get(DEPLOYMENTS, NAMESPACE, NAME))).announced ?? {};
    return [...newestOf(this.accepted)].flatMap(([key, right]) =>
      dropped.has(key) ? [] : this.wrongPeak(key, right, peaks),
    );
  }

  private wrongPeak(key: string, right: WrittenPeak, peaks: WrittenPeaks): string[] {
    const { now } = this.options.world;
    const written = peaks[key];
    // A function that was killed may have written more than was reported.
    if (written && newest(written, right) === written) return [];
    const { to } = newest(this.stood.get(key) ?? right, right);
    const isOver = to !== undefined && Date.parse(to) <= now + CLOCKS_DIFFER_MS;
    // A peak of a hold that is over is forgotten, and an older cancellation that comes late may stand in its place.
    if (isOver && written?.to === undefined) return [];
    return [
      `lost the message about ${key}: ${JSON.stringify(right)} was handled, and ${JSON.stringify(written)} stands`,
    ];
  }
}

function recordOf(
  object: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } } | undefined,
) {
  return object?.metadata.annotations?.[ANNOTATIONS.record];
}
