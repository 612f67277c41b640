import type { Config } from '../../shared/core/config/config';
import { HEARTBEAT, tickEvent, WINDOW_EDGE } from '../../shared/core/events/ticks';
import { type Edges, endsOf, startsOf } from '../../shared/core/windows/edges';

/** One schedule of EventBridge Scheduler: when it is due, and the event that it sends then. */
export interface Schedule {
  /** What a person reads; absent for the heartbeat, which nobody waits for. */
  readonly label?: string;
  readonly trigger: string;
  /** The first time after the instant at which it is due. */
  next(after: number): number | undefined;
  event(due: number): unknown;
}

const MINUTE = 60_000;

/** Every schedule of a config: two edges per window, and the heartbeat. */
export function schedulesOf(config: Config): readonly Schedule[] {
  const edges = config.nodePools.flatMap(({ name, leadMinutes, windows }) =>
    windows.flatMap((window) => {
      const opens = leadMinutes === 0 ? 'opens' : `opens in ${leadMinutes} min`;
      return [
        windowEdge(name, window.name, opens, earlier(startsOf(window), leadMinutes * MINUTE)),
        windowEdge(name, window.name, 'closes', endsOf(window)),
      ];
    }),
  );
  return [...edges, heartbeat(config.heartbeatSeconds * 1_000)];
}

function windowEdge(nodePool: string, window: string, what: string, { next }: Pick<Edges, 'next'>): Schedule {
  const label = `${nodePool}: ${window} ${what}`;
  return {
    label,
    trigger: `schedule: ${window} ${what}`,
    next,
    event: (due) => tickEvent(WINDOW_EDGE, scheduledTime(due), { nodePool, window }),
  };
}

function heartbeat(every: number): Schedule {
  return {
    trigger: 'heartbeat',
    next: (after) => (Math.floor(after / every) + 1) * every,
    event: (due) => tickEvent(HEARTBEAT, scheduledTime(due)),
  };
}

function earlier(edges: Edges, lead: number): Pick<Edges, 'next'> {
  return {
    next: (after) => {
      const start = edges.next(after + lead);
      return start === undefined ? undefined : start - lead;
    },
  };
}

/** As `<aws.scheduler.scheduled-time>` writes it. */
function scheduledTime(due: number): string {
  return `${new Date(due).toISOString().slice(0, 19)}Z`;
}
