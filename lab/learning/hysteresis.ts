import type { CronWindow } from '../../shared/core/windows/window';
import { type Figures, figuresOf, headroomBy, type Plan } from './backtest';
import { between, type Demand, endOf, riseOf, risesAbove } from './demand';
import type { Lesson } from './learn';
import type { ProposedWindow } from './proposal';

const JUDGED_MS = 14 * 86_400_000;
/** What windows in place may cover less, and hold more, than new ones before they are replaced. */
const NEWS = { share: 0.005, held: 1.2, hours: 10 };
/** The same for a single window that stays when others change; what it misses adds up with what the others miss. */
const CLOSE = { share: 0.001, held: 1.03, hours: 0 };

export interface News {
  readonly before: Figures;
  readonly after: Figures;
}

/** The lesson with every window in place that still does, and why the others change; no news means that all stay. */
export function settled(lesson: Lesson, standing: Plan, demand: Demand): Lesson & { readonly news?: News } {
  const figured = recentFigures(lesson, demand);
  const [before, after] = [figured(standing), figured(lesson.plan)];
  const isAsGood = (one: Figures, { share, held, hours }: typeof NEWS) =>
    one.share >= after.share - share && one.hours <= after.hours * held + hours;
  const alike = standing.floor === lesson.plan.floor && standing.leadMinutes === lesson.plan.leadMinutes;
  if (alike && isAsGood(before, NEWS)) return { ...lesson, plan: standing, base: standing.base, windows: [] };
  let kept = lesson;
  const left = new Set(alike ? standing.windows : []);
  for (const [index, one] of lesson.windows.entries())
    for (const old of left) {
      if (!resembles(one, old)) continue;
      const windows = kept.windows.with(index, { ...one, window: old as CronWindow });
      const plan = { ...kept.plan, windows: windows.map(({ window }) => window) };
      if (!isAsGood(figured(plan), CLOSE)) continue;
      kept = { ...kept, windows, plan };
      left.delete(old);
      break;
    }
  return { ...kept, news: { before, after } };
}

/** Whether windows in place cover, without some of them, nearly as much as before, or as those that are learned now. */
export function stillCovers(lesson: Lesson, standing: Plan, left: Plan, demand: Demand): boolean {
  const shareOf = (plan: Plan) => recentFigures(lesson, demand)(plan).share;
  return shareOf(left) >= Math.min(shareOf(standing), shareOf(lesson.plan)) - CLOSE.share;
}

function recentFigures({ plan: { leadMinutes }, score }: Lesson, demand: Demand): (plan: Plan) => Figures {
  const recent = between(demand, endOf(demand) - JUDGED_MS, endOf(demand));
  const rise = risesAbove(riseOf(recent, leadMinutes), score.above);
  return (plan) => figuresOf(headroomBy(plan, recent), rise);
}

function resembles({ window }: ProposedWindow, old: Plan['windows'][number]): boolean {
  if (old.kind !== 'cron' || old.timezone !== window.timezone || old.relative !== window.relative) return false;
  return daysOf(old.startText) === daysOf(window.startText) && daysOf(old.endText) === daysOf(window.endText);
}

function daysOf(cron: string): string | undefined {
  return cron.split(' ').at(-1);
}
