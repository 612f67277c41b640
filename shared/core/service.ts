import type { Config } from './config/config';
import type { Ports } from './reconcile';

/** A handler's whole world: what the operator wrote, what is outside, and what time it is. */
export interface Service {
  readonly config: Config;
  readonly ports: Ports;
  readonly now: () => number;
}
