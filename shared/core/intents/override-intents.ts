import { InvalidOverrideError } from '../basics/errors';
import type { Config, NodePoolConfig } from '../config/config';
import type { OverrideEvent } from '../events/event';
import { quote } from '../events/fields';
import type { Intent } from '../record/intent';

/** Checks an override against the config: the NodePool must exist, and the size be within its `max`. */
export function overrideIntents({ nodePool, ask }: OverrideEvent, config: Config): readonly Intent[] {
  const pools = poolsOf(nodePool, ask, config);
  if (ask.kind === 'release') {
    const { kind, ...release } = ask;
    return pools.map(({ name }) => ({ kind, nodePool: name, release }));
  }
  const { kind, ...override } = ask;
  return pools.map((pool): Intent => {
    const { mode, replicas } = override;
    if (mode === 'addNodes' && pool.unit.kind !== 'floor')
      throw new InvalidOverrideError(
        `addNodes goes with a floor only, and ${pool.name} has ${pool.unit.kind} units; write atLeast with the size that you want in all`,
      );
    if (replicas > pool.max)
      throw new InvalidOverrideError(
        `${mode} ${replicas} is above max ${pool.max} of ${pool.name}; write at most ${pool.max}, or raise max in the config and deploy`,
      );
    return { kind, nodePool: pool.name, override };
  });
}

function poolsOf(
  nodePool: string | undefined,
  ask: OverrideEvent['ask'],
  { nodePools }: Config,
): readonly NodePoolConfig[] {
  const names = nodePools.map(({ name }) => name).join(', ');
  if (nodePool === undefined) throw new InvalidOverrideError(`override names no nodePool; write one of ${names}`);
  if (nodePool === '*') {
    if (ask.kind === 'override' && ask.mode !== 'exactly')
      throw new InvalidOverrideError(
        `nodePool "*" goes with exactly or release only; write one nodePool for ${ask.mode}`,
      );
    return nodePools;
  }
  const pool = nodePools.find(({ name }) => name === nodePool);
  if (!pool) throw new InvalidOverrideError(`nodePool ${quote(nodePool)} is not in the config; write one of ${names}`);
  return [pool];
}
