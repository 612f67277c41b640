import type { Config } from '../../../shared/core/config/config';

/** An external event, at a moment of the simulated clock. */
export type Action = {
  readonly at: number;
  /** What a person would watch for; a jump stops there. */
  readonly moment?: SaidMoment;
} & (
  | {
      /** The demo workload of a NodePool is scaled to this many pods. */
      readonly kind: 'demand';
      readonly pool: string;
      readonly pods: number;
    }
  | { readonly kind: 'alarm'; readonly alarmName: string; readonly firing: boolean }
  | {
      /** EC2 sends notices for this share of a NodePool's spot nodes. */
      readonly kind: 'spot';
      readonly nodePool: string;
      readonly share: number;
      readonly notice: 'interruption' | 'rebalance';
    }
  | {
      /** Somebody invokes the emergency function. */
      readonly kind: 'override';
      readonly request: Readonly<Record<string, unknown>>;
    }
);

export interface SaidMoment {
  readonly headroom: string;
  readonly text: string;
}

export interface Setting {
  readonly config: Config;
  readonly startedAt: number;
  readonly seed: number;
}

/** What happens in a simulation, day after day, for any config. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Whether it is also run with other strategies, to compare them. */
  readonly comparesStrategies?: true;
  description(config: Config): string;
  /** A time shortly before something happens, at or after the given one. */
  startsAt(config: Config, after: number): number;
  /** What happens in `[from, to)`, in order. Deterministic: splitting an interval gives the same actions. */
  actions(setting: Setting, from: number, to: number): readonly Action[];
}
