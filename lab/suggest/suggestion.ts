import { InputError } from '../../cli/terminal/exit';
import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import { type Figures, figuresOf, headroomBy, type Plan, sizeFor } from '../learning/backtest';
import { between, type Demand, endOf, risesAbove } from '../learning/demand';
import { type History, HistoryError, historyOf, type Samples } from '../learning/demand-history';
import { type News, settled, stillCovers } from '../learning/hysteresis';
import type { LearnOptions, Lesson } from '../learning/learn';
import type { HeadroomShape } from '../learning/proposal';
import { isFlat, type Retirement, retirementOf } from '../learning/retire';
import type { Verdict } from '../learning/rhythm';
import { chooseZone, type ZoneChoice } from '../learning/zone-choice';
import { type Backtest, judgedAt, planOf, rememberedVerdict, weekly } from './judge-night';
import { refuseOwnRises } from './own-requests';
import ZONES from './region-zones.json';

const DAY = 86_400_000;
const DEFAULT_LEAD_MINUTES = 5;
const MIN_DAYS = 2;
/** The shares of the rise for which the cost of a base is shown. */
const CURVE = [0.9, 0.95, 0.99];
/** No rise is this many times what the config allows. */
const OTHER_UNITS = 50;

export interface SuggestSettings {
  readonly leadMinutes?: number | undefined;
  readonly cover: number;
  readonly most: number;
  readonly learnDays: number;
  readonly timezone?: string | undefined;
  readonly shape?: HeadroomShape | undefined;
  /** Proposes a base that covers this share of the rise, and no windows. */
  readonly base?: number | undefined;
  /** Proposes windows even where their rhythm is weak or missing. */
  readonly anyway?: boolean | undefined;
  /** The option that the history is from, unless it is known to be that of work. */
  readonly source?: string | undefined;
}

/** What a base costs that covers a share of the rise. */
export interface BaseCost extends Figures {
  readonly base: number;
}

export interface Suggestion {
  readonly pool: string;
  readonly config?: HeadroomConfig;
  readonly history: History;
  readonly lesson: Lesson;
  readonly zone: ZoneChoice;
  readonly leadMinutes: number;
  /** `none`: nothing can be learned that a person should merge. `keep`: windows in place still do. `retire`: some do not. */
  readonly advice: 'change' | 'keep' | 'none' | 'retire';
  /** What tonight alone would say, where the verdict is another because of the nights before. */
  readonly tonight?: Verdict;
  /** The proposal itself, on the days that it was learned from. */
  readonly learned: Figures;
  /** What each proposed window adds to that. */
  readonly gains: readonly Figures[];
  /** Bases instead of windows, on the same days. */
  readonly curve: readonly BaseCost[];
  /** Why windows in place should change. */
  readonly news?: News;
  /** Windows in place that should be removed or shrunk. */
  readonly retirement?: Retirement;
  readonly backtest: Backtest;
}

/** Learns from one NodePool's history, and tests what it learns on the last part of it. */
export function suggestFor(pool: string, samples: Samples, config: Config, settings: SuggestSettings): Suggestion {
  const own = config.headrooms.find(({ name }) => name === pool);
  const history = historyOrFail(pool, samples);
  const { demand } = history;
  const days = (endOf(demand) - demand.from) / DAY;
  if (days < MIN_DAYS)
    throw new InputError(`pool ${pool}: has ${days.toFixed(1)} days of history; give at least ${MIN_DAYS}, better 14`);
  if (own && settings.source !== undefined) refuseOwnRises(demand, own, settings.source);
  const zone = settings.timezone ? { timezone: settings.timezone } : chooseZone(demand, zonesOf(config, own));
  // Without a lead time, nodes are requested when a window starts and always come too late.
  const leadMinutes = settings.leadMinutes ?? (own?.leadMinutes || DEFAULT_LEAD_MINUTES);
  const options: LearnOptions = {
    ...settings,
    ...zone,
    leadMinutes,
    ...shapesOf(settings.shape, own),
    ...(own && { max: own.max }),
  };
  const tonight = judgedAt(endOf(demand), demand, own, options, settings);
  if (own) refuseOtherUnits(pool, tonight.fresh, own);
  const verdict = isAsked(settings) ? tonight.verdict : rememberedVerdict(tonight, demand, own, options, settings);
  return {
    pool,
    ...(own && { config: own }),
    history,
    zone,
    leadMinutes,
    ...advised({ ...tonight.fresh, verdict }, demand, own, settings),
    ...(verdict !== tonight.verdict && { tonight: tonight.verdict }),
    backtest: tonight.backtest,
  };
}

/** A person has chosen what to propose, whatever the verdict. */
function isAsked({ base, anyway }: SuggestSettings): boolean {
  return base !== undefined || anyway === true;
}

