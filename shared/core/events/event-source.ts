import type { HeadstartEvent } from './event';
import type { Fields } from './event-fields';

/** One kind of event: what EventBridge matches and how it is parsed. The rule and the parser use the same object. */
export interface EventSource {
  readonly source: string;
  readonly detailType: string;
  /** Fields of the detail that the rule filters on, with the accepted values. */
  readonly filter?: Readonly<Record<string, readonly string[]>>;
  /** `undefined` means that the event does not concern us. */
  read(detail: Fields, at: number): HeadstartEvent | undefined;
}

export interface InterruptionSource extends EventSource {
  /** Its name in `interruptions.on`. */
  readonly cause: string;
  /** Whether it is on without being listed in `interruptions.on`. */
  readonly onByDefault: boolean;
  /** What it means, for the docs. */
  readonly meaning: string;
}

interface InstanceNotice extends Omit<InterruptionSource, 'read'> {
  readonly source: string;
  /** The affected instances; none means that the event does not concern us. */
  readonly instances: (detail: Fields) => readonly string[];
}

/** Interruption sources differ only in where the instance ids are. */
export function interruptionSource({ instances, ...source }: InstanceNotice): InterruptionSource {
  return {
    ...source,
    read: (detail, at) => {
      const instanceIds = instances(detail);
      return instanceIds.length === 0 ? undefined : { kind: 'interruption', cause: source.cause, instanceIds, at };
    },
  };
}

/** Whether a detail passes the filter of its own rule; events can also arrive without the rule. */
export function passes(filter: NonNullable<EventSource['filter']>, detail: Fields): boolean {
  return Object.entries(filter).every(([key, values]) => values.includes(String(detail[key])));
}
