/** @typedef {import('../../snapshot/snapshot').Snapshot} Snapshot */
/** @typedef {import('../../snapshot/snapshot').Command} Command */

/**
 * The address that shows this run at this moment to somebody else with the same config.
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
  const did = run.did.filter(({ at }) => at <= clock.now);
  if (did.length > 0) link.searchParams.set('did', JSON.stringify(did));
  return link.href;
}

/**
 * What an address asks to see again; nothing where it names no scenario.
 * @param {string} search @returns {Command | undefined}
 */
export function replayOf(search) {
  const asked = new URLSearchParams(search);
  const scenario = asked.get('scenario');
  if (!scenario) return undefined;
  const [at, start, did] = [asked.get('at'), asked.get('start'), asked.get('did')];
  return {
    kind: 'replay',
    scenario,
    seed: Number(asked.get('seed') ?? 1),
    at: Date.parse(at ?? ''),
    ...(start && { start: Date.parse(start) }),
    ...(did && { did: readDid(did) }),
  };
}

/** What cannot be read stays a text, which the server refuses: without it this would be another run. @param {string} text */
function readDid(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
