import type { Config, HeadroomConfig } from '../core/config/config';
import { boundText, isShaped, unitText } from '../core/config/unit-text';
import { type PlanStep, planNodePool } from '../core/decision/plan';
import { nodesFor } from '../core/karpenter/nodes-for';
import { nodesTogether } from '../core/occurrences/lead-time';
import { EMPTY_RECORD } from '../core/record/record';
import { startsOf } from '../core/windows/edges';
import { nextChange, openedAt } from '../core/windows/is-open';
import { leadOf, type Window } from '../core/windows/window';
import { exact, type Money, plus, times } from '../pricing/money';
import { type NodePrice, type NodeRequirements, nodePrice } from '../pricing/node-price';
import { defaultZone } from './local-time';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const MAX_SPANS = 5_000;
/** Whole weeks, of which a month has more. */
const FOUR_WEEKS = 28 * 24 * HOUR;
const FOUR_WEEKS_IN_A_MONTH = 365.25 / 12 / 28;

export interface PlanModel {
  readonly clusterName: string;
  readonly from: number;
  readonly to: number;
  /** The zone in which all times are shown. */
  readonly timezone: string;
  readonly pools: readonly PoolPlan[];
}

export interface PoolPlan extends Pick<HeadroomConfig, 'name' | 'unit' | 'base' | 'max' | 'leadMinutes'> {
  readonly timezone: string;
  /** The unit and what `max` bounds, in words. */
  readonly unitText: string;
  readonly bound: string;
  /** The lead time is learned, for so many nodes at once where their size is known, and `leadMinutes` is its start value. */
  readonly autoLead?: { readonly together?: number };
  readonly price?: NodePrice;
  readonly steps: readonly PlannedStep[];
  readonly windows: readonly WindowPlan[];
  readonly figures: PlanFigures;
}

/** A step with the most replicas that it can have. */
export interface PlannedStep extends PlanStep {
  readonly most: number;
}

export interface WindowPlan {
  readonly name: string;
  readonly timezone: string;
  /** `6`, or `+6` for a relative window. */
  readonly size: string;
  readonly rule: string;
  readonly spans: readonly Span[];
}

/** One occurrence of a window, cut to the time that is shown. */
export interface Span {
  /** The start of the lead time. */
  readonly leadFrom: number;
  readonly from: number;
  readonly to: number;
}

export interface PlanFigures {
  readonly peak: number;
  /** The size of one replica is that of a workload's pods, which were not read: hours and cost are not known. */
  readonly unshaped?: true;
  /** A relative window is part of it: its nodes are not counted yet, so hours and cost are the most that is added. */
  readonly relative?: true;
  readonly replicaHours: number;
  /** Absent for slices without minNode. */
  readonly nodeHours?: number;
  /** What holding the peak all the time would take. */
  readonly constantNodeHours?: number;
  /** Absent if no instance type is known to fit. */
  readonly cost?: Money;
  readonly constantCost?: Money;
  /** What a month of four such weeks and a bit costs, from the beginning of the plan on. */
  readonly monthlyCost?: Money;
  readonly constantMonthlyCost?: Money;
}

export interface PlanOptions {
  /** By default that of most windows. */
  readonly timezone?: string | undefined;
  /** What NodePools require of their nodes, by name, where it was read from the cluster. */
  readonly requirements?: NodeRequirements | undefined;
}

export function planModel(config: Config, from: number, to: number, options: PlanOptions = {}): PlanModel {
  const { name, region } = config.cluster;
  const { timezone = zoneOfAll(config), requirements } = options;
  const pools = config.headrooms.map((pool) => {
    const price = isShaped(pool) ? nodePrice(pool, region, requirements?.get(pool.nodePool)) : undefined;
    return poolPlan(pool, from, to, price, timezone);
  });
  return { clusterName: name, from, to, timezone, pools };
}

export function zoneOfAll({ headrooms }: Config): string {
  return defaultZone(headrooms.flatMap(({ windows }) => windows));
}

function poolPlan(
  pool: HeadroomConfig,
  from: number,
  to: number,
  price: NodePrice | undefined,
  timezone: string,
): PoolPlan {
  const steps = withMost(planNodePool(pool, from, to));
  const { name, nodePool, base, max, leadMinutes, unit } = pool;
  return {
    name,
    timezone,
    unit,
    unitText: `${unitText(pool)}${nodePool === name ? '' : ` · on NodePool ${nodePool}`}`,
    bound: boundText(pool),
    base,
    max,
    leadMinutes,
    ...(pool.autoLead && { autoLead: isShaped(pool) ? { together: mostTogether(pool) } : {} }),
    ...(price && { price }),
    steps,
    windows: pool.windows.map((window) => ({
      name: window.name,
      timezone: window.timezone,
      size: windowSize(window),
      rule: ruleOf(window),
      spans: spansOf(window, from, to, leadOf(window, leadMinutes) * MINUTE),
    })),
    figures: figuresOf(pool, steps, to, price),
  };
}

