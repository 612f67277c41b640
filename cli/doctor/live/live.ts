import { durationText, formatDuration, spanText } from '../../../shared/core/basics/duration';
import { messageOf } from '../../../shared/core/basics/errors';
import type { Config, NodePoolConfig } from '../../../shared/core/config/config';
import { unitNoun } from '../../../shared/core/config/unit-text';
import type { Override } from '../../../shared/core/record/record';
import type { PoolStatus } from '../../../shared/core/status';
import { dollars } from '../../../shared/drawing/amounts';
import type { Access } from '../../access/access';
import { read } from '../../access/read';
import { waitReady } from '../../inflate/wait-ready';
import type { Commands } from '../../input/commands';
import { InputError } from '../../terminal/exit';
import type { Terminal } from '../../terminal/terminal';
import type { DeployedFacts } from './deployed-facts';
import { type LiveOverride, liveOverride } from './live-override';
import { deployedChecks, type LiveCheck, type LiveReport } from './report';

export interface LiveOptions {
  /** How long to wait for the node. */
  readonly timeoutMs: number;
  /** Do not ask for confirmation. */
  readonly yes: boolean;
  /** Draw no progress. */
  readonly quiet: boolean;
}

/** Everything that a live test connects to. */
export interface LiveSurroundings {
  /** The deployed function. */
  readonly access: Access;
  /** The highest size that the pool's metric has reported since then; `undefined` if it has no data yet. */
  metric(since: number, now: number): Promise<number | undefined>;
  /** The alarms and the dead-letter queues of the stack. */
  deployed(): Promise<DeployedFacts>;
  readonly terminal: Terminal;
  /** Commands to suggest in messages. */
  readonly commands: Commands;
}

/** How much longer than the timeout the override lasts: time for the metric, yet it ends soon if nobody releases it. */
const MARGIN_MS = 5 * 60_000;
const METRIC_MS = 3 * 60_000;
const POLL_MS = 5_000;
const RELEASE_TRIES = 3;

/** Requests one node through the deployed function, checks every part involved, and releases it. */
export async function tryLive(
  config: Config,
  pool: NodePoolConfig,
  surroundings: LiveSurroundings,
  options: LiveOptions,
): Promise<LiveReport> {
  const { access, terminal } = surroundings;
  const sentAt = terminal.now();
  const status = await statusOf(access, pool.name);
  const override = liveOverride(pool, status, { now: access.now(), commands: surroundings.commands });
  if ('refused' in override) throw new InputError(override.refused);
  const answered: LiveCheck = {
    what: 'function',
    result: 'ok',
    detail: `${access.place} answered in ${seconds(terminal.now() - sentAt)}`,
  };
  await confirm(pool, options, terminal);
  const startedAt = terminal.now();
  const trial = new Trial(config, pool, surroundings, options);
  const checks = [answered, ...(await trial.run(override))];
  const endedAt = terminal.now();
  return {
    nodePool: pool.name,
    cluster: config.cluster.name,
    region: config.cluster.region,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    checks,
    cost: costText(pool, endedAt - startedAt),
  };
}

/** One live test: sets the override, and releases it whatever happens in between. */
class Trial {
  private readonly checks: LiveCheck[] = [];
  private readonly reason: string;
  private readonly access: Access;
  private readonly terminal: Terminal;
  private interrupted = false;

  constructor(
    private readonly config: Config,
    private readonly pool: NodePoolConfig,
    private readonly surroundings: LiveSurroundings,
    private readonly options: LiveOptions,
  ) {
    const { access, terminal } = surroundings;
    this.access = access;
    this.terminal = terminal;
    // Identifies the override, so that only this one is released.
    this.reason = `doctor --live ${new Date(terminal.now()).toISOString()}`;
  }

  async run(override: LiveOverride): Promise<readonly LiveCheck[]> {
    const stopListening = this.terminal.onInterrupt(() => {
      this.interrupted = true;
    });
    try {
      await this.watch(override).catch((error: unknown) => this.note('override', 'failed', messageOf(error)));
      await this.release();
    } finally {
      stopListening();
    }
    return this.checks;
  }

