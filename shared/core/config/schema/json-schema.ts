import * as z from 'zod';
import { ConfigInput } from './config-schema';

let made: z.core.JSONSchema.JSONSchema | undefined;

/** The JSON Schema of `headroom.yaml`, made from the schema that validates it; gives editors completion. */
export function configJsonSchema(): z.core.JSONSchema.JSONSchema {
  made ??= {
    ...z.toJSONSchema(ConfigInput, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
    title: 'headroom.yaml',
    description: 'The headroom of one EKS cluster that runs Karpenter, for Headstart',
  };
  return made;
}
