import type { Config } from '../../shared/core/config/config';
import { likeWorkloads } from '../../shared/core/like/like-workloads';
import { liveSchedules } from '../../shared/core/live/live-schedules';
import { needsIn } from '../../shared/core/observe/node-pool-needs';
import { countShares } from '../../shared/core/occurrences/count-shares';
import type { AlarmReading, ClusterEvent, HeadroomFigures, Runtime } from '../../shared/core/ports/ports';
import { FakeCluster } from './fake-cluster';
import { loadedConfig } from './loaded-config';

/** A config from the lines under `nodePools:`. */
export function configOf(nodePools: string, rest = '', cluster = ''): Config {
  const text = `cluster: {name: demo, region: ap-northeast-2${cluster}}\n${rest}nodePools:\n${nodePools}`;
  return loadedConfig(text);
}

/** A service on a fake cluster, with a clock that the test sets and a memory of what was logged. */
export class FakeRuntime implements Runtime {
  readonly owner: string = '123456789012/ap-northeast-2/demo/headroom/headstart-demo';
  readonly cluster = new FakeCluster(() => this.time);
  readonly logged: { level: string; message: string; fields: Readonly<Record<string, unknown>> }[] = [];
  readonly counted: Record<string, number> = {};
  figures: readonly HeadroomFigures[] = [];
  readonly alarmStates = new Map<string, AlarmReading>();
  alarmFault: Error | undefined;
  alarmReads = 0;

  constructor(
    readonly config: Config,
    public time: number,
  ) {
    const names = new Set(config.headrooms.map(({ nodePool }) => nodePool));
    this.cluster.nodePools = [...names].map((name) => ({ name, taints: [] }));
  }

  readonly now = () => this.time;
  /** Whether it is a function that reads the ConfigMap, if live schedules are configured. */
  readsLive = true;
  readonly emitted: ClusterEvent[] = [];
  emitFault: Error | undefined;

  get ports(): Runtime['ports'] {
    const log = (level: string) => (message: string, fields: Readonly<Record<string, unknown>>) => {
      this.logged.push({ level, message, fields });
    };
    return {
      cluster: this.cluster,
      alarms: {
        read: async (names) => {
          this.alarmReads += 1;
          if (this.alarmFault) throw this.alarmFault;
          return new Map([...this.alarmStates].filter(([name]) => names.includes(name)));
        },
      },
      log: { info: log('info'), warn: log('warn'), error: log('error') },
      metrics: {
        headroom: (figures) => {
          this.figures = figures;
        },
        count: (name, count) => {
          this.counted[name] = (this.counted[name] ?? 0) + count;
        },
      },
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
      ...(this.config.cluster.liveSchedules && {
        live: liveSchedules(this.config, this.readsLive ? () => this.cluster.readLiveSchedules() : undefined),
      }),
      like: likeWorkloads(this.config, (workload) => this.cluster.readWorkload(workload), {
        countShares,
        needsOf: needsIn,
      }),
      emit: async (event) => {
        if (this.emitFault) throw this.emitFault;
        this.emitted.push(event);
      },
    };
  }
}