  private async watch(override: LiveOverride): Promise<void> {
    const { pool, access, terminal, options } = this;
    const since = access.now();
    const length = Math.ceil((options.timeoutMs + MARGIN_MS) / 60_000) * 60;
    const response = await access.send({
      nodePool: pool.name,
      ...override,
      for: formatDuration(length),
      by: terminal.user(),
      reason: this.reason,
    });
    const decision = 'decisions' in response ? response.decisions.find((one) => one.nodePool === pool.name) : undefined;
    if (!decision) return this.note('override', 'failed', `${access.place} returned no decision for ${pool.name}`);
    const { from, replicas, reasons, supersededBy } = decision;
    const isLarger = replicas > from && !supersededBy;
    this.note('override', isLarger ? 'ok' : 'failed', `${pool.name}: ${from} → ${replicas} (${reasons.join('; ')})`);
    if (!isLarger) return;
    const recorded = await this.ownOverride();
    this.note(
      'record',
      recorded ? 'ok' : 'failed',
      recorded ? 'the Deployment carries the override' : 'the Deployment does not carry the override',
    );
    if (this.interrupted) return this.note('interrupted', 'failed', 'stopped before the node was ready');
    const until = since + length * 1_000;
    const waiting = { pool, namespace: this.config.cluster.namespace, since, until, timeoutMs: options.timeoutMs };
    const waited = await waitReady(
      access,
      { ...waiting, ...(recorded && { override: recorded }), quiet: options.quiet },
      terminal,
    );
    const what = `${waited.ready} of ${waited.wanted} ${unitNoun(pool.unit)}s ready after ${seconds(waited.afterMs)}`;
    const why = waited.why.length > 0 ? waited.why.join('; ') : 'add --kubeconfig FILE to see why';
    this.note('nodes', waited.kind === 'ready' ? 'ok' : 'failed', waited.kind === 'ready' ? what : `${what}; ${why}`);
    if (waited.kind === 'interrupted' || this.interrupted) return;
    await this.watchMetric(since, replicas);
    const deployed = await read(this.surroundings.deployed());
    if (deployed.ok) for (const one of deployedChecks(deployed.value)) this.checks.push(one);
    else this.note('alarms, dead letters', 'unknown', deployed.why);
  }

  /** CloudWatch takes a minute or two to turn a log line into a metric. */
  private async watchMetric(since: number, expected: number): Promise<void> {
    const { access, terminal, surroundings } = this;
    const began = terminal.now();
    for (;;) {
      const highest = await read(surroundings.metric(since, access.now()));
      if (!highest.ok) return this.note('metrics', 'unknown', highest.why);
      const seen = highest.value;
      const after = `after ${seconds(terminal.now() - began)}`;
      if (seen !== undefined && seen >= expected) return this.note('metrics', 'ok', `DesiredHeadroom ${seen} ${after}`);
      if (this.interrupted || terminal.now() - began >= METRIC_MS)
        return this.note(
          'metrics',
          'failed',
          `DesiredHeadroom ${seen ?? 'has no data'} ${after}, expected ${expected}`,
        );
      await terminal.sleep(POLL_MS);
    }
  }

  /** Releases exactly the override of this test: the request carries its time, so that a newer one stays. */
  private async release(): Promise<void> {
    const { access, pool, terminal } = this;
    for (let left = RELEASE_TRIES; ; left -= 1) {
      const released = await read(this.releaseOwn());
      if (released.ok) return this.note('release', 'ok', released.value);
      if (left > 1) {
        await terminal.sleep(POLL_MS);
        continue;
      }
      const ends = spanText(Math.ceil((this.options.timeoutMs + MARGIN_MS) / 60_000));
      return this.note(
        'release',
        'failed',
        `the override may still be in force, and ends by itself within ${ends}; run ${this.surroundings.commands.headstart('release', pool.name)} (${access.place}: ${released.why})`,
      );
    }
  }

  private async releaseOwn(): Promise<string> {
    const { access, pool, terminal } = this;
    const own = await this.ownOverride();
    if (!own) return 'there is nothing to release';
    const at = new Date(own.at).toISOString();
    await access.send({ nodePool: pool.name, release: true, at, by: terminal.user(), reason: this.reason });
    const { wanted, reasons } = await statusOf(access, pool.name);
    if (await this.ownOverride()) throw new Error('the override is still in force after its release');
    return `${pool.name} is back at ${wanted} (${reasons.join('; ')}); Karpenter removes the node when it is empty`;
  }

  private async ownOverride(): Promise<Override | undefined> {
    const { override } = (await statusOf(this.access, this.pool.name)).intents;
    return override?.reason === this.reason ? override : undefined;
  }

  private note(what: string, result: LiveCheck['result'], detail: string): void {
    this.checks.push({ what, result, detail });
  }
}

async function statusOf({ send, place }: Access, nodePool: string): Promise<PoolStatus> {
  const response = await send({ status: true });
  const found = 'status' in response ? response.status.find((one) => one.nodePool === nodePool) : undefined;
  if (!found) throw new InputError(`${place} does not know NodePool ${nodePool}; deploy this config first`);
  return found;
}

async function confirm(pool: NodePoolConfig, { yes, timeoutMs }: LiveOptions, terminal: Terminal): Promise<void> {
  if (yes) return;
  const text = `this adds one more node to ${pool.name} for a few minutes (${mostText(pool, timeoutMs + MARGIN_MS)})`;
  if (!terminal.interactive) throw new InputError(`${text}; add --yes to confirm`);
  const answer = await terminal.ask(`${text}. Continue? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new InputError('cancelled, nothing was changed');
}

function mostText({ price }: NodePoolConfig, ms: number): string {
  const long = `at most ${spanText(Math.ceil(ms / 60_000))}`;
  return price === undefined ? long : `${long}, ${dollars((price * ms) / 3_600_000)}`;
}

function costText({ price }: NodePoolConfig, ms: number): string {
  const paid = price === undefined ? '' : `: about ${dollars((price * ms) / 3_600_000)}`;
  return `cost: one node for ${seconds(ms)}${paid}, and for as long as Karpenter takes to remove it`;
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : durationText(Math.round(ms / 1_000));
}
