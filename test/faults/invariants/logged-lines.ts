import { isDeepStrictEqual } from 'node:util';
import type { HeadroomFigures } from '../../../shared/core/ports/ports';
import type { Invocation } from '../environment/invocation';
import { expectedReady } from '../model/expected-ready';
import { occurrencesNow, requestTime } from '../model/expected-size';
import { expectedTaken } from '../model/expected-taken';
import { MINUTE } from '../model/minute-windows';
import type { WrittenRecord, WrittenRequest } from '../model/written-record';
import { sizeOf, wanted } from './modelled-occurrences';
import { annotation, clean, differs, type ModelledWrite, modelledBy } from './modelled-write';

const DAY = 1_440 * MINUTE;
const COUNTED_WITHIN_MS = 5 * MINUTE;

type Fields = Readonly<Record<string, unknown>>;

/** What the log and the metrics say of each headroom that was written is what the write changed. */
export function wrongLines(invocation: Invocation): string | undefined {
  const lines = linesOf(invocation, 'headroom decided');
  const known = lines.flatMap((line) => writeOf(invocation, String(line.headroom)) ?? []);
  for (const line of lines) {
    const write = writeOf(invocation, String(line.headroom));
    const wrong = write && (wrongDecided(line, write) ?? wrongFigures(invocation, write, line.change === 'created'));
    if (wrong !== undefined) return wrong;
  }
  if (known.length < lines.length) return undefined;
  return (
    wrongSet(invocation, 'headroom ready for its window', known.flatMap(readyLines)) ??
    wrongSet(invocation, 'window began without its headroom', known.flatMap(lateLines)) ??
    wrongSet(
      invocation,
      'nodes counted after the occurrence began, so nodes that it already added may count twice',
      known.flatMap(countedLateLines),
    ) ??
    wrongSet(invocation, 'work took headroom', known.flatMap(takenLines)) ??
    wrongUnreadable(invocation, known)
  );
}

export function linesOf({ logged }: Invocation, message: string): readonly Fields[] {
  return logged.filter((line) => line.message === message).map(({ fields }) => fields);
}

/** The last write of a headroom, if the model knows it. */
export function writeOf(invocation: Invocation, headroom: string): ModelledWrite | undefined {
  const write = modelledBy(invocation).get(`headroom-${headroom}`);
  return write && invocation.writes.get(`headroom-${headroom}`)?.object === write.object ? write : undefined;
}

function wrongDecided(line: Fields, write: ModelledWrite): string | undefined {
  const { object, previous, after } = write;
  const [before, to] = [previous?.spec.replicas ?? 0, object.spec.replicas];
  const isCreated = line.change === 'created' && annotation(previous, 'record') === undefined;
  const { drift, ...rest } = { ...line, reasons: plainReasons(line.reasons) } as Fields;
  const surges = Object.keys(after.surges).length;
  const counts = Object.entries(after.counts).map(([key, { at, until, ...one }]) => [
    key,
    { ...one, at: Date.parse(at), until: Date.parse(until) },
  ]);
  const expected = {
    headroom: write.pool.name,
    change: isCreated ? 'created' : before === to ? 'updated' : 'resized',
    from: isCreated ? 0 : before,
    to,
    reasons: reasonsOf(write),
    ...(surges > 0 && { surges }),
    ...(counts.length > 0 && { counts: Object.fromEntries(counts) }),
  };
  return differs('the line', rest, expected) ?? wrongDrift(drift, write);
}

/** The reasons in the annotation, and that a size set by hand was undone. */
export function reasonsOf({ object, previous }: ModelledWrite): readonly string[] {
  const reasons = JSON.parse(annotation(object, 'reasons') ?? '[]') as readonly string[];
  const { replicas } = previous?.spec ?? {};
  const decided = annotation(previous, 'decided-replicas');
  if (decided === undefined || replicas === Number(decided) || replicas === object.spec.replicas) return reasons;
  return [...reasons, `scaled by kubectl to ${replicas}, undone: use inflate for an emergency`];
}

/** The two who set sizes in a scenario, as one. */
export function plainReasons(reasons: unknown): unknown {
  const plain = (text: string) => text.replace(/^scaled by gitops to/, 'scaled by kubectl to');
  return Array.isArray(reasons) ? reasons.map(plain) : reasons;
}

/** A field that is named differed, and one that somebody else changed is named. */
function wrongDrift(drift: unknown, { object, previous }: ModelledWrite): string | undefined {
  if (!previous) return undefined;
  const isSame = (path: string) => isDeepStrictEqual(clean(valueAt(previous, path)), clean(valueAt(object, path)));
  if (drift !== undefined) return isSame(String(drift)) ? `logged the drift of ${drift}, which was right` : undefined;
  const decided = annotation(previous, 'decided-replicas');
  const isScaled = decided !== undefined && previous.spec.replicas !== Number(decided) && !isSame('spec.replicas');
  const hash = 'template-hash';
  const isEdited = decided !== undefined && annotation(previous, hash) === annotation(object, hash);
  const changed = IMAGE_AND_LABELS.find((path) => !isSame(path));
  return isScaled || (isEdited && changed) ? `logged no drift of ${isScaled ? 'spec.replicas' : changed}` : undefined;
}

const IMAGE_AND_LABELS = ['metadata.labels', 'spec.template.spec.containers[0].image'];

function valueAt(object: unknown, path: string): unknown {
  const [, head, key] = /^(metadata\.(?:labels|annotations))\.(.+)$/.exec(path) ?? [];
  const steps =
    head === undefined ? path.split(/[.[\]]+/).filter((one) => one !== '') : [...head.split('.'), key ?? ''];
  return steps.reduce<unknown>((here, step) => (here as Fields | undefined)?.[step], object);
}

