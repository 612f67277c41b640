import type { Config } from '../../shared/core/config/config';

/** Something that happens to the cluster from outside, at a moment of the simulated clock. */
export type Action = { readonly at: number } & (
  | {
      /** The demo workload of a NodePool is scaled to this many pods. */
      readonly kind: 'demand';
      readonly pool: string;
      readonly pods: number;
    }
  | { readonly kind: 'alarm'; readonly alarmName: string; readonly firing: boolean }
  | {
      /** EC2 announces that it will take back this share of a NodePool's spot nodes. */
      readonly kind: 'spot';
      readonly pool: string;
      readonly share: number;
      readonly notice: 'interruption' | 'rebalance';
    }
  | {
      /** A person invokes the emergency function. */
      readonly kind: 'order';
      readonly order: Readonly<Record<string, unknown>>;
    }
);

/** What a scenario runs with. */
export interface Setting {
  readonly config: Config;
  readonly startedAt: number;
  readonly seed: number;
}

/** What happens in a simulation, over any config, day after day. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Whether it is also run with other ways to be ready for its peaks, to compare them. */
  readonly comparesStrategies?: true;
  /** One paragraph: what happens and what to look at. */
  description(config: Config): string;
  /** A moment shortly before something happens, at or after the given one. */
  startsAt(config: Config, after: number): number;
  /** What happens in `[from, to)`, in order; the same for the same setting, however it is cut. */
  actions(setting: Setting, from: number, to: number): readonly Action[];
}
