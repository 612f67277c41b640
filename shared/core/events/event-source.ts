import type { EventType } from './aws-detail-types';
import type { HeadstartEvent } from './event';
import type { Fields } from './fields';

/** One kind of event: how it is routed, and how it is read. */
export interface EventSource extends EventType {
  /** `undefined` means that there is nothing in it for us. */
  read(detail: Fields, at: number): HeadstartEvent | undefined;
}
