import type { Config } from '../../shared/core/config/config';
import { amount } from '../../shared/drawing/amounts';
import { type Figures, figuresOf, headroomBy } from '../learning/backtest';
import { between, endOf, riseOf } from '../learning/demand';
import { percent } from './percent';
import type { Suggestion } from './suggestion';

const WEEK = 7 * 86_400_000;

/** What a config of a week ago did on the days since, by NodePool. */
export function lastWeek(
  suggestions: readonly Pick<Suggestion, 'pool' | 'history' | 'leadMinutes'>[],
  { headrooms }: Config,
): ReadonlyMap<string, Figures> {
  return new Map(
    suggestions.flatMap(({ pool, history, leadMinutes }) => {
      const then = headrooms.find(({ name }) => name === pool);
      if (!then) return [];
      const past = between(history.demand, endOf(history.demand) - WEEK, endOf(history.demand));
      const headroom = headroomBy({ ...then, floor: then.unit.kind === 'floor' }, past);
      return [[pool, figuresOf(headroom, riseOf(past, then.leadMinutes || leadMinutes))]];
    }),
  );
}

export function lastWeekText(figures: ReadonlyMap<string, Figures>): string {
  return [...figures]
    .map(
      ([pool, { share, hours }]) =>
        `${pool}: in the last 7 days the config of a week ago covered ${percent(share)} of the rise and held ${amount(hours)} node-hours.\n`,
    )
    .join('');
}

export function lastWeekJson(figures: ReadonlyMap<string, Figures>) {
  return figures.size === 0 ? {} : { lastWeek: Object.fromEntries(figures) };
}
