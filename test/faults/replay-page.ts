import { ANNOTATIONS, readReasons } from '../../shared/core/manifests/annotations';
import { escapeMarkup } from '../../shared/drawing/markup';
import { htmlTable, page } from '../../shared/drawing/page';
import { type TimeLine, timeSvg } from '../../shared/drawing/time-svg';
import { Invocation } from './environment/invocation';
import {
  type HeadroomWrite,
  runScenario,
  type ScenarioOptions,
  type ScenarioResult,
  type TraceEntry,
} from './scenario';

/** One seed with everything that happened in it. */
export interface Replay {
  readonly result: ScenarioResult;
  readonly trace: readonly TraceEntry[];
  readonly writes: readonly HeadroomWrite[];
}

export async function replay(options: Pick<ScenarioOptions, 'seed' | 'strategy'>): Promise<Replay> {
  const trace: TraceEntry[] = [];
  const writes: HeadroomWrite[] = [];
  const result = await runScenario({
    ...options,
    onTrace: (entry) => trace.push(entry),
    onWrite: (write) => writes.push(write),
  });
  return { result, trace, writes };
}

const STEP = { title: 'step', number: true };
const TIME = { title: 'time (UTC)' };

/** A self-contained page: the violated invariants, the sizes of every Deployment over time, and the trace. */
export function replayPage({ result, trace, writes }: Replay): string {
  const { seed, steps, violations, startedAt, endedAt } = result;
  const title = `Fault seed ${seed}`;
  const verdict =
    violations.length === 0
      ? ['<p>No invariant was violated.</p>']
      : violations.map((what) => `<p><strong>VIOLATED at ${utc(endedAt)} UTC: ${escapeMarkup(what)}</strong></p>`);
  const body = [
    `<h1>${title}</h1>`,
    ...verdict,
    `<p class="soft">${steps} steps from ${utc(startedAt)} to ${utc(endedAt)} UTC</p>`,
    ...sizesByName(writes).map(([name, changes]) => sizesSection(name, changes, result)),
    '<h2>Trace</h2>',
    htmlTable(
      [STEP, TIME, { title: 'what happened' }],
      trace.map(({ step, at, text }) => [`${step}`, timeOfDay(at), text]),
    ),
  ];
  return page(title, body.join('\n'));
}

/** `18:56:10.649`: a scenario takes minutes, and the page has the day on top. */
export function timeOfDay(instant: number): string {
  return utc(instant).slice(11);
}

/** `2026-11-20 18:56:10.649`. */
function utc(instant: number): string {
  return new Date(instant).toISOString().slice(0, -1).replace('T', ' ');
}

interface SizeChange {
  readonly at: number;
  readonly step: number;
  readonly from: number;
  readonly to: number;
  readonly by: string;
  readonly byHeadstart: boolean;
  readonly reasons: string;
}

function sizesByName(writes: readonly HeadroomWrite[]): readonly (readonly [string, readonly SizeChange[]])[] {
  const byName = new Map<string, SizeChange[]>();
  for (const write of writes) {
    const change = sizeChange(write);
    if (change.from === change.to) continue;
    const { name } = write.change.object.metadata;
    byName.set(name, [...(byName.get(name) ?? []), change]);
  }
  return [...byName].sort(([a], [b]) => a.localeCompare(b));
}

function sizeChange({ at, step, writer, change: { type, object, previous } }: HeadroomWrite): SizeChange {
  const byHeadstart = writer instanceof Invocation;
  const reasons = byHeadstart ? readReasons(object.metadata.annotations?.[ANNOTATIONS.reasons]).join('; ') : '';
  return {
    at,
    step,
    from: previous?.spec.replicas ?? 0,
    to: type === 'DELETED' ? 0 : object.spec.replicas,
    by: byHeadstart ? writer.label : writer,
    byHeadstart,
    reasons: type === 'DELETED' ? 'deleted' : reasons,
  };
}

function sizesSection(name: string, changes: readonly SizeChange[], { startedAt, endedAt }: ScenarioResult): string {
  // An operator may set 500 replicas, which would flatten everything that Headstart decides.
  const top = 2 * Math.max(2, ...changes.filter(({ byHeadstart }) => byHeadstart).map(({ to }) => to));
  const isCut = changes.some(({ to }) => to > top);
  const line: TimeLine = {
    name: isCut ? `replicas, cut off at ${top}` : 'replicas',
    colour: 'var(--area)',
    points: [{ at: startedAt, value: 0 }, ...changes.map(({ at, to }) => ({ at, value: Math.min(to, top) }))],
  };
  const rows = changes.map(({ step, at, from, to, by, reasons }) => [
    `${step}`,
    timeOfDay(at),
    `${from} → ${to}`,
    by,
    reasons,
  ]);
  return [
    `<h2>${escapeMarkup(name)}</h2>`,
    timeSvg({ from: startedAt, to: endedAt, timezone: 'UTC' }, `replicas of ${name} over time`, [line]),
    htmlTable([STEP, TIME, { title: 'replicas' }, { title: 'written by' }, { title: 'reasons' }], rows),
  ].join('\n');
}
