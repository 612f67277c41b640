import { isPattern } from '../../shared/adapters/files/config-glob';
import type { OverrideDecision, OverrideResponse } from '../../shared/core/respond';
import { defaultZone, withMoments } from '../../shared/drawing/local-time';
import { plannedText } from '../../shared/drawing/size-text';
import { sendOverride } from '../functions/access';
import { openAccess } from '../functions/open-access';
import { overrideText, supersededText } from '../functions/override-text';
import type { AccessOptions } from '../input/access-options';
import { commandsFor } from '../input/commands';
import { loadOrFail, poolOrFail } from '../input/load-or-fail';
import { overClusters, type Said } from '../many/over-clusters';
import { EXIT, InputError } from '../terminal/exit';
import { relative } from '../terminal/relative-time';
import { jsonText, type Terminal } from '../terminal/terminal';
import { wrapAfter } from '../terminal/wrap';

export interface ReleaseOptions extends AccessOptions {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly by?: string;
  readonly reason?: string;
}

export async function release(name: string | undefined, options: ReleaseOptions, terminal: Terminal): Promise<number> {
  if (isPattern(options.config))
    return overClusters(options, terminal, {
      run: (one, quiet) => release(name, one, quiet),
      said: saidOf,
      alone: ['kubeconfig', 'function', 'stack'],
      writes: (config) => {
        if (name !== undefined) poolOrFail(config, name);
        return `release ${name ?? 'every headroom'}`;
      },
      yes: options.yes,
    });
  const config = loadOrFail(options, terminal);
  if ((name === undefined) === (options.all !== true))
    throw new InputError(
      `release needs one headroom or --all; for example ${commandsFor(options, terminal).headstart('release', config.headrooms[0]?.name ?? '--all')}`,
    );
  if (name !== undefined) poolOrFail(config, name);
  const access = await openAccess(options, config, terminal);
  const response = await sendOverride(access, {
    headroom: name ?? '*',
    release: true,
    by: options.by ?? terminal.user(),
    ...(options.reason !== undefined && { reason: options.reason }),
  });
  if (options.json) {
    terminal.out(jsonText(response));
    return exitCode(response);
  }
  for (const decision of response.decisions) {
    const windows = config.headrooms.find((one) => one.name === decision.headroom)?.windows ?? [];
    const [zone, now] = [defaultZone(windows), access.now()];
    const text = withMoments(releaseText(decision, now), zone, now);
    terminal.out(`${wrapAfter(`${decision.headroom}: `, '  ', text, terminal.width).join('\n')}\n`);
  }
  return exitCode(response);
}

function exitCode({ decisions }: OverrideResponse): number {
  return decisions.some(({ supersededBy }) => supersededBy) ? EXIT.failed : EXIT.ok;
}

/** Of one cluster of many. */
function saidOf({ decisions }: OverrideResponse): Said {
  const changes = decisions.map(({ headroom, from, replicas, supersededBy }) => {
    const size = from === replicas ? `stays ${replicas}` : `${from} → ${replicas}`;
    return `${headroom} ${size}${supersededBy ? `; ${supersededText(supersededBy)}` : ''}`;
  });
  return { text: changes.join('; '), trouble: decisions.filter(({ supersededBy }) => supersededBy).length };
}

function releaseText(decision: OverrideDecision, now: number): string {
  const { from, replicas, reasons, replaced, supersededBy, next } = decision;
  const size = from === replicas ? `stays ${replicas}` : `${from} → ${replicas}`;
  if (supersededBy) return `${size} (${reasons.join('; ')}); ${supersededText(supersededBy)}`;
  const ended = replaced ? `ended the override ${overrideText(replaced)}` : 'there was no override to end';
  return [`${size} (${reasons.join('; ')})`, ended, ...(next ? [nextText(next, now)] : [])].join('; ');
}

function nextText({ at, addNodes, ...size }: NonNullable<OverrideDecision['next']>, now: number): string {
  return `next ${plannedText({ ...size, uncounted: addNodes })} from ${at} (${relative(Date.parse(at), now)})`;
}
