import type { AlarmState } from '../events/event';
import type { Override, Release } from './record';

/** What an event asks of one NodePool's headroom, before looking at its record. */
export type Intent = { readonly nodePool: string } & (
  | {
      readonly kind: 'alarm';
      readonly alarmName: string;
      readonly state: AlarmState;
      readonly previous?: AlarmState;
      readonly at: number;
      /** The event was dated far ahead, so that it counts as of now and CloudWatch's own reading counts over it. */
      readonly doubtful?: true;
      /** The alarm was found to be gone: it counts as OK from here on, until it is read again. */
      readonly goneSince?: number;
    }
  | { readonly kind: 'surge'; readonly instanceId: string; readonly cause: string; readonly until: number }
  | { readonly kind: 'override'; readonly override: Override }
  | { readonly kind: 'release'; readonly release: Release }
);
