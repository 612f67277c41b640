import type { Unit } from '../core/config/config';
import { between, type History, type LogLine, MESSAGES, type Period } from './history';

const MINUTE = 60_000;
/** An interrupted node is gone within two minutes; a few more for what comes late. */
const EXPLAINED_FOR = 10 * MINUTE;
/** New pods of a changed template are ready within this time. */
const ROLLED_WITHIN = 5 * MINUTE;

/** Ready fell at an unchanged size. */
export interface Fall {
  readonly from: number;
  readonly to: number;
  readonly units: number;
  /** How many of them work has taken, at least. */
  readonly taken: number;
}

/**
 * Work has taken what stays away for two periods: a pause pod that only moves to another node is back within seconds.
 * Nodes with a notice of interruption explain one lost unit each, or all of them where a node may hold several; before
 * `loggedFrom` nobody knows of notices. `undefined` for floors: work runs beside their pods.
 */
export function fallsOf(
  periods: readonly Period[],
  { lines, loggedFrom }: Pick<History, 'lines' | 'loggedFrom'>,
  unit: Unit['kind'],
): readonly Fall[] | undefined {
  if (unit === 'floor') return undefined;
  const notices = lines
    .filter(({ message }) => message === MESSAGES.interrupted)
    .map(({ at, nodes }) => ({ at, left: unit === 'node' ? Number(nodes) : Number.POSITIVE_INFINITY }));
  const decisions = lines.filter(({ message }) => message === MESSAGES.decided);
  const falls: Fall[] = [];
  for (const [index, here] of periods.entries()) {
    const [before, next] = [periods[index - 1], periods[index + 1]];
    if (!before || before.at + before.ms !== here.at) continue;
    const [from, to] = [before.at, here.at + here.ms];
    const size = Math.min(before.ready.min, before.desired.min, here.desired.min);
    if (size <= here.ready.min) continue;
    const isKnown = next?.at === to && loggedFrom < from - EXPLAINED_FOR;
    const stays = isKnown ? Math.max(here.ready.max, next.ready.max) : Number.POSITIVE_INFINITY;
    const sizes = [size, next?.desired.min ?? 0, ...writtenSizes(decisions, from, to)];
    let taken = Math.max(0, Math.min(...sizes) - stays);
    for (const notice of between(notices, { from: from - EXPLAINED_FOR + 1, to }, timeOf)) {
      const explained = Math.min(taken, notice.left);
      notice.left -= explained;
      taken -= explained;
    }
    falls.push({ from, to, units: size - here.ready.min, taken });
  }
  return falls;
}

/**
 * The sizes before and after each write: one that was set by hand, or of a Deployment that was created again, is in no
 * metric. 0 while the pods of a changed template replace the old ones.
 */
function writtenSizes(decisions: readonly LogLine[], from: number, to: number): readonly number[] {
  return between(decisions, { from: from - ROLLED_WITHIN + 1, to }, timeOf).flatMap((line) => {
    if (String(line.drift ?? '').startsWith('spec.template')) return [0];
    return line.at >= from ? [Number(line.from), Number(line.to)] : [];
  });
}

function timeOf({ at }: { readonly at: number }): number {
  return at;
}
