import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import { readyPods } from '../../../shared/core/manifests/ready-pods';
import { type Money, plus } from '../../../shared/pricing/money';
import type { Deployment } from '../../simulator/kube/object-types';
import { PoolHistory, type ViewFacts, type Work } from './pool-view';
import type { PoolView } from './snapshot';

/** The total for all pools, which keeps frames small. */
const POINTS_IN_ALL = 4_000;
const MAX_PER_POOL = 600;
const MIN_PER_POOL = 60;

export class PoolHistories {
  private histories: ReadonlyMap<string, PoolHistory>;
  /** Also of headrooms that a later config has. */
  private readonly works = new Map<string, Work>();

  constructor(config: Config) {
    this.histories = new Map();
    this.useConfig(config);
  }

  /** Pools that stay keep their history. */
  useConfig(config: Config): void {
    const historyOf = (pool: HeadroomConfig) =>
      this.histories.get(pool.name)?.withPool(pool, config) ?? new PoolHistory(pool, config, this.works.get(pool.name));
    this.histories = new Map(config.headrooms.map((pool) => [pool.name, historyOf(pool)]));
  }

  /** Records the current Deployment of a headroom; `undefined` if there is none. */
  observe(pool: string, deployment: Deployment | undefined, now: number): void {
    const headroom = deployment && {
      replicas: deployment.spec.replicas,
      ready: readyPods(deployment),
      annotations: deployment.metadata.annotations ?? {},
    };
    this.histories.get(pool)?.observe(headroom, now);
  }

  /** Records what work has of a headroom. */
  observeWork(pool: string, work: Work, now: number): void {
    this.works.set(pool, { ...this.works.get(pool), ...work });
    this.histories.get(pool)?.observeWork(work, now);
  }

  /** Records that work has preempted one of its pause pods. */
  observePreemption(pool: string, now: number): void {
    this.histories.get(pool)?.observePreemption(now);
  }

  /** What `plan` says that all of them, or one, cost in a month. */
  monthlyCost(now: number, pool?: string): Money | undefined {
    const asked = [...this.histories].filter(([name]) => pool === undefined || pool === name);
    const costs = asked.flatMap(([, history]) => history.monthlyCost(now) ?? []);
    return costs.length > 0 ? costs.reduce(plus) : undefined;
  }

  views(now: number, facts: Omit<ViewFacts, 'points'>): readonly PoolView[] {
    const share = Math.floor(POINTS_IN_ALL / Math.max(1, this.histories.size));
    const points = Math.max(MIN_PER_POOL, Math.min(MAX_PER_POOL, share));
    return [...this.histories.values()].map((history) => history.view(now, { points, ...facts }));
  }
}
