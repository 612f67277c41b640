import { z } from 'zod';

export const MAX_SPEED = 1_000;

const MAX_SEED = 2 ** 32 - 1;
const MAX_ACTIONS = 200;

const share = z.number().min(0).max(1);
const name = z.string().min(1).max(300);

/** The commands that change a run, so that a link must contain them. */
const ActionSchema = z.discriminatedUnion('kind', [
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
  z.strictObject({
    kind: z.literal('faults'),
    faults: z
      .strictObject({ lost: share, doubled: share, late: share, apiErrors: share })
      .refine(({ lost, doubled, late }) => lost + doubled + late <= 1, 'lost, doubled and late add up to at most 1'),
  }),
]);

const CommandSchema = z.discriminatedUnion('kind', [
  ...ActionSchema.options,
  z.strictObject({ kind: z.literal('speed'), speed: z.number().min(1).max(MAX_SPEED) }),
  z.strictObject({ kind: z.literal('pause'), paused: z.boolean() }),
  z.strictObject({ kind: z.literal('jump') }),
  z.strictObject({ kind: z.literal('scenario'), id: name }),
  z.strictObject({
    kind: z.literal('replay'),
    scenario: name,
    seed: z.int().min(0).max(MAX_SEED),
    at: z.int(),
    start: z.int().optional(),
    actions: z
      .array(z.strictObject({ at: z.int(), command: ActionSchema }))
      .max(MAX_ACTIONS)
      .readonly()
      .optional(),
  }),
]);

/** The body of POST /api/command; the response is {ok: true, ...} or {ok: false, error}. */
export type Command = z.infer<typeof CommandSchema>;

export interface Action {
  readonly at: number;
  readonly command: z.infer<typeof ActionSchema>;
}

export function isAction(command: Command): command is Action['command'] {
  return ActionSchema.options.some(({ shape }) => shape.kind.value === command.kind);
}

const A_TIME = 'that is a time, such as 2026-11-17T09:00:00Z';

/** Links may be edited or cut off; other commands come from the page's own buttons. */
const LINK_FAULTS: Readonly<Record<string, string>> = {
  seed: `the link has no seed that is a whole number from 0 to ${MAX_SEED}`,
  at: `the link has no at ${A_TIME}`,
  start: `the link has no start ${A_TIME}`,
  actions: 'what was done is cut off in the link; copy all of the address',
};

export function parseCommand(body: string): Command {
  const command = parseJson(body);
  const parsed = CommandSchema.safeParse(command);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  const inLink = (command as Partial<Command> | null)?.kind === 'replay' && LINK_FAULTS[String(issue?.path[0])];
  if (inLink) throw new Error(inLink);
  throw new Error(`command${path === '' ? '' : ` at ${path}`} cannot be read: ${issue?.message ?? 'unknown'}`);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Error('command is not JSON');
  }
}
