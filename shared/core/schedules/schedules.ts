import { formatDuration } from '../basics/duration';
import { uniqueName } from '../basics/names';
import type { Config, HeadroomConfig } from '../config/config';
import { type CompiledCron, compileCron } from '../windows/aws-cron';
import type { CronFields } from '../windows/cron';
import { localMillis, type Window } from '../windows/window';
import { endInstant, startInstant, toLocal } from '../windows/zone';

const MINUTE = 60_000;
/** A one-off edge this close may be over before CloudFormation creates its schedule; the deploy's own reconcile covers it. */
const NEAR = 15 * MINUTE;
const MAX_DESCRIPTION = 512;

/** One EventBridge Scheduler schedule, for one or more window edges at the same time. */
export interface CompiledSchedule {
  readonly name: string;
  /** `cron(...)` or `at(...)`, local time in `timezone`. */
  readonly expression: string;
  readonly timezone: string;
  readonly description: string;
}

export interface CompiledSchedules {
  readonly schedules: readonly CompiledSchedule[];
  /** A sentence for each window edge that has no schedule and is left to the heartbeat. */
  readonly leftToHeartbeat: readonly string[];
}

export interface ScheduleLimits {
  /** One-offs whose edge is over by then get no schedule. */
  readonly now: number;
  /** The number of schedules that fit into the stack. */
  readonly max: number;
}

/** Compiles the window edges of a config to schedules: one for each distinct time. */
export function compileSchedules(config: Config, { now, max }: ScheduleLimits): CompiledSchedules {
  const byName = new Map<string, { expression: string; timezone: string; descriptions: string[] }>();
  const leftToHeartbeat: string[] = [];
  for (const edge of edgesOf(config, now)) {
    const { firing } = edge;
    if (firing.kind === 'declined') {
      leftToHeartbeat.push(leftSentence(edge, firing.why, config));
      continue;
    }
    const expression = firing.kind === 'once' ? `at(${localText(firing.local)})` : firing.expression;
    const key = uniqueName([edge.timezone, expression]);
    const known = byName.get(key);
    if (known) known.descriptions.push(edge.description);
    else if (byName.size < max)
      byName.set(key, { expression, timezone: edge.timezone, descriptions: [edge.description] });
    else leftToHeartbeat.push(leftSentence(edge, `the stack has room for ${max} schedules`, config));
  }
  const schedules = [...byName].map(([name, { expression, timezone, descriptions }]) => ({
    name,
    expression,
    timezone,
    description: join(descriptions),
  }));
  return { schedules, leftToHeartbeat };
}

export function heartbeatExpression({ heartbeatSeconds }: Config): string {
  const minutes = heartbeatSeconds / 60;
  return `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})`;
}

interface Edge {
  readonly description: string;
  readonly timezone: string;
  readonly firing: CompiledCron | { readonly kind: 'once'; readonly local: number };
}

/**
 * Starts come first: if there is not room for all, a late end only costs money. A learned lead time changes
 * between deploys, so its starts are left to the heartbeat, which the lead time allows for.
 */
function edgesOf({ headrooms }: Config, now: number): Edge[] {
  const each = (pools: readonly HeadroomConfig[], edge: (pool: HeadroomConfig, window: Window) => Edge) =>
    pools.flatMap((pool) => pool.windows.map((window) => edge(pool, window)));
  const fixed = headrooms.filter(({ autoLead }) => !autoLead);
  const edges = [...each(fixed, startOf), ...each(headrooms, endOf)];
  return edges.filter(
    ({ firing, timezone }) => firing.kind !== 'once' || startInstant(timezone, firing.local) > now + NEAR,
  );
}

function startOf(pool: HeadroomConfig, window: Window): Edge {
  const { name, leadMinutes } = pool;
  const { timezone } = window;
  const opens = (time: string, requested: string) =>
    `${name}: ${window.name} opens ${time}${leadMinutes === 0 ? '' : `, requested ${requested}`} ${timezone}`;
  if (window.kind === 'once') {
    const local = toLocal(timezone, startInstant(timezone, localMillis(window.from)) - leadMinutes * MINUTE);
    const description = opens(window.from, `at ${localText(local)}`);
    return { description, timezone, firing: { kind: 'once', local } };
  }
  const time = timeOfDay(window.start);
  const before = `${formatDuration(leadMinutes * 60)} before`;
  const description =
    time === undefined ? opens(window.startText, before) : opens(clock(time), requestedAt(time - leadMinutes));
  return { description, timezone, firing: compileCron(window.start, leadMinutes) };
}

function endOf({ name }: HeadroomConfig, window: Window): Edge {
  const { timezone } = window;
  const closes = (time: string) => `${name}: ${window.name} closes ${time} ${timezone}`;
  if (window.kind === 'once') {
    const local = toLocal(timezone, endInstant(timezone, localMillis(window.to)));
    return { description: closes(window.to), timezone, firing: { kind: 'once', local } };
  }
  const time = timeOfDay(window.end);
  return {
    description: closes(time === undefined ? window.endText : clock(time)),
    timezone,
    firing: compileCron(window.end),
  };
}

/** The minute of the day, where an expression has only one. */
function timeOfDay({ hours, minutes }: CronFields): number | undefined {
  const [[hour = 0], [minute = 0]] = [hours, minutes];
  return hours.length > 1 || minutes.length > 1 ? undefined : hour * 60 + minute;
}

function requestedAt(minute: number): string {
  const daysEarlier = Math.ceil(-minute / 1_440);
  const when = daysEarlier > 1 ? ` ${daysEarlier} days before` : ' the day before';
  return `at ${clock(minute + Math.max(daysEarlier, 0) * 1_440)}${daysEarlier > 0 ? when : ''}`;
}

function clock(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

function localText(local: number): string {
  return new Date(local).toISOString().slice(0, 19);
}

function join(descriptions: readonly string[]): string {
  const whole = descriptions.join('; ');
  if (whole.length <= MAX_DESCRIPTION) return whole;
  let kept = descriptions.length;
  const text = () => `${descriptions.slice(0, kept).join('; ')}; and ${descriptions.length - kept} more`;
  while (kept > 1 && text().length > MAX_DESCRIPTION) kept -= 1;
  return text().slice(0, MAX_DESCRIPTION);
}

function leftSentence({ description }: Edge, why: string, { heartbeatSeconds }: Config): string {
  return `${description}: left to the heartbeat (up to ${formatDuration(heartbeatSeconds)} late), because ${why}`;
}
