import { headroomName, spotTwinName } from '../../../shared/core/basics/names';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { readyPods } from '../../../shared/core/manifests/ready-pods';
import { count } from '../../../shared/drawing/amounts';
import { nounOf } from '../../../shared/drawing/headroom-figures';
import { DEPLOYMENTS } from '../kube/kinds';
import type { Action } from '../scenarios/scenario';
import type { DemoCluster } from './demo-cluster';
import { demoPlace } from './demo-workload';
import type { Simulation } from './simulation';
import { type WaitFigures, waitFigures } from './wait-figures';

/** At 60×, what a person watches in twenty seconds. */
const SHOWN_MS = 20 * 60_000;
const MOVED_WITHIN_MS = 10_000;

type PodState = 'waiting' | 'running';
const STATES = { podCreated: 'waiting', podScheduled: 'running', podGone: undefined } as const;

/** A value from a moment until the next step. */
export interface Step {
  readonly at: number;
  readonly value: number;
}

interface Told {
  readonly at: number;
  readonly text: string;
}

/** One cluster's nodes of a NodePool, and the pods of its demand, while the first minutes last. */
class SideRecorder {
  readonly nodes: Step[] = [];
  readonly running: Step[] = [];
  readonly waiting: Step[] = [];
  private readonly ready = new Set<string>();
  private readonly pods = new Map<string, PodState>();
  private readonly counts = { waiting: 0, running: 0 };

  constructor(
    private readonly cluster: DemoCluster,
    private readonly demand: { readonly namespace: string; readonly name: string },
    nodePool: string,
    private readonly to: number,
  ) {
    const own = [nodePool, spotTwinName(nodePool)];
    cluster.engine.on((fact) => {
      if (fact.at > to) return;
      switch (fact.kind) {
        case 'nodeReady':
        case 'nodeGone':
          if (!own.includes(fact.node.nodePool)) return;
          if (fact.kind === 'nodeReady') this.ready.add(fact.node.node);
          else this.ready.delete(fact.node.node);
          break;
        case 'podCreated':
        case 'podScheduled':
        case 'podGone':
          if (fact.pod.deployment !== demand.name || fact.pod.namespace !== demand.namespace) return;
          this.count(fact.pod.uid, STATES[fact.kind]);
          break;
        default:
          return;
      }
      this.record(fact.at);
    });
  }

  get nodeCount(): number {
    return this.ready.size;
  }

  /** The pods of this demand that were created by then. */
  waits(now: number): WaitFigures {
    const all = this.cluster.meter.waits('placed', now);
    return waitFigures(
      all.filter(({ createdAt, deployment }) => createdAt <= this.to && deployment === this.demand.name),
    );
  }

  private count(uid: string, state: PodState | undefined): void {
    const before = this.pods.get(uid);
    if (before) this.counts[before] -= 1;
    if (state) this.counts[state] += 1;
    if (state) this.pods.set(uid, state);
    else this.pods.delete(uid);
  }

  private record(at: number): void {
    push(this.nodes, at, this.ready.size);
    push(this.running, at, this.counts.running);
    push(this.waiting, at, this.counts.waiting);
  }
}

function push(steps: Step[], at: number, value: number): void {
  if (steps.at(-1)?.at === at) steps.pop();
  if (steps.at(-1)?.value !== value) steps.push({ at, value });
}

/** The first minutes of a run: the headroom that something happens to first, with Headstart and without. */
export class SideBySide {
  readonly from: number;
  readonly to: number;
  readonly with: SideRecorder;
  readonly without: SideRecorder;
  /** What the scenario asks for at most. */
  readonly mostPods: number;
  private readonly told: Told[] = [];
  private isStarting = false;
  private size = { wanted: 0, ready: 0 };

  constructor(
    simulation: Simulation,
    readonly pool: HeadroomConfig,
    private readonly actions: readonly Action[],
  ) {
    const asked = actions.map((action) => (action.kind === 'demand' && action.pool === pool.name ? action.pods : 0));
    this.mostPods = Math.max(1, ...asked);
    const { cluster, baseline, startedAt, config } = simulation;
    this.from = startedAt;
    this.to = startedAt + SHOWN_MS;
    const demand = demoPlace(pool, config.headrooms);
    this.with = new SideRecorder(cluster, demand, pool.nodePool, this.to);
    this.without = new SideRecorder(baseline, demand, pool.nodePool, this.to);
    cluster.engine.store.subscribe(DEPLOYMENTS, ({ object }) => {
      const { name, namespace } = object.metadata;
      if (name !== headroomName(pool.name) || namespace !== config.cluster.namespace) return;
      this.sized(simulation.now, object.spec.replicas, readyPods(object) ?? this.size.ready);
    });
  }

  /** What has happened by then, oldest first. */
  moments(now: number): readonly Told[] {
    const due = this.actions.filter(({ at }) => at <= now);
    const said = due.flatMap(({ at, moment }) =>
      moment?.headroom === this.pool.name ? [{ at, text: moment.text }] : [],
    );
    return [...said, ...this.told, ...this.allPlaced(now)].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
  }

  /** When the last of the pods without headroom got its node; a pod that is only moved has one at once. */
  private allPlaced(now: number): readonly Told[] {
    const steps = this.without.waiting.filter(({ at }) => at >= this.from && at <= now);
    const ends = steps.filter(({ at, value }, index) => {
      const began = steps.slice(0, index).findLast((_, before) => (steps[before - 1]?.value ?? 0) === 0);
      return value === 0 && began !== undefined && at - began.at > MOVED_WITHIN_MS;
    });
    return ends.slice(-1).map(({ at }) => ({ at, text: 'without headroom: the last has a node' }));
  }

  private sized(at: number, wanted: number, ready: number): void {
    const before = this.size;
    this.size = { wanted, ready };
    if (at < this.from || at > this.to) return;
    const noun = nounOf(this.pool);
    // A floor counts the nodes that exist.
    const known = this.pool.unit.kind === 'floor' ? Math.max(before.wanted, this.with.nodeCount) : before.wanted;
    if (wanted > before.wanted) {
      this.told.push({ at, text: `${count(wanted - known, noun)} requested` });
      this.isStarting = true;
    } else if (this.isStarting && ready === wanted) {
      // What work takes later is refilled, which nobody requested.
      this.told.push({ at, text: `all ${count(wanted, noun)} ready` });
      this.isStarting = false;
    }
  }
}

/** The recorder of a run that has just been made; none where no scenario of this config says anything. */
export function sideBySide(simulation: Simulation): SideBySide | undefined {
  const { scenario, config, startedAt, seed } = simulation;
  const all = scenario.actions({ config, startedAt, seed }, startedAt, startedAt + SHOWN_MS);
  const said = all.filter(({ moment }) => moment !== undefined);
  const name = (said.find(({ kind }) => kind !== 'demand') ?? said[0])?.moment?.headroom;
  const pool = config.headrooms.find((one) => one.name === name);
  return pool && new SideBySide(simulation, pool, all);
}
