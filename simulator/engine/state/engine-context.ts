import type { VirtualClock } from '../../deterministic/virtual-clock';
import type { KubeApi } from '../../kube/api/kube-api';
import type { ObjectStore } from '../../kube/object-store';
import type { ClusterState } from './cluster-state';
import type { EventRecorder } from './event-recorder';
import type { Fact } from './facts';
import type { Names } from './names';
import type { Timings } from './timings';

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;

/** What every controller of the simulation works with. */
export interface EngineContext {
  readonly seed: number;
  readonly clock: VirtualClock;
  readonly store: ObjectStore;
  readonly api: KubeApi;
  readonly state: ClusterState;
  readonly events: EventRecorder;
  readonly names: Names;
  readonly timings: Timings;
  /** Tells the listeners of the simulation what has just happened. */
  tell(fact: WithoutTime<Fact>): void;
}
