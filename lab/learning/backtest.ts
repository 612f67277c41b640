import { HighestWindow } from '../../shared/core/windows/highest-window';
import type { Window } from '../../shared/core/windows/window';
import { type Demand, endOf, MINUTE } from './demand';

export interface Plan {
  readonly floor: boolean;
  readonly base: number;
  readonly leadMinutes: number;
  readonly windows: readonly Window[];
}

export interface Figures {
  /** The share of all rise that found room. */
  readonly share: number;
  /** Unused headroom, in unit-hours. */
  readonly hours: number;
}

/** The free room of a plan at each minute; of a floor, what demand leaves of it. */
export function headroomBy({ floor, base, leadMinutes, windows }: Plan, demand: Demand): Float64Array {
  const { from, values } = demand;
  const until = endOf(demand);
  const sight = { leadOf: () => leadMinutes, until, maxLooks: Number.POSITIVE_INFINITY };
  const absolute = new HighestWindow(
    windows.filter(({ relative }) => !relative),
    sight,
  );
  const relative = new HighestWindow(
    windows.filter(({ relative }) => relative),
    sight,
  );
  const headroom = new Float64Array(values.length);
  let counted: number | undefined;
  for (let at = from; at < until; ) {
    const [highest, more] = [absolute.at(at), relative.at(at)];
    const next = Math.min(highest?.until ?? until, more?.until ?? until);
    const [first, last] = [minuteAt(at), Math.max(minuteAt(at) + 1, minuteAt(Math.min(next, until)))];
    counted = more?.window ? (counted ?? knownBefore(values, first)) : undefined;
    const least = Math.max(base, highest?.window?.replicas ?? 0);
    const size = Math.max(least, more?.window ? (counted ?? 0) + more.window.replicas : 0);
    if (!floor) headroom.fill(size, first, last);
    else
      for (let minute = first; minute < last; minute += 1)
        headroom[minute] = Math.max(0, size - (values[minute] as number));
    at = from + last * MINUTE;
  }
  return headroom;

  function minuteAt(at: number): number {
    return Math.ceil((at - from) / MINUTE);
  }
}

/** The nodes that are counted when a window opens. */
function knownBefore(values: Float64Array, minute: number): number {
  for (let at = minute; at >= 0; at -= 1) if (!Number.isNaN(values[at])) return values[at] as number;
  return 0;
}

export function figuresOf(headroom: Float64Array, rise: Float64Array): Figures {
  let [covered, total, held] = [0, 0, 0];
  for (let minute = 0; minute < rise.length; minute += 1) {
    const need = rise[minute] as number;
    if (Number.isNaN(need)) continue;
    const room = headroom[minute] as number;
    covered += need < room ? need : room;
    total += need;
    held += room;
  }
  return { share: total === 0 ? 1 : covered / total, hours: held / 60 };
}

/** The cheapest constant, known only in hindsight, that covers as much. */
export function constantFigures(rise: Float64Array, share: number): Figures & { readonly size: number } {
  const size = sizeFor(rise)(share);
  return { size, ...figuresOf(new Float64Array(rise.length).fill(size), rise) };
}

/** The least whole size that covers a share of the rise; of a floor, on top of the demand that uses it. */
export function sizeFor(rise: Float64Array, used?: Float64Array): (share: number) => number {
  let [top, total] = [0, 0];
  for (let minute = 0; minute < rise.length; minute += 1) {
    const need = rise[minute] as number;
    const reached = need + (used ? (used[minute] as number) : 0);
    if (need > 0) total += need;
    if (reached > top) top = reached;
  }
  const known = new Map<number, number>();
  const coveredBy = (size: number) => {
    let covered = 0;
    for (let minute = 0; minute < rise.length; minute += 1) {
      const need = rise[minute] as number;
      const left = used ? size - (used[minute] as number) : size;
      if (need > 0 && left > 0) covered += need < left ? need : left;
    }
    known.set(size, covered);
    return covered;
  };
  return (share) => {
    let [low, high] = [0, Math.ceil(top - 1e-6)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((known.get(middle) ?? coveredBy(middle)) >= share * total * (1 - 1e-9)) high = middle;
      else low = middle + 1;
    }
    return high;
  };
}

/** Perfect foresight holds exactly the rise. */
export function clairvoyantFigures(rise: Float64Array): Figures {
  return figuresOf(rise, rise);
}
