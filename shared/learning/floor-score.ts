import { BINS, type Day } from './day-table';
import type { Rule } from './envelope';
import type { Piece } from './fit-windows';
import { type FloorShape, floorFit, smallRise } from './floor-segments';
import { onUnseenDays, type Planner, type Score, scoreOf } from './unseen-days';

/** How floors do on days that they have not seen, by the rises that a floor is for. */
export function floorScore(shape: FloorShape, days: readonly Day[], rule: Rule, most: number): Score {
  const planner: Planner = (known) => {
    const { fit, kinds } = floorFit(shape, known, rule, most);
    return (day) => {
      const kind = kinds.findIndex((weekdays) => weekdays.includes(day.weekday));
      return roomAbove(day, fit.pieces[kind] ?? [], shape);
    };
  };
  return scoreOf(onUnseenDays(days, planner), smallRise(days));
}

/** What demand leaves of a day's floors; windows that follow each other count the nodes once, as the handler does. */
function roomAbove({ demand, rise, top }: Day, pieces: readonly Piece[], shape: FloorShape): Float64Array {
  const room = new Float64Array(BINS);
  let [counted, until] = [0, -1];
  for (const { from, to, level } of pieces) {
    if (shape === 'more' && from !== until) counted = knownAt(demand, from);
    until = to;
    for (let bin = from; bin < to; bin += 1) {
      // Where demand climbs, room is needed above where the climb begins, not above the mean of five minutes.
      const used = (rise[bin] as number) > 0 ? (top[bin] as number) - (rise[bin] as number) : (demand[bin] as number);
      if (!Number.isNaN(used)) room[bin] = Math.max(0, counted + level - used);
    }
  }
  return room;
}

function knownAt(demand: Float64Array, bin: number): number {
  const value = demand[bin] as number;
  return Number.isNaN(value) ? 0 : value;
}
