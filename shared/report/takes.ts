import type { Unit } from '../core/config/config';
import { between, type LogLine, MESSAGES, type Span } from './history';

const MINUTE = 60_000;

/** Units that work took, as a heartbeat counted them. */
export interface Take extends Span {
  readonly units: number;
  readonly pods: number;
}

/** `undefined` for floors: work runs beside their pods. */
export function takesOf(lines: readonly LogLine[], unit: Unit['kind']): readonly Take[] | undefined {
  if (unit === 'floor') return undefined;
  const takes = lines.flatMap(({ message, since, until, units, pods }): Take[] => {
    const [from, last] = [Date.parse(String(since)), Date.parse(String(until))];
    if (message !== MESSAGES.taken || Number.isNaN(from + last)) return [];
    return [{ from, to: last + 1, units: Number(units), pods: Number(pods) }];
  });
  return takes.sort((a, b) => a.from - b.from);
}

/** Kubernetes keeps Events for an hour: what a shorter failure leaves out, a later heartbeat counts. */
const EVENTS_KEPT_MS = 50 * MINUTE;
const NEXT_HEARTBEAT_MS = 5 * MINUTE;

/** Whether preemptions were not read for longer than their Events are kept. */
export function wereUnread(lines: readonly LogLine[], span: Span): boolean {
  const unread = between(lines, span, ({ at }) => at).filter(({ message }) => message === MESSAGES.unread);
  let [since, last] = [Number.NaN, Number.NaN];
  return unread.some(({ at }) => {
    if (!(at - last <= NEXT_HEARTBEAT_MS)) since = at;
    last = at;
    return last - since >= EVENTS_KEPT_MS;
  });
}
