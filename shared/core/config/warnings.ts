import type { Config, NodePoolConfig } from './config';
import { DEFAULTS } from './defaults';
import { type Located, problemAt } from './located';
import type { Problem } from './problem';

const ARCH = 'kubernetes.io/arch';

/** What is allowed but probably not meant. */
export function warningsOf(config: Config, tree: Located): Problem[] {
  return config.nodePools.flatMap((pool) => {
    const path = ['nodePools', pool.name];
    return [
      ...warn(tree, [...path, 'max'], noRoom(pool)),
      ...warn(tree, [...path, 'leadTime'], shortLead(pool)),
      ...warn(tree, [...path, 'pool', 'arch'], mixedArchitectures(pool)),
    ];
  });
}

function warn(tree: Located, path: readonly PropertyKey[], message: string | undefined): Problem[] {
  return message === undefined ? [] : [problemAt(tree, path, message)];
}

function noRoom({ base, max, windows, alarms, interruptions }: NodePoolConfig): string | undefined {
  const planned = Math.max(base, ...windows.map(({ replicas }) => replicas));
  const extra = alarms.reduce((sum, { add }) => sum + add, 0) + (interruptions?.max ?? 0);
  if (extra === 0 || planned + extra <= max) return undefined;
  return `is ${max}: windows and base ask for ${planned}, boosts and surges for up to ${extra} more; write ${planned + extra} or they will be cut`;
}

function shortLead({ leadMinutes, windows }: NodePoolConfig): string | undefined {
  if (windows.length === 0 || leadMinutes >= 2) return undefined;
  const got = leadMinutes === 0 ? `is ${DEFAULTS.leadTime}` : 'is 1m';
  return `${got}: a node takes about a minute and schedules fire up to a minute late, so the nodes will not be ready when a window opens; write 5m`;
}

function mixedArchitectures({ pool, nodeSelector, nodeAffinity }: NodePoolConfig): string | undefined {
  if (new Set(pool?.arch).size < 2) return undefined;
  if (ARCH in nodeSelector || nodeAffinity.some(({ key }) => key === ARCH)) return undefined;
  return `mixes architectures and does not say which one the headroom is for; write nodeSelector: {${ARCH}: amd64}`;
}
