import { InvalidOverrideError } from '../basics/errors';
import { type Config, type HeadroomConfig, noHeadroomText } from '../config/config';
import type { OverrideEvent } from '../events/event';
import { quote } from '../events/event-fields';
import type { Intent } from './intent';

export type OverrideIntents = typeof overrideIntents;

/** Checks an override against the config: the headroom must exist, and the size be within its `max`. */
export function overrideIntents({ headroom, ask }: OverrideEvent, config: Config): readonly Intent[] {
  const pools = poolsOf(headroom, ask, config);
  if (ask.kind === 'release') {
    const { kind, ...release } = ask;
    return pools.map(({ name }) => ({ kind, headroom: name, release }));
  }
  const { kind, ...override } = ask;
  return pools.map((pool): Intent => {
    const { mode, replicas, share } = override;
    if (share !== undefined && !pool.like)
      throw new InvalidOverrideError(
        `${mode} ${share}% is a share of a workload, and the unit of ${pool.name} names none; write a number`,
      );
    if (mode === 'addNodes' && pool.unit.kind !== 'floor')
      throw new InvalidOverrideError(
        `addNodes requires a floor, and ${pool.name} has ${pool.unit.kind} units; write atLeast with the size that you want in all`,
      );
    if (replicas > pool.max)
      throw new InvalidOverrideError(
        `${mode} ${replicas} is above max ${pool.max} of ${pool.name}; write at most ${pool.max}, or raise max in the config and deploy`,
      );
    return { kind, headroom: pool.name, override };
  });
}

function poolsOf(headroom: string | undefined, ask: OverrideEvent['ask'], config: Config): readonly HeadroomConfig[] {
  const { headrooms } = config;
  const names = headrooms.map(({ name }) => name).join(', ');
  if (headroom === undefined) throw new InvalidOverrideError(`override names no headroom; write one of ${names}`);
  if (headroom === '*') {
    if (ask.kind === 'override' && ask.mode !== 'exactly')
      throw new InvalidOverrideError(`headroom "*" requires exactly or release; write one headroom for ${ask.mode}`);
    return headrooms;
  }
  const pool = headrooms.find(({ name }) => name === headroom);
  if (!pool) throw new InvalidOverrideError(`headroom ${quote(headroom)} ${noHeadroomText(headroom, config)}`);
  return [pool];
}
