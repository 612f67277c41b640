import type { HeadroomOutcome } from './apply/apply-decision';
import { messageOf } from './basics/errors';
import { headroomName, LIVE_SCHEDULES } from './basics/names';
import type { Observed } from './observe/observe';
import type { FirstVerdict } from './occurrences/judge-occurrences';
import type { Outcome } from './outcome';
import type { ClusterEvent, Ports } from './ports/ports';

/** Kubernetes Events, after everything is written: at most one for each NodePool. One that fails is a log line. */
export async function emitEvents(
  { at, headrooms }: Outcome,
  seen: Pick<Observed, 'liveText'>,
  { emit, log }: Pick<Ports, 'emit' | 'log'>,
): Promise<void> {
  if (!emit) return;
  const events = [...headrooms.flatMap(headroomEvents), ...refusals(headrooms, seen)];
  const create = (event: ClusterEvent) =>
    emit(event, at).catch((error) => log.info('event not created', { reason: messageOf(error) }));
  await Promise.all(events.map(create));
}

/** What was written and a person would look for: a size, a first verdict, a field that somebody else keeps changing. */
function headroomEvents(outcome: HeadroomOutcome): readonly ClusterEvent[] {
  const { headroom, uid, from, replicas, reasons, verdicts, contested } = outcome;
  const isContested = contested?.isNew === true;
  const isLate = verdicts.some(({ ready }) => !ready);
  const isResized = from !== replicas;
  if (uid === undefined || !(isResized || isContested || verdicts.length > 0)) return [];
  const note = [
    ...verdicts.map(verdictText),
    ...(isContested ? [`${contested.by ?? 'somebody else'} keeps changing ${contested.field}`] : []),
    ...(isResized ? [`from ${from} to ${replicas} replicas: ${reasons.join(', ')}`] : []),
  ].join('; ');
  const reason = isLate ? 'Late' : isContested ? 'Contested' : isResized ? 'Resized' : 'Ready';
  return [
    {
      regarding: { apiVersion: 'apps/v1', kind: 'Deployment', name: headroomName(headroom), uid },
      type: isLate || isContested ? 'Warning' : 'Normal',
      reason: `Headroom${reason}`,
      note,
    },
  ];
}

function verdictText({ window, start, ready, why }: FirstVerdict): string {
  const occurrence = `${window} of ${new Date(start).toISOString().slice(0, 16)}Z`;
  return ready ? `ready for ${occurrence}` : `${occurrence} began without its headroom: ${why}`;
}

/** Of live schedules that do not count: the text is one for all NodePools. */
function refusals(
  nodePools: readonly HeadroomOutcome[],
  { liveText }: Pick<Observed, 'liveText'>,
): readonly ClusterEvent[] {
  const note = nodePools.find(({ live }) => live?.news !== undefined)?.live?.news;
  if (note === undefined) return [];
  const uid = liveText && 'uid' in liveText ? { uid: liveText.uid } : {};
  const regarding = { apiVersion: 'v1', kind: 'ConfigMap', name: LIVE_SCHEDULES, ...uid };
  return [{ regarding, type: 'Warning', reason: 'SchedulesRefused', note }];
}
