import type { Unit } from '../core/config/config';
import { type LogLine, MESSAGES, type Span } from './history';

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
