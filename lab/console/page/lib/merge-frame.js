/** @import { Snapshot } from '../../snapshot/snapshot' */

/**
 * A snapshot from the one before and what has changed since: a headroom, node or pod that is the same comes as its name,
 * and a headroom without a timeline, plan or bands that are the same.
 * @param {Snapshot | undefined} before @param {any} frame @returns {Snapshot}
 */
export function mergeFrame(before, frame) {
  const merged = { ...frame };
  for (const list of /** @type {const} */ (['pools', 'nodes', 'pods'])) {
    const known = new Map(before?.[list].map((item) => [item.name, item]));
    merged[list] = frame[list].map((/** @type {any} */ item) =>
      typeof item === 'string'
        ? known.get(item)
        : list === 'pools'
          ? { ...heavyOf(known.get(item.name)), ...item }
          : item,
    );
  }
  return merged;
}

/** @param {any} pool */
const heavyOf = ({ timeline = [], plan = [], bands = [] } = {}) => ({ timeline, plan, bands });
