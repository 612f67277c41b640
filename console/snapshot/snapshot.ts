import type { Unit } from '../../shared/core/config/config';
import type { Faults } from '../../simulator/bus/faults';
import type { ObservedDecision } from '../../simulator/run/decision-history';
import type { Cost } from '../../simulator/run/meter';
import type { StrategyFigures } from '../../simulator/run/run-result';
import type { WaitFigures } from '../../simulator/run/wait-figures';

/** What the console shows: sent to the page as JSON, a few times a second. Times are epoch ms of the source's clock. */
export interface Snapshot {
  /** `sandbox` is simulated; `cluster` is a real one, read through a kubeconfig. */
  readonly mode: 'sandbox' | 'cluster';
  /** For a real cluster: false until the user presses "act". */
  readonly acting: boolean;
  readonly clusterName: string;
  /** What is simulated, in plain words, for the page to show. */
  readonly simulated: readonly string[];
  readonly clock: ClockView;
  readonly scenario?: { readonly id: string; readonly title: string; readonly description: string };
  /** What it takes to see this run again. */
  readonly run?: RunView;
  readonly scenarios: readonly { readonly id: string; readonly title: string }[];
  /** What the validator says about the config file; the last valid config stays in force. */
  readonly configProblems: readonly string[];
  /** Other errors, such as a cluster that does not respond; absent when there are none. */
  readonly problems?: readonly string[];
  readonly faults: Faults;
  readonly pools: readonly PoolView[];
  readonly nodes: readonly NodeView[];
  readonly pods: readonly PodView[];
  /** How many more there are than `nodes` and `pods` hold; absent when they hold all. */
  readonly hidden?: { readonly nodes: number; readonly pods: number };
  /** Newest first. */
  readonly decisions: readonly ObservedDecision[];
  readonly waiting: WaitingView;
  readonly cost: Cost;
  /** The same demand with each way to be ready for its peaks: room, floor, more nodes. Only some scenarios compare them. */
  readonly comparison?: readonly StrategyFigures[];
}

/** A run that the same config gives again: its scenario and seed, when it began, and what people did in it. */
export interface RunView {
  readonly seed: number;
  readonly start: number;
  readonly did: readonly Action[];
}

/** Something that a person did on the page. */
export interface Action {
  readonly at: number;
  readonly command: Command;
}

export interface ClockView {
  readonly now: number;
  readonly startedAt: number;
  /** Simulated seconds per second. */
  readonly speed: number;
  readonly paused: boolean;
  /** The zone that times are shown in, that of the first window; the browser's own where there is none. */
  readonly timeZone?: string;
  /** Windows are in several zones, so that times say theirs. */
  readonly severalZones?: true;
  /** What happens next by itself: a window edge, or the end of a boost, surge or override. */
  readonly next?: Moment;
}

export interface PoolView {
  readonly name: string;
  readonly kind: Unit['kind'];
  /** The unit in words. */
  readonly unit: string;
  readonly max: number;
  readonly wanted: number;
  readonly ready: number;
  /** Replicas that were displaced and wait for a new node; of a floor, its nodes that run work. */
  readonly used: number;
  /** There are more pods than were read, so that nobody knows how many nodes of the floor run work. */
  readonly useUnknown?: true;
  readonly reasons: readonly string[];
  /** Since when less is ready than wanted; absent while all of it is. */
  readonly shortSince?: number;
  /** Why less is ready than wanted, or what else is wrong, the surest first. */
  readonly why?: readonly string[];
  /** Not on its way: somebody should look at it. */
  readonly trouble?: true;
  /** The part of the record that cannot be read, so that the size is held. */
  readonly unreadable?: string;
  /** There is no Deployment: nobody keeps headroom for it yet. */
  readonly absent?: true;
  readonly next?: PlannedSize;
  /** What a learned lead time is now, and why. */
  readonly lead?: string;
  /** The last openings of its windows, the newest first: ready at their start, or late and why. */
  readonly openings?: readonly { readonly text: string; readonly late: boolean }[];
  /** Points where something changed, oldest first; the page draws steps. */
  readonly timeline: readonly TimelinePoint[];
  /** The plan from now on, by the config, the clock and what is recorded. */
  readonly plan: readonly PlannedSize[];
  /** Windows, lead times, alarm boosts, interruption surges and overrides as bands. */
  readonly bands: readonly BandView[];
  readonly alarms: readonly { readonly name: string; readonly alarmName: string; readonly firing: boolean }[];
  readonly override?: {
    /** `at least 6`. */
    readonly order: string;
    readonly until: number;
    readonly by: string;
    readonly reason: string;
  };
}

export interface PlannedSize {
  readonly at: number;
  /** As far as it is known; on the timeline with what will be added. */
  readonly replicas: number;
  /** `6`, `+6` where nodes will be added to those that there are. */
  readonly text: string;
}

export interface TimelinePoint {
  readonly at: number;
  readonly wanted: number;
  readonly ready: number;
  readonly used: number;
}

export interface BandView {
  readonly kind: 'window' | 'lead' | 'boost' | 'surge' | 'override';
  readonly label: string;
  readonly from: number;
  /** Absent while its end is unknown. */
  readonly to?: number;
}

export interface NodeView {
  readonly name: string;
  readonly pool: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly spot: boolean;
  readonly state: 'launching' | 'ready' | 'terminating';
  readonly since: number;
  /** Share of cpu that is requested, 0 to 1. */
  readonly load: number;
}

export interface PodView {
  readonly name: string;
  readonly pool: string;
  readonly kind: 'headroom' | 'real';
  readonly state: 'pending' | 'starting' | 'running' | 'terminating';
  readonly node?: string;
  readonly createdAt: number;
  /** How long it waited, or has waited so far. */
  readonly waitedMs: number;
}

/** Waiting times of the workload pods: with headroom, and from the same demand simulated without it. */
export interface WaitingView {
  readonly with: WaitFigures;
  readonly without?: WaitFigures;
}

/** What the page may ask for: POST /api/command with one of these as JSON; the response is {ok: true, ...} or {ok: false, error}. */
export type Command =
  | { readonly kind: 'speed'; readonly speed: number }
  | { readonly kind: 'pause'; readonly paused: boolean }
  | { readonly kind: 'jump' }
  | ({
      readonly kind: 'inflate';
      readonly pool: string;
      readonly for: string;
      readonly reason: string;
    } & ({ readonly atLeast: number } | { readonly addNodes: number }))
  | { readonly kind: 'release'; readonly pool: string }
  | { readonly kind: 'alarm'; readonly alarmName: string; readonly firing: boolean }
  | { readonly kind: 'takeNode'; readonly node?: string }
  | { readonly kind: 'spotStorm' }
  | { readonly kind: 'scenario'; readonly id: string }
  | {
      readonly kind: 'replay';
      readonly scenario: string;
      readonly seed: number;
      readonly at: number;
      readonly start?: number;
      readonly did?: readonly Action[];
    }
  | { readonly kind: 'faults'; readonly faults: Faults }
  | { readonly kind: 'act' };

/** Something that happens by itself, and what. */
export interface Moment {
  readonly at: number;
  readonly label: string;
}

/** The first of them; of those at one instant, the one that was named first. */
export function earliest(moments: readonly (Moment | undefined)[]): Moment | undefined {
  return moments.reduce((first, one) => (one && (!first || one.at < first.at) ? one : first), undefined);
}
