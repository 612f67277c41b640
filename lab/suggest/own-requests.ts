import { InputError } from '../../cli/terminal/exit';
import { spanText } from '../../shared/core/basics/duration';
import type { HeadroomConfig } from '../../shared/core/config/config';
import { nodesFor } from '../../shared/core/karpenter/nodes-for';
import { startsOf } from '../../shared/core/windows/edges';
import { isOpen } from '../../shared/core/windows/is-open';
import type { CronWindow } from '../../shared/core/windows/window';
import { amount } from '../../shared/drawing/amounts';
import { type Demand, endOf, MINUTE } from '../learning/demand';

/** A week, so that work which comes early by chance is not taken for ours; of ten one may be missing. */
const FEWEST = 7;
const MOST = 10;
const ENOUGH = 0.9;
/** Of what the window adds: nodes hold more than one slice, and some may be free. */
const PART = 0.5;
/** Requests are answered at about the same pace each day; people are not as punctual. */
const SPREAD_MINUTES = 2;

/** What a history shows of our own requests. */
export interface OwnRises {
  readonly window: CronWindow;
  readonly seen: number;
  readonly of: number;
  readonly size: number;
}

/**
 * The window with whose requests a history rises. Headroom is requested a lead time before its window starts, and work
 * comes from the start on, so a rise between the two that each occurrence repeats to the minute is our own: of nodes or
 * their capacity, or of pods with the pause pods among them.
 */
export function ownRisesIn(demand: Demand, own: HeadroomConfig): OwnRises | undefined {
  const { stepMinutes = 1 } = demand;
  if (stepMinutes >= own.leadMinutes) return undefined;
  for (const window of own.windows) {
    if (window.kind !== 'cron' || window.share !== undefined) continue;
    const added = window.replicas - (window.relative ? 0 : own.base);
    const least = PART * Math.min(added, nodesFor(own)?.(added) ?? added);
    const requests = latestRequests(window, demand, own);
    for (let of = FEWEST; of <= requests.length && least > 0; of += 1) {
      const rises = requests.slice(0, of).flatMap((at) => riseAfter(at, demand, own.leadMinutes, least));
      const after = rises.map((rise) => rise.after);
      const spread = Math.max(...after) - Math.min(...after);
      if (rises.length >= of * ENOUGH && spread <= Math.max(SPREAD_MINUTES, stepMinutes))
        return { window, seen: rises.length, of, size: middle(rises.map((rise) => rise.size)) };
    }
  }
  return undefined;
}

export function refuseOwnRises(demand: Demand, own: HeadroomConfig, source: string): void {
  const found = ownRisesIn(demand, own);
  if (!found) return;
  const { window, seen, of, size } = found;
  const lead = spanText(own.leadMinutes);
  throw new InputError(
    `${source}: pool ${own.name} rises with our own requests: on ${seen} of the last ${of} occurrences of ${window.name} it climbs by ${amount(size)} in the ${lead} before its start (${window.startText} ${window.timezone}), when its headroom is requested and before work comes. Windows learned from that grow each time. Query what work itself asks for: the default query (without --query), requests a second, or pods outside of the namespace of headstart; not nodes, their capacity, or pause pods. If it is work that comes so early, start ${window.name} ${lead} earlier first`,
  );
}

/** When the latest occurrences were requested, where no other window is open by then: work may rise for that one. */
function latestRequests(
  window: CronWindow,
  demand: Demand,
  { windows, leadMinutes }: HeadroomConfig,
): readonly number[] {
  const starts = startsOf(window);
  const isAlone = (start: number) =>
    windows.every((one) => one === window || !isOpen(one, start - MINUTE, leadMinutes));
  const requests: number[] = [];
  let start = starts.previous(endOf(demand));
  while (start !== undefined && requests.length < MOST) {
    const request = start - leadMinutes * MINUTE;
    // The lead time before it is looked at too.
    if (request - (leadMinutes + 1) * MINUTE < demand.from) break;
    if (isAlone(start)) requests.push(request);
    start = starts.previous(start - 1);
  }
  return requests;
}

/** The rise between a request and its start, if it is large and does not go on from one before it. */
function riseAfter(request: number, { from, values }: Demand, leadMinutes: number, least: number) {
  const at = Math.round((request - from) / MINUTE);
  const climbed = (since: number) => {
    const before = values[since - 1] as number;
    return Math.max(...values.subarray(since, since + leadMinutes)) - before;
  };
  const size = climbed(at);
  if (!(size - Math.max(0, climbed(at - leadMinutes)) >= least)) return [];
  const half = (values[at - 1] as number) + size / 2;
  return [{ size, after: values.subarray(at).findIndex((value) => value >= half) }];
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
