import type { Unit } from '../../../shared/core/config/config';
import type { HeadroomFigures } from '../../../shared/drawing/headroom-figures';
import type { Faults } from '../../simulator/bus/faults';
import type { ObservedDecision } from '../../simulator/run/decision-history';
import type { Cost } from '../../simulator/run/meter';
import type { StrategyFigures } from '../../simulator/run/run-result';
import type { WaitFigures } from '../../simulator/run/wait-figures';
import type { Action } from './page-command';

/** What the console shows: sent to the page as JSON, a few times a second. Times are epoch ms of the source's clock. */
export interface Snapshot {
  /** `sandbox` is simulated; `cluster` is a real one, read through a kubeconfig. */
  readonly mode: 'sandbox' | 'cluster';
  readonly clusterName: string;
  readonly simulated: readonly string[];
  readonly clock: ClockView;
  readonly scenario?: { readonly id: string; readonly title: string; readonly description: string };
  readonly run?: RunView;
  readonly scenarios: readonly { readonly id: string; readonly title: string }[];
  /** Errors in the config file; the last valid config stays in force. */
  readonly configProblems: readonly string[];
  /** Other errors, such as a cluster that does not respond; absent when there are none. */
  readonly problems?: readonly string[];
  readonly faults: Faults;
  readonly pools: readonly PoolView[];
  readonly headroom: HeadroomTotal;
  readonly nodes: readonly NodeView[];
  readonly pods: readonly PodView[];
  /** How many more there are than `nodes` and `pods` hold; absent when they hold all. */
  readonly hidden?: { readonly nodes: number; readonly pods: number };
  /** Newest first. */
  readonly decisions: readonly ObservedDecision[];
  readonly waiting: WaitingView;
  readonly cost: Cost;
  /** What `plan` says that the headroom costs in a month. */
  readonly month?: string;
  /** Where the prices of nodes are from that have none in the config. */
  readonly prices?: string;
  /** The first minutes of a simulated run, with headroom and without. */
  readonly peak?: PeakView;
  /** The same demand with each strategy: room, floor, more nodes, no headroom. Only some scenarios compare them. */
  readonly comparison?: readonly StrategyFigures[];
}

/** What happens to one headroom in the first minutes of a run. */
export interface PeakView {
  readonly headroom: string;
  readonly from: number;
  readonly to: number;
  /** What has happened, oldest first. */
  readonly moments: readonly { readonly at: number; readonly text: string }[];
  readonly with: PeakSide;
  readonly without: PeakSide;
  /** What the headroom costs in a month, as `plan` says it. */
  readonly monthly?: string;
}

/** Areas over time as SVG paths in a box of 1000 by 100, to be stretched. */
export interface PeakSide {
  readonly nodes: string;
  /** Pods that run or wait, of which `running` run. */
  readonly pods: string;
  readonly running: string;
  /** Nodes, running pods and waiting pods now. */
  readonly counts: readonly number[];
  readonly waits: WaitFigures;
}

/** With the same config and scenario, these reproduce a run. */
export interface RunView {
  readonly seed: number;
  readonly start: number;
  readonly actions: readonly Action[];
}

export interface ClockView {
  readonly now: number;
  readonly startedAt: number;
  /** Simulated seconds per second. */
  readonly speed: number;
  readonly paused: boolean;
  /** Nobody has looked yet, so the clock stands still. */
  readonly unseen?: true;
  /** The zone for all times, that of the first window; absent if there are no windows. */
  readonly timeZone?: string;
  /** Windows are in several zones, so times are labelled with theirs. */
  readonly severalZones?: true;
  /** The earliest `next` of all headrooms, with the name of its headroom. */
  readonly next?: Moment;
}

export interface PoolView extends HeadroomFigures {
  readonly name: string;
  /** Several headrooms may be on one. */
  readonly nodePool: string;
  readonly kind: Unit['kind'];
  /** The unit in words. */
  readonly unit: string;
  /** What its figures are counted in: `node`, `slice`, `pause pod`. */
  readonly noun: string;
  readonly max: number;
  /** What `max` bounds, in words. */
  readonly bound: string;
  /** What a person would say of it, with its times in UTC. */
  readonly sentence: string;
  readonly reasons: readonly string[];
  /** Since when less is ready than wanted; absent if all is ready. */
  readonly shortSince?: number;
  /** Why less is ready than wanted, or what else is wrong, most certain first. */
  readonly why?: readonly string[];
  /** It will not resolve itself: somebody should look at it. */
  readonly trouble?: true;
  /** The part of the record that cannot be read, because of which the size is held. */
  readonly unreadable?: string;
  /** There is no Deployment yet. */
  readonly absent?: true;
  readonly next?: NextSize;
  /** Who edited its windows in the cluster, what and when. */
  readonly edits?: readonly string[];
  /** What idle nodes of its NodePool have cost, on the first headroom of that NodePool; and its month, as `plan` says it. */
  readonly cost?: string;
  /** The current learned lead time, and what it is based on. */
  readonly lead?: string;
  /** The last occurrences of its windows, newest first: ready at their start, or late and why. */
  readonly occurrences?: readonly { readonly text: string; readonly late: boolean }[];
  /** Points where something changed, oldest first; the page draws steps. */
  readonly timeline: readonly TimelinePoint[];
  readonly plan: readonly PlannedSize[];
  readonly bands: readonly BandView[];
  readonly alarms: readonly { readonly name: string; readonly alarmName: string; readonly firing: boolean }[];
  readonly override?: {
    /** `at least 6`. */
    readonly size: string;
    readonly until: number;
    readonly by: string;
    readonly reason: string;
  };
}

export interface HeadroomTotal {
  readonly ready: number;
  readonly wanted: number;
  /** What they are counted in: `nodes`, or `headrooms` where units differ. */
  readonly noun: string;
  readonly inUse: number;
  readonly free: number;
  readonly text: string;
}

export interface PlannedSize {
  readonly at: number;
  /** The known size; on the timeline, including nodes that will be added. */
  readonly replicas: number;
  /** `6`, or `+6` if nodes will be added to the existing ones. */
  readonly text: string;
}

export interface NextSize extends PlannedSize {
  /** What happens then: `evening closes 2026-11-17T13:30Z`. */
  readonly edge: string;
  /** `6 nodes`. */
  readonly units: string;
}

export interface TimelinePoint extends Pick<HeadroomFigures, 'wanted' | 'inUse' | 'free'> {
  readonly at: number;
  /** Pods that would wait for a node without headroom; absent where none would, or nobody knows. */
  readonly wouldWait?: number;
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
  /** How long it waited for a node, or has waited so far. */
  readonly waitedMs: number;
}

/** Waiting times of the workload pods: with headroom, and from the same demand simulated without it. */
export interface WaitingView {
  readonly with: WaitFigures;
  readonly without?: WaitFigures;
  /** Where the slowest pod waited, and why, if it waited longer than without headroom. */
  readonly slowest?: string;
}

export interface Moment {
  readonly at: number;
  readonly label: string;
}
