import type { Config } from '../shared/core/config/config';
import type { Outside } from '../shared/core/reconcile';

/** A handler's whole world: what the operator wrote, what is outside, and what time it is. */
export interface Service {
  readonly config: Config;
  readonly outside: Outside;
  readonly now: () => number;
}
