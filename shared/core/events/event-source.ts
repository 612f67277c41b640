import type { HeadstartEvent } from './event';
import type { Fields } from './fields';

/** One kind of event: what EventBridge matches, and how it is read. The rule and the parser use the same object. */
export interface EventSource {
  readonly source: string;
  readonly detailType: string;
  /** Fields of the detail that the rule filters on, with the values that it lets through. */
  readonly filter?: Readonly<Record<string, readonly string[]>>;
  /** `undefined` means that there is nothing in it for us. */
  read(detail: Fields, at: number): HeadstartEvent | undefined;
}

/** An event that announces the loss of nodes. */
export interface InterruptionSource extends EventSource {
  /** Its word in `interruptions.on`. */
  readonly cause: string;
  /** Whether a NodePool hears of it without asking. */
  readonly onByDefault: boolean;
  /** What it means, for the docs. */
  readonly meaning: string;
}

interface InstanceNotice extends Omit<InterruptionSource, 'read'> {
  readonly source: string;
  /** The instances that go; none means that there is nothing in it for us. */
  readonly instances: (detail: Fields) => readonly string[];
}

/** A source of interruptions, from the one thing that differs: where the instance ids stand. */
export function interruptionSource({ instances, ...source }: InstanceNotice): InterruptionSource {
  return {
    ...source,
    read: (detail, at) => {
      const instanceIds = instances(detail);
      return instanceIds.length === 0 ? undefined : { kind: 'interruption', cause: source.cause, instanceIds, at };
    },
  };
}

/** Whether a detail passes the filter of its own rule; events also arrive by other ways than the rule. */
export function passes(filter: NonNullable<EventSource['filter']>, detail: Fields): boolean {
  return Object.entries(filter).every(([key, values]) => values.includes(String(detail[key])));
}
