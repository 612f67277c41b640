import { durationText, formatDuration, spanText } from '../../../shared/core/basics/duration';
import { messageOf } from '../../../shared/core/basics/errors';
import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import { unitNoun } from '../../../shared/core/config/unit-text';
import type { Override } from '../../../shared/core/record/record';
import { dollars } from '../../../shared/drawing/amounts';
import { type Access, sendOverride, statusOf } from '../../functions/access';
import { waitReady } from '../../inflate/wait-ready';
import type { Commands } from '../../input/commands';
import { read } from '../../kube/read';
import { InputError } from '../../terminal/exit';
import { plainAll } from '../../terminal/plain';
import { confirm, type Terminal } from '../../terminal/terminal';
import type { DeployedFacts } from './deployed-facts';
import { type TrialOverride, trialOverride } from './trial-override';
import { deployedChecks, type TrialCheck, type TrialReport } from './trial-report';

export interface TrialOptions {
  readonly timeoutMs: number;
  readonly yes: boolean;
  /** Draw no progress. */
  readonly quiet: boolean;
}

export interface TrialSurroundings {
  readonly access: Access;
  metric(since: number, now: number): Promise<number | undefined>;
  deployed(): Promise<DeployedFacts>;
  readonly terminal: Terminal;
  readonly commands: Commands;
}

/** How much longer than the timeout the override lasts: time for the metric, yet it ends soon if nobody releases it. */
const MARGIN_MS = 5 * 60_000;
const METRIC_MS = 3 * 60_000;
const POLL_MS = 5_000;
const RELEASE_TRIES = 3;

export async function runTrial(
  config: Config,
  pool: HeadroomConfig,
  surroundings: TrialSurroundings,
  options: TrialOptions,
): Promise<TrialReport> {
  const { access, terminal } = surroundings;
  const sentAt = terminal.now();
  const status = await statusOf(access, pool.name);
  const override = trialOverride(pool, status, { now: access.now(), commands: surroundings.commands });
  if ('refused' in override) throw new InputError(override.refused);
  const detail = `${access.place} answered in ${seconds(terminal.now() - sentAt)}`;
  const text = `this adds one more node to ${pool.name} for a few minutes (${mostText(pool, options.timeoutMs + MARGIN_MS)})`;
  if (!options.yes) await confirm(`${text}. Continue?`, `${text}; add --yes to confirm`, terminal);
  const startedAt = terminal.now();
  const reason = `doctor --try ${new Date(startedAt).toISOString()}`;
  const trial = new Trial(config, pool, surroundings, options, reason);
  const checks: TrialCheck[] = [{ what: 'function', result: 'ok', detail }, ...(await trial.run(override))];
  const endedAt = terminal.now();
  return {
    headroom: pool.name,
    cluster: config.cluster.name,
    region: config.cluster.region,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    checks,
    cost: costText(pool, endedAt - startedAt),
  };
}

/** One trial: sets the override, and releases it whatever happens in between. */
class Trial {
  private readonly checks: TrialCheck[] = [];
  private interrupted = false;

  constructor(
    private readonly config: Config,
    private readonly pool: HeadroomConfig,
    private readonly surroundings: TrialSurroundings,
    private readonly options: TrialOptions,
    /** Identifies the override, so that only this one is released. */
    private readonly reason: string,
  ) {}

  private get lastsSeconds(): number {
    return Math.ceil((this.options.timeoutMs + MARGIN_MS) / 60_000) * 60;
  }

  async run(override: TrialOverride): Promise<readonly TrialCheck[]> {
    const stopListening = this.surroundings.terminal.onInterrupt(() => {
      this.interrupted = true;
    });
    try {
      await this.watch(override).catch((error: unknown) => this.note('override', 'failed', plainAll(messageOf(error))));
      await this.release();
    } finally {
      stopListening();
    }
    return this.checks;
  }

