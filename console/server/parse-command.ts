import { z } from 'zod';
import type { Command } from '../snapshot/snapshot';

export const MAX_SPEED = 1_000;

const share = z.number().min(0).max(1);
const name = z.string().min(1).max(300);

const CommandSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('speed'), speed: z.number().min(1).max(MAX_SPEED) }),
  z.strictObject({ kind: z.literal('pause'), paused: z.boolean() }),
  z.strictObject({ kind: z.literal('jump') }),
  z
    .strictObject({
      kind: z.literal('inflate'),
      pool: name,
      atLeast: z.int().min(0).optional(),
      addNodes: z.int().min(1).optional(),
      for: z.string().max(20),
      reason: z.string().max(200),
    })
    .refine(({ atLeast, addNodes }) => (atLeast === undefined) !== (addNodes === undefined), 'atLeast or addNodes'),
  z.strictObject({ kind: z.literal('release'), pool: name }),
  z.strictObject({ kind: z.literal('alarm'), alarmName: name, firing: z.boolean() }),
  z.strictObject({ kind: z.literal('takeNode'), node: name.optional() }),
  z.strictObject({ kind: z.literal('spotStorm') }),
  z.strictObject({ kind: z.literal('scenario'), id: name }),
  z.strictObject({
    kind: z.literal('faults'),
    faults: z
      .strictObject({ lost: share, doubled: share, late: share, apiErrors: share })
      .refine(({ lost, doubled, late }) => lost + doubled + late <= 1, 'lost, doubled and late add up to at most 1'),
  }),
  z.strictObject({ kind: z.literal('act') }),
]);

/** Reads what the page asks for; throws an error that names what is wrong. */
export function parseCommand(body: string): Command {
  const parsed = CommandSchema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data as Command;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new Error(`command${path === '' ? '' : ` at ${path}`} cannot be read: ${issue?.message ?? 'unknown'}`);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Error('command is not JSON');
  }
}
