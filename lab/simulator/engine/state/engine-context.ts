import type { VirtualClock } from '../../deterministic/virtual-clock';
import type { KubeApi } from '../../kube/api/kube-api';
import type { ObjectStore } from '../../kube/object-store';
import type { ClusterState } from './cluster-state';
import type { EventRecorder } from './event-recorder';
import type { Fact } from './facts';
import type { Names } from './object-names';
import type { Timings } from './timings';

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;

export interface EngineContext {
  readonly seed: number;
  readonly clock: VirtualClock;
  readonly store: ObjectStore;
  readonly api: KubeApi;
  readonly state: ClusterState;
  readonly events: EventRecorder;
  readonly names: Names;
  readonly timings: Timings;
  /** Reports what has just happened to the listeners of the simulation. */
  emit(fact: WithoutTime<Fact>): void;
}