type Advised = Pick<Suggestion, 'lesson' | 'advice' | 'learned' | 'gains' | 'curve' | 'news' | 'retirement'>;

/** What to write into the config, if anything, with what it does on the days that it was learned from. */
function advised(fresh: Lesson, demand: Demand, own: HeadroomConfig | undefined, settings: SuggestSettings): Advised {
  const known = between(demand, endOf(demand) - settings.learnDays * DAY, endOf(demand));
  const { plan } = fresh;
  const rise = risesAbove(fresh.rise, fresh.score.above);
  const { leadMinutes, floor } = plan;
  const figured = (plan: Plan) => weekly(figuresOf(headroomBy(plan, known), rise), known);
  const constant = (base: number): Plan => ({ floor, base, leadMinutes, windows: [] });
  const least = sizeFor(rise, floor ? known.values : undefined);
  const withBase = (share: number) => Math.min(own?.max ?? Number.POSITIVE_INFINITY, least(share));
  const curve = CURVE.map(withBase).map((base) => ({ base, ...figured(constant(base)) }));
  const result = (lesson: Lesson, advice: Suggestion['advice'], news?: News): Advised => {
    const all = figured(lesson.plan);
    const gains = lesson.windows.map(({ window }) => {
      const without = figured({ ...lesson.plan, windows: lesson.plan.windows.filter((one) => one !== window) });
      return { share: all.share - without.share, hours: all.hours - without.hours };
    });
    return { lesson, advice, learned: all, gains, curve, ...(news && { news }) };
  };
  if (settings.base !== undefined) {
    const base = withBase(settings.base);
    return result({ ...fresh, base, windows: [], plan: constant(base) }, 'change');
  }
  const standing = own && planOf(own);
  if (!standing?.windows.some(({ kind }) => kind === 'cron'))
    return result(fresh, fresh.verdict === 'clear' || settings.anyway ? 'change' : 'none');
  const retire = (otherwise: Advised): Advised => {
    const rules = { leadMinutes, max: own?.max ?? 0, above: fresh.score.above };
    const retirement = retirementOf(standing, demand, rules);
    if (!retirement) return otherwise;
    const { plan, after } = retirement;
    const retired = { ...fresh, plan, base: plan.base, windows: [] };
    return { ...otherwise, lesson: retired, advice: 'retire', learned: after, retirement };
  };
  const flat = isFlat(demand, { leadMinutes });
  if (!settings.anyway && (fresh.verdict !== 'clear' || flat)) return retire(result(fresh, 'none'));
  const { news, ...lesson } = settled(fresh, standing, known);
  if (news) return result(lesson, 'change', news);
  const kept = result(lesson, 'keep');
  const retired = retire(kept);
  // What would be learned again stays.
  return stillCovers(fresh, standing, retired.lesson.plan, known) ? retired : kept;
}

/** Demand in millicores, say, would fill any config with its max. */
function refuseOtherUnits(pool: string, { highest }: Lesson, { max }: HeadroomConfig): void {
  if (highest <= max * OTHER_UNITS) return;
  throw new InputError(
    `pool ${pool}: demand climbs by ${Math.round(highest)} at once, and max is ${max}; is the history in units of headroom? Divide it (--per-unit 1000 for millicores of one-core units), or raise max`,
  );
}

function historyOrFail(pool: string, samples: Samples): History {
  try {
    return historyOf(samples);
  } catch (error) {
    if (error instanceof HistoryError) throw new InputError(`pool ${pool}: ${error.message}`);
    throw error;
  }
}

/** The pool's own zones first, then those of the file, then where the cluster is. */
function zonesOf({ headrooms, cluster }: Config, own: HeadroomConfig | undefined): readonly string[] {
  const zones = [...(own?.windows ?? []), ...headrooms.flatMap(({ windows }) => windows)].map(
    ({ timezone }) => timezone,
  );
  return [...new Set([...zones, zoneOfRegion(cluster.region)])];
}

/** The shapes that the pool's unit allows, with room as the fallback of a floor; a new pool may get any. */
function shapesOf(
  shape: HeadroomShape | undefined,
  own: HeadroomConfig | undefined,
): Pick<LearnOptions, 'shapes' | 'orRoom'> {
  if (shape) return { shapes: [shape] };
  if (!own) return { shapes: ['room', 'more', 'floor'] };
  return own.unit.kind === 'floor' ? { shapes: ['more', 'floor'], orRoom: true } : { shapes: ['room'] };
}

/** The likely time zone of a region's users; only a first guess, see `chooseZone`. */
function zoneOfRegion(region: string): string {
  return Object.entries(ZONES).find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'UTC';
}
