import type { Config } from '../config/config';
import type { HeadstartEvent } from '../events/event';
import type { Ports } from './ports';

/** What an event is processed with: what the operator wrote, the world outside, and the time. */
export interface Service {
  readonly config: Config;
  /** Whose headroom this is: account, region, cluster, namespace and stack, as one text. */
  readonly owner: string;
  readonly ports: Ports;
  readonly now: () => number;
  /** The one kind of event that this function is there for. @default any */
  readonly accepts?: HeadstartEvent['kind'];
}
