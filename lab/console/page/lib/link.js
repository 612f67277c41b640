/** @import { Snapshot } from '../../snapshot/snapshot' */
/** @import { Command } from '../../snapshot/page-command' */

/**
 * A link that reproduces this run up to this moment, given the same config.
 * @param {Snapshot} snapshot @param {string} base
 */
export function linkTo({ scenario, run, clock }, base) {
  const link = new URL(base);
  link.search = '';
  if (!scenario || !run) return link.href;
  link.searchParams.set('scenario', scenario.id);
  link.searchParams.set('seed', String(run.seed));
  link.searchParams.set('start', new Date(run.start).toISOString());
  link.searchParams.set('at', new Date(clock.now).toISOString());
  const actions = run.actions.filter(({ at }) => at <= clock.now);
  if (actions.length > 0) link.searchParams.set('did', JSON.stringify(actions));
  return link.href;
}

/**
 * The command that replays a link; `undefined` if it names no scenario.
 * @param {string} search @returns {Command | undefined}
 */
export function replayOf(search) {
  const params = new URLSearchParams(search);
  const scenario = params.get('scenario');
  if (!scenario) return undefined;
  const [at, start, actions] = [params.get('at'), params.get('start'), params.get('did')];
  return {
    kind: 'replay',
    scenario,
    seed: Number(params.get('seed') ?? 1),
    at: Date.parse(at ?? ''),
    ...(start && { start: Date.parse(start) }),
    ...(actions && { actions: readActions(actions) }),
  };
}

/** Passes text that is not JSON on, so that the server refuses it: without its actions this would be another run. @param {string} text */
function readActions(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
