import { deploy, heartbeat, tickEvent } from '../../../../shared/core/events/heartbeat-and-edges';
import { handle } from '../../../../shared/core/handle';
import { readKeptLike } from '../../../../shared/core/like/read-kept-like';
import type { PodSpec, WorkloadObject } from '../../../../shared/core/like/workload';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { readRecord } from '../../../../shared/core/record/record-codec';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';

export const NOON = Date.parse('2026-11-17T12:00:00Z');
export const MINUTE = 60_000;

/** A Deployment of pods with 250m and 512Mi, four of which make a pause pod. */
export function workload(replicas = 40, spec: PodSpec = {}): WorkloadObject {
  const containers = [{ resources: { requests: { cpu: '250m', memory: '512Mi' } } }];
  return { spec: { replicas, template: { metadata: { labels: { app: 'checkout' } }, spec: { containers, ...spec } } } };
}

export class LikeWorld {
  readonly runtime: FakeRuntime;

  constructor(
    readonly headrooms: string,
    found: WorkloadObject | undefined = workload(),
  ) {
    this.runtime = new FakeRuntime(configOf(headrooms), NOON);
    this.runs(found);
  }

  get cluster() {
    return this.runtime.cluster;
  }

  runs(found: WorkloadObject | undefined, name = 'shop/checkout'): void {
    if (found) this.cluster.workloads.set(name, found);
    else this.cluster.workloads.delete(name);
  }

  /** A heartbeat so many minutes later. */
  tick(minutes = 1) {
    return this.event(heartbeat, minutes);
  }

  deploy() {
    return this.event(deploy, 0);
  }

  send(event: unknown) {
    return handle(event, this.runtime);
  }

  /** The same cluster after a deploy of another config. */
  with(headrooms: string): LikeWorld {
    const other = new LikeWorld(headrooms);
    Object.assign(other.runtime, { cluster: this.cluster, time: this.runtime.time });
    return other;
  }

  get current() {
    const current = this.cluster.headroom('web');
    if (!current) throw new Error('there is no headroom');
    return current;
  }

  get size(): number {
    return this.current.replicas;
  }

  get reasons(): readonly string[] {
    return JSON.parse(this.current.annotations[ANNOTATIONS.reasons] ?? '[]');
  }

  get kept() {
    return readKeptLike(this.current.annotations[ANNOTATIONS.like]);
  }

  get record() {
    return readRecord(this.current.annotations[ANNOTATIONS.record]).record;
  }

  get podSpec() {
    return (this.current.object as { spec: { template: { spec: Record<string, unknown> } } }).spec.template.spec;
  }

  reads(): number {
    return this.cluster.calls.filter((call) => call === 'workload').length;
  }

  private async event(source: typeof heartbeat, minutes: number) {
    this.runtime.time += minutes * MINUTE;
    return this.send(tickEvent(source, new Date(this.runtime.time).toISOString()));
  }
}
