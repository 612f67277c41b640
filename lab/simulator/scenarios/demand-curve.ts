import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import { endsOf, startsOf } from '../../../shared/core/windows/edges';
import { isOpen } from '../../../shared/core/windows/is-open';
import type { Window } from '../../../shared/core/windows/window';
import type { Action, Scenario, Setting } from './scenario';

/** An occurrence of a window, or another peak of demand. */
export interface Occasion {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly replicas: number;
}

export interface CurveStep {
  readonly at: number;
  readonly pods: number;
  /** What a person would watch for. */
  readonly says?: string;
}

/** The demand over one occasion: the number of pods from `at` on, in addition to the base load. The last one is 0. */
export type Curve = (occasion: Occasion) => readonly CurveStep[];

const HOUR = 3_600_000;
/** Longer occasions are cut off. */
const MAX_LENGTH_MS = 24 * HOUR;
const MAX_OCCURRENCES = 500;

/** Pods that run day and night: a third of the largest peak, and at least one. */
export function baseLoad({ windows, base, max }: HeadroomConfig): number {
  const peak = Math.max(base, ...windows.map(({ replicas }) => replicas));
  return Math.max(1, Math.ceil((peak === 0 ? max : peak) / 3));
}

/** Pods that a window plans for in addition to the base load, whose nodes a floor includes. */
export function extraPods(pool: HeadroomConfig, { replicas, relative }: Window): number {
  const counted = pool.unit.kind === 'floor' && !relative;
  return counted ? Math.max(1, replicas - baseLoad(pool)) : replicas;
}

/** Every occurrence of the pool's windows that touches `[from, to)`. */
export function occasionsOf(pool: HeadroomConfig, from: number, to: number): readonly Occasion[] {
  return pool.windows.flatMap((window) => {
    const [starts, ends] = [startsOf(window), endsOf(window)];
    const found: Occasion[] = [];
    let start = starts.next(from - MAX_LENGTH_MS);
    while (start !== undefined && start < to && found.length < MAX_OCCURRENCES) {
      const end = Math.min(ends.next(start) ?? start + HOUR, start + MAX_LENGTH_MS);
      found.push({ name: window.name, start, end, replicas: extraPods(pool, window) });
      // Starts within an open window are ignored.
      start = starts.next(Math.max(start, end - 1));
    }
    return found;
  });
}

/** The demand of one pool in `[from, to)`: the base load plus the largest of the occasions. */
export function demandActions(
  pool: HeadroomConfig,
  occasions: readonly Occasion[],
  curve: Curve,
  span: { readonly from: number; readonly to: number },
): Action[] {
  const { from, to } = span;
  const curves = occasions.map(curve);
  const times = new Set(curves.flatMap((steps) => steps.map(({ at }) => at)).filter((at) => at > from && at < to));
  const always = baseLoad(pool);
  const actions: Action[] = [];
  let before: number | undefined;
  for (const at of [from, ...[...times].sort((a, b) => a - b)]) {
    const pods = always + Math.max(0, ...curves.map((steps) => steps.findLast((step) => step.at <= at)?.pods ?? 0));
    const text = curves.flatMap((steps) => steps.find((step) => step.at === at)?.says ?? [])[0];
    const moment = text !== undefined && { moment: { headroom: pool.name, text } };
    if (pods !== before) actions.push({ kind: 'demand', at, pool: pool.name, pods, ...moment });
    before = pods;
  }
  return actions;
}

/**
 * Three minutes before headroom for a window is next requested: for one that has the scenario's name, if there is any;
 * `after` itself without windows.
 */
export function beforeFirstEdge({ headrooms }: Config, after: number, id: string): number {
  const isNamed = ({ name }: Window) => name.includes(id);
  const anyNamed = headrooms.some(({ windows }) => windows.some(isNamed));
  const edges = headrooms.flatMap(({ windows, leadMinutes }) =>
    windows
      .filter((window) => !anyNamed || isNamed(window))
      .map((window) => {
        const start = startsOf(window).next(after + leadMinutes * 60_000);
        return start === undefined ? Number.POSITIVE_INFINITY : start - leadMinutes * 60_000;
      }),
  );
  const first = Math.min(Number.POSITIVE_INFINITY, ...edges);
  return first === Number.POSITIVE_INFINITY ? after : Math.max(after, first - 3 * 60_000);
}

/** The next two hours without an open window, if there are any within two days. */
export function quietTime({ headrooms }: Config, after: number): number {
  const windows = headrooms.flatMap(({ windows: own, leadMinutes }) => own.map((window) => ({ window, leadMinutes })));
  for (let at = after; at < after + 48 * HOUR; at += HOUR / 2) {
    const moments = [0, 1, 2, 3, 4].map((half) => at + (half * HOUR) / 2);
    const busy = windows.some(({ window, leadMinutes }) => moments.some((one) => isOpen(window, one, leadMinutes)));
    if (!busy) return at;
  }
  return after;
}

export function perPool(
  actionsOf: (setting: Setting, pool: HeadroomConfig, from: number, to: number) => readonly Action[],
): Scenario['actions'] {
  return (setting, from, to) =>
    setting.config.headrooms
      .flatMap((pool) => actionsOf(setting, pool, from, to))
      // The sort is stable.
      .sort((a, b) => a.at - b.at);
}

export function windowPeaks(curveOf: (seed: number, pool: HeadroomConfig) => Curve): Scenario['actions'] {
  return perPool(({ seed }, pool, from, to) =>
    demandActions(pool, occasionsOf(pool, from, to), curveOf(seed, pool), { from, to }),
  );
}
