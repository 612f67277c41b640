import type { Config, NodePoolConfig } from '../../shared/core/config/config';
import type { OrderDecision } from '../../shared/core/respond';
import { localClock } from '../../shared/drawing/local-time';
import { usualZone } from '../../shared/drawing/plan-model';
import type { Access } from '../access/access';
import { openAccess } from '../access/open-access';
import type { AccessOptions } from '../access/options';
import { overrideText } from '../access/override-text';
import { loadOrFail, poolOrFail } from '../input/load-config';
import { readAmount } from '../input/numbers';
import { readDuration } from '../input/time';
import { EXIT, InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { wrapAfter } from '../terminal/wrap';
import { type InflateWords, largeOrder, orderOf } from './build-override';
import { decisionText } from './messages';
import { type Waited, waitReady } from './wait-ready';

export interface InflateOptions extends AccessOptions, InflateWords {
  readonly wait: boolean;
  readonly timeout: string;
  readonly yes?: boolean;
  readonly askAboveNodes: string;
  readonly askAboveCost: string;
  readonly json?: boolean;
}

/** Gives an emergency order and waits until its nodes are there. */
export async function inflate(name: string, options: InflateOptions, terminal: Terminal): Promise<number> {
  const config = loadOrFail(options, terminal);
  const pool = poolOrFail(config, name);
  const { replicas, order } = orderOf(options, pool, terminal.user());
  const timeoutMs = readDuration(options.timeout, '--timeout') * 1_000;
  await confirm(replicas, pool, options, terminal);
  const access = await openAccess(options, config, terminal);

  const { decision, at: since } = await decisionOf(access, order, name);
  if (!options.json) announce(decision, replicas, terminal);
  const until = since + readDuration(options.for ?? '', '--for') * 1_000;
  if (!options.wait) return finish({ options, decision, until, pool, config }, undefined, terminal);
  // Rounded down to the second, as the cluster's own time stamps are.
  const begun = Math.floor(since / 1_000) * 1_000;
  const waiting = {
    pool,
    namespace: config.cluster.namespace,
    since: begun,
    until,
    timeoutMs,
    quiet: options.json === true,
  };
  const waited = await waitReady(access, waiting, terminal);
  return finish({ options, decision, until, pool, config }, waited, terminal);
}

/** The decision on the one pool that was asked for. */
export async function decisionOf(
  access: Access,
  order: Readonly<Record<string, unknown>>,
  nodePool: string,
): Promise<{ readonly decision: OrderDecision; readonly at: number }> {
  const answer = await access.order(order);
  const found = 'decisions' in answer ? answer.decisions.find((one) => one.nodePool === nodePool) : undefined;
  if (!found)
    throw new Error(
      `${access.place} did not answer with a decision on ${nodePool}; is it Headstart's inflate function?`,
    );
  return { decision: found, at: Date.parse(answer.at) };
}

async function confirm(
  replicas: number,
  pool: NodePoolConfig,
  options: InflateOptions,
  terminal: Terminal,
): Promise<void> {
  const large = largeOrder(replicas, pool, {
    nodes: readAmount(options.askAboveNodes, '--ask-above-nodes'),
    dollarsPerHour: readAmount(options.askAboveCost, '--ask-above-cost'),
  });
  if (large === undefined || options.yes) return;
  if (!terminal.interactive) throw new InputError(`${large}, and nobody can be asked here; add --yes if it is meant`);
  const answer = await terminal.ask(`${pool.name}: ${large}. Really? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new InputError('nothing was ordered');
}

function announce(decision: OrderDecision, asked: number, { out, width }: Terminal): void {
  out(`${wrapAfter('', '  ', decisionText(decision, asked), width).join('\n')}\n`);
  const { replaced } = decision;
  if (replaced) out(`${wrapAfter('  ', '  ', `replaced the override ${overrideText(replaced)}`, width).join('\n')}\n`);
}

interface Ordered {
  readonly options: InflateOptions;
  readonly decision: OrderDecision;
  readonly until: number;
  readonly pool: NodePoolConfig;
  readonly config: Config;
}

function finish(ordered: Ordered, waited: Waited | undefined, terminal: Terminal): number {
  const { options, decision, until, pool } = ordered;
  if (options.json) {
    const result = { decision, until: new Date(until).toISOString(), ...(waited && { waited }) };
    terminal.out(`${JSON.stringify(result, null, 2)}\n`);
  } else terminal.out(`${wrapAfter('', '  ', endText(pool, until, waited), terminal.width).join('\n')}\n`);
  if (waited?.kind !== 'late') return EXIT.ok;
  if (!options.json) explainLate(pool.name, waited, terminal);
  return EXIT.failed;
}

function endText(pool: NodePoolConfig, until: number, waited: Waited | undefined): string {
  const { name, windows, unit } = pool;
  const zone = usualZone(windows);
  const end = `it ends by itself at ${localClock(zone, until)} ${zone}, sooner with: headstart release ${name}`;
  const what = unit.kind === 'node' ? 'nodes' : 'slices';
  if (!waited) return `${name}: ordered, not waited for; ${end}`;
  const { kind, ready, wanted, afterMs } = waited;
  const after = `${Math.round(afterMs / 1_000)}s`;
  if (kind === 'ready') return `${name}: ${ready} of ${wanted} ${what} ready after ${after}; ${end}`;
  if (kind === 'interrupted')
    return `${name}: stopped watching at ${ready} of ${wanted}; the order stays in force: ${end}`;
  if (kind === 'ended') return `${name}: the order has ended, with ${ready} of ${wanted} ${what} ready`;
  return `${name}: only ${ready} of ${wanted} ${what} ready after ${after}; the order stays in force: ${end}`;
}

function explainLate(name: string, { why }: Waited, terminal: Terminal): void {
  const lines = why.length > 0 ? why : ['the cluster does not say why; with --kubeconfig FILE this command asks it'];
  for (const line of lines) terminal.err(`${wrapAfter(`${name}: `, '  ', line, terminal.width).join('\n')}\n`);
}
