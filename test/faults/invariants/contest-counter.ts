import type { Deployment } from '../../../lab/simulator/kube/object-types';
import { annotation, differs, type ModelledWrite } from './modelled-write';

const MINUTE = 60_000;
/** A field is restored this often at once, then every ten minutes; a fight is forgotten after a quarter of an hour. */
const MAX_FIGHTS = 5;
const RETRY_AFTER_MS = 10 * MINUTE;
const FORGOTTEN_AFTER_MS = 15 * MINUTE;

interface Contest {
  readonly field: string;
  readonly times: number;
  readonly at: string;
}

/** Every write remembers the fights that stand; one that restores a size counts one more, whatever else it writes. */
export function wrongContests({ object, previous, now }: ModelledWrite): string | undefined {
  const known = contestsIn(previous).filter(({ at }) => now - Date.parse(at) < FORGOTTEN_AFTER_MS);
  const decided = annotation(previous, 'decided-replicas');
  const isRestored = decided !== undefined && previous?.spec.replicas !== Number(decided);
  const isFight = isRestored && previous?.spec.replicas !== object.spec.replicas;
  const size = known.find(({ field }) => field === 'spec.replicas');
  const next = { field: 'spec.replicas', times: (size?.times ?? 0) + 1, at: new Date(now).toISOString() };
  const written = contestsIn(object);
  const expected = isFight ? next : size;
  return (
    differs(
      'contest',
      written.find(({ field }) => field === 'spec.replicas'),
      expected,
    ) ??
    forgotten(written, known) ??
    tooEager(written, { object, previous, now })
  );
}

function forgotten(written: readonly Contest[], known: readonly Contest[]): string | undefined {
  const lost = known.find(({ field, times }) => !written.some((one) => one.field === field && one.times >= times));
  return lost && `the fight for ${lost.field} is forgotten`;
}

/** A write that changes nothing of our own restores a field that is due. */
function tooEager(
  written: readonly Contest[],
  { object, previous, now }: Pick<ModelledWrite, 'object' | 'previous' | 'now'>,
): string | undefined {
  const own = ['record', 'reasons', 'decided-replicas', 'template-hash', 'owner', 'unreadable-record', 'live'];
  if (!previous || own.some((name) => annotation(object, name) !== annotation(previous, name))) return undefined;
  const fought = written.filter(({ at }) => Date.parse(at) === now);
  const before = contestsIn(previous);
  const waits = fought.every(({ field }) => {
    const one = before.find((other) => other.field === field);
    return one && one.times >= MAX_FIGHTS && now - Date.parse(one.at) < RETRY_AFTER_MS;
  });
  return fought.length > 0 && waits ? `${fought[0]?.field} was restored before it was due` : undefined;
}

function contestsIn(object: Deployment | undefined): readonly Contest[] {
  const parsed = JSON.parse(annotation(object, 'contested-field') ?? '[]') as Contest | readonly Contest[];
  return Array.isArray(parsed) ? parsed : [parsed as Contest];
}