  private async watch(override: TrialOverride): Promise<void> {
    const { pool, options } = this;
    const { access, terminal } = this.surroundings;
    const since = access.now();
    const { decisions } = await sendOverride(access, {
      headroom: pool.name,
      ...override,
      for: formatDuration(this.lastsSeconds),
      by: terminal.user(),
      reason: this.reason,
    });
    const decision = decisions.find((one) => one.headroom === pool.name);
    if (!decision) return this.note('override', 'failed', `${access.place} returned no decision for ${pool.name}`);
    const { from, replicas, reasons, supersededBy } = decision;
    const isLarger = replicas > from && !supersededBy;
    this.note('override', isLarger ? 'ok' : 'failed', `${pool.name}: ${from} → ${replicas} (${reasons.join('; ')})`);
    if (!isLarger) return;
    const recorded = await this.ownOverride();
    const carries = recorded ? 'carries' : 'does not carry';
    this.note('record', recorded ? 'ok' : 'failed', `the Deployment ${carries} the override`);
    if (this.interrupted) return this.note('interrupted', 'failed', 'stopped before the node was ready');
    const until = since + this.lastsSeconds * 1_000;
    const { namespace } = this.config.cluster;
    const waiting = { ...options, pool, namespace, since, until, ...(recorded && { override: recorded }) };
    const waited = await waitReady(access, waiting, terminal);
    const what = `${waited.ready} of ${waited.wanted} ${unitNoun(pool.unit)}s ready after ${seconds(waited.afterMs)}`;
    const why = waited.why.length > 0 ? waited.why.join('; ') : 'add --kubeconfig FILE to see why';
    this.note('nodes', waited.kind === 'ready' ? 'ok' : 'failed', waited.kind === 'ready' ? what : `${what}; ${why}`);
    if (waited.kind === 'interrupted' || this.interrupted) return;
    await this.watchMetric(since, replicas);
    const deployed = await read(this.surroundings.deployed());
    if (deployed.ok) for (const one of deployedChecks(deployed.value, this.config)) this.checks.push(one);
    else this.note('alarms, dead letters', 'unknown', deployed.why);
  }

  /** CloudWatch takes a minute or two to turn a log line into a metric. */
  private async watchMetric(since: number, expected: number): Promise<void> {
    const { access, terminal, metric } = this.surroundings;
    const began = terminal.now();
    for (;;) {
      const highest = await read(metric(since, access.now()));
      if (!highest.ok) return this.note('metrics', 'unknown', highest.why);
      const seen = highest.value;
      const text = `DesiredHeadroom ${seen ?? 'has no data'} after ${seconds(terminal.now() - began)}`;
      if (seen !== undefined && seen >= expected) return this.note('metrics', 'ok', text);
      if (this.interrupted || terminal.now() - began >= METRIC_MS)
        return this.note('metrics', 'failed', `${text}, expected ${expected}`);
      await terminal.sleep(POLL_MS);
    }
  }

  /** Releases exactly the override of this test: the request carries its time, so that a newer one stays. */
  private async release(): Promise<void> {
    const { access, terminal, commands } = this.surroundings;
    let released = await read(this.releaseOwn());
    for (let tries = 1; !released.ok && tries < RELEASE_TRIES; tries += 1) {
      await terminal.sleep(POLL_MS);
      released = await read(this.releaseOwn());
    }
    if (released.ok) return this.note('release', 'ok', released.value);
    const end = commands.headstart('release', this.pool.name);
    this.note(
      'release',
      'failed',
      `the override may still be in force, and ends by itself within ${spanText(Math.ceil(this.lastsSeconds / 60))}; run ${end} (${access.place}: ${released.why})`,
    );
  }

  private async releaseOwn(): Promise<string> {
    const { pool } = this;
    const { access, terminal } = this.surroundings;
    const own = await this.ownOverride();
    if (!own) return 'there is nothing to release';
    const at = new Date(own.at).toISOString();
    await access.send({ headroom: pool.name, release: true, at, by: terminal.user(), reason: this.reason });
    const { wanted, reasons } = await statusOf(access, pool.name);
    if (await this.ownOverride()) throw new Error('the override is still in force after its release');
    return `${pool.name} is back at ${wanted} (${reasons.join('; ')}); Karpenter removes the node when it is empty`;
  }

  private async ownOverride(): Promise<Override | undefined> {
    const { override } = (await statusOf(this.surroundings.access, this.pool.name)).intents;
    return override?.reason === this.reason ? override : undefined;
  }

  private note(what: string, result: TrialCheck['result'], detail: string): void {
    this.checks.push({ what, result, detail });
  }
}

function mostText({ price }: HeadroomConfig, ms: number): string {
  const long = `at most ${spanText(Math.ceil(ms / 60_000))}`;
  return price === undefined ? long : `${long}, ${dollars((price * ms) / 3_600_000)}`;
}

function costText({ price }: HeadroomConfig, ms: number): string {
  const paid = price === undefined ? '' : `: about ${dollars((price * ms) / 3_600_000)}`;
  return `cost: one node for ${seconds(ms)}${paid}, and for as long as Karpenter takes to remove it`;
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : durationText(Math.round(ms / 1_000));
}
