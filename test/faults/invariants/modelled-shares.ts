import { expectedLike, replicasIn, type WrittenLike, workloadPath, writtenLike } from '../model/expected-like';
import { boosting } from '../model/expected-size';
import type { WrittenShareOf } from '../model/written-record';
import { wanted } from './modelled-occurrences';
import { annotation, differs, type ModelledWrite } from './modelled-write';

/** How long after its end a share is kept, in case a function's clock is behind. */
const SHARE_KEPT_MS = 5 * 60_000;

/** A function that has read the workload keeps what it found; all others pass on what is kept. */
export function wrongLikeWrite({ by, pool, object, previous, now }: ModelledWrite): string | undefined {
  const [written, before] = [annotation(object, 'like'), annotation(previous, 'like')];
  const sight = by.workloads.get(workloadPath(pool) ?? '');
  if (!pool.like) return differs('like', written, before ? '' : undefined);
  if (!sight && by.functionName === 'reconcile') return 'the workload was not read';
  if (!sight) return differs('like', written, before || undefined);
  const kept = writtenLike(pool, written);
  const { problem, ...expected } = expectedLike(pool, writtenLike(pool, before), sight, now);
  const { shape, unreadSince, unread } = kept ?? ({} as Partial<WrittenLike>);
  const isSaid = problem ? problem.test(unread ?? '') : unread === undefined;
  return (
    differs('like', { shape, unreadSince }, expected) ??
    (isSaid ? undefined : `like problem is ${unread}, and ${problem ?? 'none'} is right`)
  );
}

/** What a share is taken of is counted once, when it opens, by a function that has read the workload, and then stays. */
export function wrongShares(write: ModelledWrite): string | undefined {
  const { by, pool, before, after, now } = write;
  if (!pool.like) return differs('shares', after.shares, before.shares);
  const replicas = replicasIn(by.workloads.get(workloadPath(pool) ?? ''));
  const counted = replicas === undefined ? undefined : { replicas, at: new Date(now).toISOString() };
  const shares = Object.fromEntries(
    Object.entries(before.shares).filter(([, { until }]) => Date.parse(until) + SHARE_KEPT_MS > now),
  );
  for (const { key, end, window } of wanted({ pool, record: after, now })) {
    const of = before.shares[key] ?? counted;
    const until = Math.max(end, Date.parse(before.shares[key]?.until ?? '1970-01-01'));
    if (window.share !== undefined && of) shares[key] = { ...of, until: new Date(until).toISOString() };
  }
  const on = boosting({ pool, record: after, now }).filter(({ alarm }) => alarm.share !== undefined);
  const alarms = Object.entries(after.alarms).flatMap(([name, { of }]) => (of ? [[name, of] as const] : []));
  const due = on.flatMap(({ alarm: { alarmName } }): [string, WrittenShareOf][] => {
    const of = before.alarms[alarmName]?.of ?? counted;
    return of ? [[alarmName, of]] : [];
  });
  const known = before.override?.reason === after.override?.reason ? before.override?.of : undefined;
  return (
    differs('shares', after.shares, shares) ??
    differs('shares of alarms', Object.fromEntries(alarms), Object.fromEntries(due)) ??
    differs('share of the override', after.override?.of, after.override?.share && (known ?? counted))
  );
}
