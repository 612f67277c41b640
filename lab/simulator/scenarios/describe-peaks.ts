import type { Config } from '../../../shared/core/config/config';
import { extraPods } from './demand-curve';

const MAX_NAMED = 3;

/** A sentence that names the windows of the user's config. */
export function describePeaks({ headrooms }: Config): string {
  const windows = headrooms.flatMap((pool) =>
    pool.windows.map((window) => `${window.name} (${extraPods(pool, window)} pods in ${pool.name})`),
  );
  if (windows.length === 0) return 'This config has no windows, so no headroom is scheduled: add schedules to see it.';
  const more = windows.length > MAX_NAMED ? ` and ${windows.length - MAX_NAMED} more` : '';
  return `In this config: ${windows.slice(0, MAX_NAMED).join(', ')}${more}.`;
}

export function podsStart(pods: number): string {
  return pods === 1 ? '1 pod starts' : `${pods} pods start`;
}

export function hasFloors({ headrooms }: Config): boolean {
  return headrooms.some(({ unit }) => unit.kind === 'floor');
}

export function podText(config: Config): string {
  return hasFloors(config)
    ? 'Each pod requests one unit; where that is a floor, most of a node.'
    : 'Each pod requests exactly one unit.';
}