function readyLines(write: ModelledWrite): readonly Fields[] {
  return verdicts(write, ({ ready }, before) => ready !== undefined && before?.ready === undefined).map(
    ({ line, start, why }) => ({ ...line, lateBySeconds: secondsAfter(start, write.now), why }),
  );
}

function takenLines({ by, pool, before, now }: ModelledWrite): readonly Fields[] {
  const taken = expectedTaken(by, pool, before, now);
  return taken ? [{ headroom: pool.name, ...taken }] : [];
}

function lateLines(write: ModelledWrite): readonly Fields[] {
  const isNew = ({ ready, why }: WrittenRequest, before: WrittenRequest | undefined) =>
    ready === undefined && why !== undefined && before?.why === undefined;
  return verdicts(write, isNew).map(({ line, why }) => ({ ...line, why }));
}

function verdicts(
  { pool, before, after }: ModelledWrite,
  isNew: (request: WrittenRequest, before: WrittenRequest | undefined) => boolean,
) {
  return Object.entries(after.requests).flatMap(([key, request]) => {
    if (!isNew(request, before.requests[key])) return [];
    const [window, start] = [key.slice(0, key.lastIndexOf('@')), key.slice(key.lastIndexOf('@') + 1)];
    return [{ line: { headroom: pool.name, window, start }, start: Date.parse(start), why: request.why }];
  });
}

/** Nodes that are counted long after they were requested. */
function countedLateLines(write: ModelledWrite): readonly Fields[] {
  const { pool, before, after, decided, now } = write;
  const windows = wanted({ pool, record: decided, now }).flatMap((one) => {
    const count = after.counts[one.key];
    // A count of another function at the same instant may be inherited.
    const isInherited = Object.values(before.counts).some(({ at }) => at === count?.at);
    const isNew = count?.at === new Date(now).toISOString() && count.assumed === undefined && !isInherited;
    return one.window.relative && isNew && requestTime(one, pool, decided) < now - COUNTED_WITHIN_MS
      ? [one.window.name]
      : [];
  });
  const counts = Object.fromEntries(
    Object.entries(after.counts).map(([key, { at, until, ...one }]) => [
      key,
      { ...one, at: Date.parse(at), until: Date.parse(until) },
    ]),
  );
  return windows.length === 0 ? [] : [{ headroom: pool.name, windows, counts }];
}

function wrongSet(invocation: Invocation, message: string, expected: readonly Fields[]): string | undefined {
  const order = (lines: readonly Fields[]) => lines.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return differs(`the log of "${message}"`, order(linesOf(invocation, message)), order(expected));
}

function keyOf({ headroom, window, start }: Fields): string {
  return `${headroom} ${window} ${start}`;
}

function wrongUnreadable(invocation: Invocation, known: readonly ModelledWrite[]): string | undefined {
  const lines = linesOf(invocation, 'record unreadable');
  const counted = invocation.counted.get('unreadableRecords') ?? 0;
  if (counted !== lines.length) return `counted ${counted} unreadable records, and logged ${lines.length}`;
  for (const { pool, object } of known) {
    const unreadable = annotation(object, 'unreadable-record');
    const expected = unreadable === undefined ? undefined : { headroom: pool.name, unreadable };
    const wrong = differs(
      'the line',
      lines.find(({ headroom }) => headroom === pool.name),
      expected,
    );
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongFigures({ figures }: Invocation, write: ModelledWrite, isCreated: boolean): string | undefined {
  const measured = figures.find(({ headroom }) => headroom === write.pool.name);
  return differs('the figures', measured, expectedFigures(write, isCreated));
}

function expectedFigures(write: ModelledWrite, isCreated: boolean): HeadroomFigures {
  const { by, pool, before, after, decided, now, previous, object } = write;
  const taken = expectedTaken(by, pool, before, now);
  const ready = isCreated ? 0 : expectedReady(previous);
  const unready = pool.windows
    .flatMap((window) => occurrencesNow(window, { pool, record: decided, now, decidedBefore: 0, broken: false }))
    .flatMap((one) => {
      const [request, size] = [after.requests[one.key], sizeOf(one, write)];
      return one.start <= now && request && request.ready === undefined && size !== undefined
        ? [{ start: one.start, size }]
        : [];
    });
  const late = isPinned(after, now) ? [] : unready;
  const isNew = ({ ready: at }: WrittenRequest, known: WrittenRequest | undefined) => at !== undefined && !known?.ready;
  const starts = [...verdicts({ ...write, before }, isNew), ...late].map(({ start }) => start);
  const wasLate = Object.entries(after.requests).some(
    ([key, { why }]) => why && Date.parse(key.slice(key.lastIndexOf('@') + 1)) > now - DAY,
  );
  return {
    headroom: pool.name,
    desired: object.spec.replicas,
    ready,
    ...((unready.length > 0 || wasLate) && { late: Math.max(0, ...late.map(({ size }) => size - ready)) }),
    ...(taken && { taken: taken.units }),
    ...(starts.length > 0 && { lateBySeconds: Math.max(...starts.map((start) => secondsAfter(start, now))) }),
  };
}

function isPinned({ override }: WrittenRecord, now: number): boolean {
  return override?.mode === 'exactly' && Date.parse(override.until) > now;
}

function secondsAfter(start: number, now: number): number {
  return Math.max(0, Math.round((now - start) / 1_000));
}
