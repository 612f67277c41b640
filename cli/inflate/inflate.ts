import type { NodePoolConfig } from '../../shared/core/config/config';
import type { OrderDecision } from '../../shared/core/respond';
import type { Access } from '../access/access';
import { openAccess } from '../access/open-access';
import type { AccessOptions } from '../access/options';
import { overrideText, supersededText } from '../access/override-text';
import { loadOrFail, poolOrFail } from '../input/load-config';
import { readAmount } from '../input/numbers';
import { readDuration } from '../input/time';
import { EXIT, InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { wrapAfter } from '../terminal/wrap';
import { type Asked, buildOverride, largeOverride, type OverrideOptions } from './build-override';
import { decisionText, endText } from './messages';
import { waitReady } from './wait-ready';
import type { Waited } from './waited';

export interface InflateOptions extends AccessOptions, OverrideOptions {
  readonly wait: boolean;
  readonly timeout: string;
  readonly yes?: boolean;
  readonly askAboveNodes: string;
  readonly askAboveCost: string;
  readonly json?: boolean;
}

/** Sets an override and waits until its nodes are ready. */
export async function inflate(name: string, options: InflateOptions, terminal: Terminal): Promise<number> {
  const config = loadOrFail(options, terminal);
  const pool = poolOrFail(config, name);
  const { asked, seconds, order } = buildOverride(options, pool, terminal.user());
  const timeoutMs = readDuration(options.timeout, '--timeout') * 1_000;
  const access = await openAccess(options, config, terminal);
  await confirm(asked, pool, options, { access, terminal });

  const { decision, at } = await decisionOf(access, order, name);
  if (!options.json) announce(decision, asked, terminal);
  if (decision.supersededBy) {
    if (options.json) terminal.out(`${JSON.stringify({ decision }, null, 2)}\n`);
    return EXIT.failed;
  }
  const until = at + seconds * 1_000;
  const waiting = {
    pool,
    namespace: config.cluster.namespace,
    // Rounded down to the second, as the cluster's own time stamps are.
    since: Math.floor(at / 1_000) * 1_000,
    until,
    timeoutMs,
    quiet: options.json === true,
  };
  const waited = options.wait ? await waitReady(access, waiting, terminal) : undefined;
  if (options.json) {
    const result = { decision, until: new Date(until).toISOString(), ...(waited && { waited }) };
    terminal.out(`${JSON.stringify(result, null, 2)}\n`);
  } else sayEnd(pool, until, waited, terminal);
  return waited?.kind === 'late' ? EXIT.failed : EXIT.ok;
}

/** The decision on the one pool that was asked for. */
async function decisionOf(
  access: Access,
  order: Readonly<Record<string, unknown>>,
  nodePool: string,
): Promise<{ readonly decision: OrderDecision; readonly at: number }> {
  const response = await access.order(order);
  const decision = 'decisions' in response ? response.decisions.find((one) => one.nodePool === nodePool) : undefined;
  if (!decision)
    throw new Error(
      `${access.place} returned no decision for ${nodePool}; check that it is Headstart's inflate function`,
    );
  return { decision, at: Date.parse(response.at) };
}

async function confirm(
  asked: Asked,
  pool: NodePoolConfig,
  options: InflateOptions,
  { access, terminal }: { readonly access: Access; readonly terminal: Terminal },
): Promise<void> {
  const large = largeOverride(asked, pool, {
    nodes: readAmount(options.askAboveNodes, '--ask-above-nodes'),
    dollarsPerHour: readAmount(options.askAboveCost, '--ask-above-cost'),
  });
  if (large === undefined || options.yes) return;
  const text = large(asked.mode === 'addNodes' ? await access.countNodes?.(pool.name) : undefined);
  if (!terminal.interactive) throw new InputError(`${text}; add --yes to confirm`);
  const answer = await terminal.ask(`${pool.name}: ${text}. Continue? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new InputError('cancelled, nothing was changed');
}

function announce(decision: OrderDecision, asked: Asked, { out, width }: Terminal): void {
  out(`${wrapAfter('', '  ', decisionText(decision, asked), width).join('\n')}\n`);
  const { replaced, supersededBy } = decision;
  if (supersededBy) out(`${wrapAfter('  ', '  ', supersededText(supersededBy), width).join('\n')}\n`);
  if (replaced) out(`${wrapAfter('  ', '  ', `replaced the override ${overrideText(replaced)}`, width).join('\n')}\n`);
}

function sayEnd(pool: NodePoolConfig, until: number, waited: Waited | undefined, terminal: Terminal): void {
  terminal.out(`${wrapAfter('', '  ', endText(pool, until, waited), terminal.width).join('\n')}\n`);
  if (waited?.kind !== 'late') return;
  const why = waited.why.length > 0 ? waited.why : ['no cause found; add --kubeconfig FILE to ask the cluster'];
  for (const line of why) terminal.err(`${wrapAfter(`${pool.name}: `, '  ', line, terminal.width).join('\n')}\n`);
}
