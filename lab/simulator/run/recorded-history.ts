import { headroomName } from '../../../shared/core/basics/names';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { readRecord } from '../../../shared/core/record/record-codec';
import type { History, LogLine, Period } from '../../../shared/report/history';
import { DEPLOYMENTS } from '../kube/kinds';
import type { Simulation } from './simulation';

const MINUTE = 60_000;

/** What CloudWatch would keep of a simulation, metrics by the minute and log lines, and beside it the truth. */
export class RecordedHistory implements History {
  readonly periods = new Map<string, Period[]>();
  readonly lines: LogLine[] = [];
  readonly loggedFrom = Number.NEGATIVE_INFINITY;
  private readonly preempted: { readonly at: number; readonly deployment: string | undefined }[] = [];

  constructor(private readonly simulation: Simulation) {
    const { host, cluster } = simulation;
    const { engine } = cluster;
    const line = (message: string, fields: Readonly<Record<string, unknown>>) => {
      // As text, like the log itself.
      this.lines.push({ ...JSON.parse(JSON.stringify(fields)), message, at: engine.now() });
    };
    host.log = { info: line, warn: line, error: line };
    host.metrics = {
      headroom: (figures) => {
        for (const { headroom, desired, ready } of figures) this.add(headroom, engine.now(), desired, ready);
      },
      count: () => {},
    };
    engine.on((fact) => {
      if (fact.kind === 'podPreempted') this.preempted.push({ at: fact.at, deployment: fact.pod.deployment });
    });
  }

  /** What the records have learned of node starts by now. */
  get starts(): ReadonlyMap<string, readonly number[]> {
    const { host, cluster } = this.simulation;
    const { cluster: of, headrooms } = host.config;
    const startsOf = (name: string) => {
      const deployment = cluster.engine.store.get(DEPLOYMENTS, of.namespace, headroomName(name));
      const { nodeStarts = {} } = readRecord(deployment?.metadata.annotations?.[ANNOTATIONS.record]).record;
      return Object.values(nodeStarts);
    };
    return new Map(headrooms.map(({ name }) => [name, startsOf(name)]));
  }

  /** How many pause pods of a Deployment work has really preempted. */
  taken(deployment: string, from: number, to: number): number {
    return this.preempted.filter((one) => one.deployment === deployment && one.at >= from && one.at < to).length;
  }

  private add(headroom: string, now: number, desired: number, ready: number): void {
    const periods = this.periods.get(headroom) ?? [];
    this.periods.set(headroom, periods);
    const at = Math.floor(now / MINUTE) * MINUTE;
    const known = periods.at(-1)?.at === at ? periods.pop() : undefined;
    const range = (value: number, before = { min: value, max: value }) => ({
      min: Math.min(value, before.min),
      max: Math.max(value, before.max),
    });
    periods.push({ at, ms: MINUTE, desired: range(desired, known?.desired), ready: range(ready, known?.ready) });
  }
}
