import * as z from 'zod';
import { fault, obey } from './rules';
import { ScheduleInput, WindowName } from './schedule-schema';
import { flag, listOf, NodePoolName, orShare, Replicas } from './schema-fields';

const SCHEDULES_HINT = 'write a list of windows; [] means none';
const REMOVE_HINT = 'write {name: lunch, remove: true} to take a deployed window out';

/** A live window replaces a deployed one of its name as a whole. */
const LiveWindow = ScheduleInput.superRefine(
  obey(({ name }) => [name === undefined && fault('name', 'is missing; write a name, such as lunch')]),
);
const Removal = z.strictObject({ name: WindowName, remove: flag().refine((remove) => remove, REMOVE_HINT) });

/** Chosen by the key, so that a mistake in one of them is not reported as a mistake in both. */
const LiveScheduleInput = z.unknown().superRefine((value, context) => {
  const schema = typeof value === 'object' && value !== null && 'remove' in value ? Removal : LiveWindow;
  for (const issue of schema.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue });
});

const LiveNodePool = z.strictObject(
  { base: orShare(Replicas).optional(), schedules: listOf(LiveScheduleInput, SCHEDULES_HINT).optional() },
  { error: 'write {base, schedules}' },
);

/** The text of the ConfigMap with the live schedules. */
export const LiveInput = z.strictObject(
  {
    nodePools: z.record(NodePoolName, LiveNodePool, {
      error: 'write a map from the name of a headroom to {base, schedules}; {} means that nothing is changed',
    }),
  },
  { error: 'write nodePools: {default: {schedules: [...]}}; to go back to what is deployed, delete the ConfigMap' },
);

/** A schedule as it was written: a whole window, or the removal of a deployed one. */
export type LiveSchedule =
  | (ScheduleInput & { readonly name: string })
  | { readonly name: string; readonly remove: true };

/** What the text says about one NodePool, as it was written. */
export interface LivePart {
  readonly base?: number | string;
  readonly schedules?: readonly LiveSchedule[];
}
