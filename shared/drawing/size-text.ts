import { SIZES } from '../core/basics/reasons';
import type { Override } from '../core/record/record';
import { count } from './amounts';

export interface Planned {
  readonly replicas: number;
  readonly uncounted?: number | undefined;
  readonly lacks?: readonly string[] | undefined;
}

/** A size that may still depend on nodes or replicas to be counted: `6`, `+6`, `10 +4`, `?`, `10 +?`. */
export function plannedText({ replicas, uncounted, lacks }: Planned): string {
  if (lacks) return replicas === 0 ? '?' : `${replicas} +?`;
  if (uncounted === undefined) return String(replicas);
  return replicas === 0 ? `+${uncounted}` : `${replicas} +${uncounted}`;
}

type Sized = Pick<Override, 'mode' | 'replicas' | 'counted' | 'share' | 'of'>;

/** `at least 6`, `exactly 0`, `at least 50 % of 40 replicas`, `10 nodes + 6 = 16`, `+6 nodes`. */
export function overrideSize({ mode, replicas, counted, share, of }: Sized): string {
  const size = share === undefined ? replicas : `${share} %${of ? ` of ${count(of.replicas, 'replica')}` : ''}`;
  if (mode !== 'addNodes') return `${mode === 'exactly' ? 'exactly' : 'at least'} ${size}`;
  return counted ? SIZES.counted(counted, replicas) : `+${count(replicas, 'node')}`;
}
