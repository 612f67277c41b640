import type { Config } from '../../shared/core/config/config';
import { heartbeat, tickEvent, windowEdge } from '../../shared/core/events/ticks';
import { compileSchedules, heartbeatExpression } from '../../shared/core/schedules/schedules';
import { type Firing, readExpression } from './scheduler-expression';

/** More than any stack has room for. */
const MAX_SCHEDULES = 1_000;

/** One schedule of EventBridge Scheduler: when it is due, and the event that it sends then. */
export interface Schedule extends Firing {
  /** What the console shows of a window edge; absent for the heartbeat. */
  readonly label?: string;
  readonly trigger: string;
  event(due: number): unknown;
}

/** The schedules that a deploy of the config makes: the compiled window edges, and the heartbeat. */
export function schedulesOf(config: Config, now: number): readonly Schedule[] {
  const { schedules } = compileSchedules(config, { now, max: MAX_SCHEDULES });
  const edges = schedules.map(({ name, expression, timezone, description }) => ({
    ...readExpression(expression, timezone),
    label: description,
    trigger: `schedule ${description}`,
    event: (due: number) => tickEvent(windowEdge, scheduledTime(due), { schedule: name }),
  }));
  const beat = {
    ...readExpression(heartbeatExpression(config), 'UTC', now),
    trigger: 'heartbeat',
    event: (due: number) => tickEvent(heartbeat, scheduledTime(due)),
  };
  return [...edges, beat];
}

/** As `<aws.scheduler.scheduled-time>` writes it. */
function scheduledTime(due: number): string {
  return `${new Date(due).toISOString().slice(0, 19)}Z`;
}
