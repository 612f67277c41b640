import type { AlarmState, Announced } from '../events/event';
import type { Override, Release } from '../record/record';

/** A change that an event requests for one NodePool, independent of its record. */
export type Intent = { readonly headroom: string } & (
  | {
      readonly kind: 'alarm';
      readonly alarmName: string;
      readonly state: AlarmState;
      readonly previous?: AlarmState;
      readonly at: number;
      /** The event was dated far ahead: it counts as of now, and CloudWatch's own reading wins over it. */
      readonly doubtful?: true;
      /** The alarm no longer exists: it counts as OK from this time, until it is read again. */
      readonly goneSince?: number;
    }
  | { readonly kind: 'surge'; readonly instanceId: string; readonly cause: string; readonly until: number }
  | { readonly kind: 'peak'; readonly peak: Announced }
  | { readonly kind: 'override'; readonly override: Override }
  | { readonly kind: 'release'; readonly release: Release }
);
