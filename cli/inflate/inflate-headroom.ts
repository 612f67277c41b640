import { isPattern } from '../../shared/adapters/files/config-glob';
import type { HeadroomConfig } from '../../shared/core/config/config';
import type { OverrideDecision } from '../../shared/core/respond';
import { defaultZone, withMoments } from '../../shared/drawing/local-time';
import { overrideSize } from '../../shared/drawing/size-text';
import { sendOverride } from '../functions/access';
import { openAccess } from '../functions/open-access';
import { overrideText, supersededText } from '../functions/override-text';
import type { AccessOptions } from '../input/access-options';
import { collectErrors } from '../input/collect-errors';
import { commandsFor } from '../input/commands';
import { loadOrFail, poolOrFail } from '../input/load-or-fail';
import { readDuration } from '../input/time';
import { overClusters, type Said } from '../many/over-clusters';
import { EXIT, InputError } from '../terminal/exit';
import { coarse } from '../terminal/relative-time';
import { confirm, jsonText, type Terminal } from '../terminal/terminal';
import { wrapAfter } from '../terminal/wrap';
import { buildOverride, largeOverride, type OverrideOptions, optionOf, type RequestedSize } from './build-override';
import { decisionText, endText, type OverrideEnd, type Waited } from './messages';
import { waitReady } from './wait-ready';

export interface InflateOptions extends AccessOptions, OverrideOptions {
  readonly wait: boolean;
  readonly timeout: string;
  readonly yes?: boolean;
}

export async function inflate(name: string, options: InflateOptions, terminal: Terminal): Promise<number> {
  if (isPattern(options.config))
    return overClusters(options, terminal, {
      run: (one, quiet) => inflate(name, one, quiet),
      said: saidOf,
      alone: ['kubeconfig', 'function', 'stack'],
      writes: (config, one) => {
        const pool = poolOrFail(config, name);
        const commands = commandsFor(one, terminal);
        const { requested } = buildOverride(one, pool, { user: terminal.user(), commands });
        return `${name}: ${overrideSize(requested)} for ${one.for}`;
      },
      yes: options.yes,
      // Every cluster is written to before any of them has waited for its nodes.
      atOnce: Number.POSITIVE_INFINITY,
    });
  const config = loadOrFail(options, terminal);
  const pool = poolOrFail(config, name);
  const commands = commandsFor(options, terminal);
  const [{ requested, seconds, request }, timeoutMs] = collectErrors(
    () => buildOverride(options, pool, { user: terminal.user(), commands }),
    () => readDuration(options.timeout, '--timeout') * 1_000,
  );
  const access = await openAccess(options, config, terminal);
  const large = options.yes ? undefined : largeOverride(requested, pool);
  if (large) {
    const text = large(requested.mode === 'addNodes' ? await access.countNodes?.(pool) : undefined);
    await confirm(`${name}: ${text}. Continue?`, `${text}; add --yes to confirm`, terminal);
  }
  const { decisions, at: sentAt } = await sendOverride(access, request).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    // The handler names fields of the request; the user gave options.
    throw new InputError(error.message.replaceAll(requested.mode, optionOf(requested, pool)));
  });
  const decision = decisions.find((one) => one.headroom === name);
  if (!decision) throw new Error(`${access.place} returned no decision for ${name}`);
  const at = Date.parse(sentAt);
  const print = (first: string, text: string) => {
    const readable = withMoments(text, defaultZone(pool.windows), access.now());
    terminal.out(`${wrapAfter(first, '  ', readable, terminal.width).join('\n')}\n`);
  };
  if (!options.json) announce(decision, requested, print);
  if (decision.supersededBy) {
    if (options.json) terminal.out(jsonText({ decision }));
    return EXIT.failed;
  }
  const until = at + seconds * 1_000;
  const waiting = {
    pool,
    override: { ...requested, until },
    namespace: config.cluster.namespace,
    // Rounded down to the second, like the cluster's own timestamps.
    since: Math.floor(at / 1_000) * 1_000,
    until,
    timeoutMs,
    quiet: options.json === true,
  };
  const waited = options.wait ? await waitReady(access, waiting, terminal) : undefined;
  if (options.json) {
    const result = { decision, until: new Date(until).toISOString(), ...(waited && { waited }) };
    terminal.out(jsonText(result));
  } else {
    const release = commands.headstart('release', name);
    printEnd(pool, { until, now: access.now(), waited, release }, options, terminal);
  }
  const came = waited === undefined || waited.kind === 'ready' || waited.kind === 'interrupted';
  return came ? EXIT.ok : EXIT.failed;
}

function announce(
  decision: OverrideDecision,
  requested: RequestedSize,
  print: (first: string, text: string) => void,
): void {
  print('', decisionText(decision, requested));
  const { replaced, supersededBy } = decision;
  if (supersededBy) print('  ', supersededText(supersededBy));
  if (replaced) print('  ', `replaced the override ${overrideText(replaced)}`);
}

function printEnd(pool: HeadroomConfig, end: OverrideEnd, { config, env }: InflateOptions, terminal: Terminal): void {
  const { waited } = end;
  terminal.out(`${wrapAfter('', '  ', endText(pool, end), terminal.width).join('\n')}\n`);
  if (waited === undefined || waited.kind === 'ready' || waited.kind === 'replaced') return;
  const direct = { config, ...(env !== undefined && { env }), kubeconfig: 'FILE' };
  const ask = commandsFor(direct, terminal).headstart('status', pool.name);
  const why = waited.why.length > 0 ? waited.why : [`to see why, run ${ask}`];
  for (const line of why) terminal.err(`${wrapAfter(`${pool.name}: `, '  ', line, terminal.width).join('\n')}\n`);
}

/** Of one cluster of many. */
function saidOf({ decision, waited }: { readonly decision: OverrideDecision; readonly waited?: Waited }): Said {
  const { headroom, from, replicas, supersededBy } = decision;
  const size = `${headroom} ${from === replicas ? `already ${replicas}` : `${from} → ${replicas}`}`;
  if (supersededBy) return { text: `${size}; ${supersededText(supersededBy)}`, trouble: 1 };
  if (!waited) return { text: size, trouble: 0 };
  const { kind, ready, wanted, why } = waited;
  const came = `${kind === 'ready' ? '' : `${kind}: `}${ready} of ${wanted} ready after ${coarse(waited.afterMs)}`;
  return { text: [`${size}, ${came}`, ...why].join('; '), trouble: kind === 'ready' ? 0 : 1 };
}
