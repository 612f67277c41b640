import { count } from '../../../shared/drawing/amounts';
import { figuresText } from '../../../shared/drawing/headroom-figures';
import type { HeadroomTotal, PoolView } from './snapshot';

/** All headrooms together: in units if they have the same, else how many of the headrooms are all ready. */
export function totalOf(pools: readonly PoolView[]): HeadroomTotal {
  const asked = pools.filter(({ wanted }) => wanted > 0);
  const [first] = asked;
  if (!first) return { ready: 0, wanted: 0, noun: 'headrooms', inUse: 0, free: 0, text: 'none wanted now' };
  if (asked.every(({ noun, kind }) => noun === first.noun && (kind === 'floor') === (first.kind === 'floor'))) {
    const sum = (of: 'wanted' | 'ready' | 'inUse' | 'free' | 'missing' | 'leaving') =>
      asked.reduce((total, pool) => total + pool[of], 0);
    const figures = {
      ...{ wanted: sum('wanted'), ready: sum('ready'), inUse: sum('inUse'), free: sum('free') },
      ...{ missing: sum('missing'), leaving: sum('leaving') },
      ...(asked.some(({ useUnknown }) => useUnknown) && { useUnknown: true as const }),
    };
    return { ...figures, noun: `${first.noun}s`, text: figuresText(figures, first.noun) };
  }
  const short = asked.filter(({ ready, wanted }) => ready < wanted);
  const ready = asked.length - short.length;
  const text = short.length > 0 ? `${count(short.length, 'headroom')} short` : 'all ready';
  return { ready, wanted: asked.length, noun: 'headrooms', inUse: 0, free: ready, text };
}
