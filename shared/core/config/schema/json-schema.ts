import * as z from 'zod';
import { AlarmInput } from './alarm-schema';
import { ClusterInput, ConfigInput } from './config-schema';
import { EventInput } from './event-schema';
import { ScheduleInput } from './schedule-schema';

let made: z.core.JSONSchema.JSONSchema | undefined;

/** What a file may leave to the one that it extends, or that it is an overlay of. */
const MERGED: ReadonlySet<unknown> = new Set([ConfigInput, ClusterInput, ScheduleInput, AlarmInput, EventInput]);

/** The JSON Schema of `headroom.yaml`, made from the schema that validates it; gives editors completion. */
export function configJsonSchema(): z.core.JSONSchema.JSONSchema {
  made ??= {
    ...z.toJSONSchema(ConfigInput, {
      io: 'input',
      unrepresentable: 'any',
      reused: 'inline',
      override: ({ zodSchema, jsonSchema }) => {
        if (MERGED.has(zodSchema)) delete jsonSchema.required;
      },
    }),
    title: 'headroom.yaml',
    description: 'The headroom of one EKS cluster that runs Karpenter, for Headstart',
  };
  return made;
}
