import { type AccessOptions, openAccess } from '../access/access';
import { EXIT, InputError } from '../exit';
import { loadOrFail, poolOrFail } from '../load';
import { usualZone } from '../plan/plan-model';
import { wrapAfter } from '../show/wrap';
import type { Terminal } from '../terminal';
import { nextText, replacedText } from './messages';

export interface ReleaseOptions extends AccessOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Ends a person's order; config, alarms and interruptions decide again. */
export async function release(name: string | undefined, options: ReleaseOptions, terminal: Terminal): Promise<number> {
  const config = loadOrFail(options, terminal);
  if ((name === undefined) === (options.all !== true))
    throw new InputError('release needs one NodePool, or --all; for example headstart release default');
  if (name !== undefined) poolOrFail(config, name);
  const access = await openAccess(options, config, terminal);
  const answer = await access.order({ nodePool: name ?? '*', release: true });
  if (!('decisions' in answer))
    throw new Error(`${access.place} did not answer with decisions; is it Headstart's inflate function?`);
  if (options.json) {
    terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
    return EXIT.fine;
  }
  for (const decision of answer.decisions) {
    const { nodePool, from, replicas, reasons } = decision;
    const pool = config.nodePools.find((one) => one.name === nodePool);
    const ended = replacedText(decision)?.replace(/^replaced/, 'ended') ?? 'there was no order to end';
    const next = nextText(decision, usualZone(pool?.windows ?? []), access.now());
    const size = from === replicas ? `stays ${replicas}` : `${from} → ${replicas}`;
    const text = `${size} (${reasons.join('; ')}); ${ended}${next === undefined ? '' : `; next ${next}`}`;
    terminal.out(`${wrapAfter(`${nodePool}: `, '  ', text, terminal.width).join('\n')}\n`);
  }
  return EXIT.fine;
}