/** The nodes of the largest window. */
function mostTogether(pool: HeadroomConfig): number {
  return Math.max(0, ...pool.windows.map((window) => nodesTogether(pool, EMPTY_RECORD, window)));
}

/** `6`, or `+6` for a relative window. */
export function windowSize({ replicas, relative }: Window): string {
  return relative ? `+${replicas}` : String(replicas);
}

/**
 * Added nodes come on top of what the floor itself kept when they were counted, which was at the first of the
 * uncounted steps.
 */
export function withMost(steps: readonly PlanStep[]): readonly PlannedStep[] {
  let kept = 0;
  return steps.map((step, index) => {
    const { replicas, uncounted } = step;
    if (uncounted === undefined) return { ...step, most: replicas };
    const before = steps[index - 1];
    if (before?.uncounted === undefined) kept = Math.max(replicas, before?.replicas ?? 0);
    return { ...step, most: Math.max(replicas, kept + uncounted) };
  });
}

export function ruleOf(window: Window): string {
  if (window.kind === 'once') return `once ${window.from} to ${window.to} ${window.timezone}`;
  const without = window.excludeDates.length === 0 ? '' : `, not on ${window.excludeDates.join(', ')}`;
  return `${window.startText} to ${window.endText} ${window.timezone}${without}`;
}

function spansOf(window: Window, from: number, to: number, lead: number): Span[] {
  const spans: Span[] = [];
  let at = from;
  while (at < to && spans.length < MAX_SPANS) {
    const opens = openedAt(window, at) === undefined ? startsOf(window).next(at) : at;
    if (opens === undefined || opens - lead >= to) break;
    const closes = nextChange(window, opens) ?? Number.POSITIVE_INFINITY;
    spans.push({ leadFrom: Math.max(at, opens - lead), from: Math.min(opens, to), to: Math.min(closes, to) });
    at = closes;
  }
  return spans;
}

function figuresOf(pool: HeadroomConfig, steps: readonly PlannedStep[], to: number, price?: NodePrice): PlanFigures {
  const from = steps[0]?.at ?? to;
  const peak = Math.max(...steps.map(({ most }) => most));
  const hoursOf = (index: number) => ((steps[index + 1]?.at ?? to) - (steps[index]?.at ?? to)) / HOUR;
  const sum = (value: (replicas: number) => number) =>
    exact(steps.reduce((total, { most }, index) => total + value(most) * hoursOf(index), 0));
  if (!isShaped(pool)) return { peak, unshaped: true, replicaHours: sum((replicas) => replicas) };
  const nodes = nodesFor(pool) ?? price?.nodes;
  return {
    peak,
    ...(nodes && steps.some(({ uncounted }) => uncounted !== undefined) && { relative: true as const }),
    replicaHours: sum((replicas) => replicas),
    ...(nodes && { nodeHours: sum(nodes), constantNodeHours: sum(() => nodes(peak)) }),
    ...(price && {
      cost: rounded(costOf(steps, to, price)),
      constantCost: rounded(times(price.hourly(peak), (to - from) / HOUR)),
      monthlyCost: rounded(monthlyCost(pool, from, price)),
      constantMonthlyCost: rounded(times(price.hourly(peak), (FOUR_WEEKS / HOUR) * FOUR_WEEKS_IN_A_MONTH)),
    }),
  };
}

function costOf(steps: readonly PlannedStep[], to: number, { hourly }: NodePrice): Money {
  const hours = (index: number) => ((steps[index + 1]?.at ?? to) - (steps[index]?.at ?? to)) / HOUR;
  return steps.map(({ most }, index) => times(hourly(most), hours(index))).reduce(plus);
}

function monthlyCost(pool: HeadroomConfig, from: number, price: NodePrice): Money {
  const to = from + FOUR_WEEKS;
  return times(costOf(withMost(planNodePool(pool, from, to)), to, price), FOUR_WEEKS_IN_A_MONTH);
}

function rounded({ low, high, ...rest }: Money): Money {
  return { low: exact(low), high: exact(high), ...rest };
}
