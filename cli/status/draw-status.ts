import { REASONS } from '../../shared/core/basics/reasons';
import type { HeadroomConfig } from '../../shared/core/config/config';
import { sizeText } from '../../shared/core/config/unit-text';
import type { KeptLike } from '../../shared/core/like/kept-like';
import { requestedOccurrences } from '../../shared/core/occurrences/requests';
import type { HeadroomRecord } from '../../shared/core/record/record';
import type { HeadroomStatus } from '../../shared/core/status';
import { endsOf } from '../../shared/core/windows/edges';
import { localMillis } from '../../shared/core/windows/window';
import { count } from '../../shared/drawing/amounts';
import { figuresText } from '../../shared/drawing/headroom-figures';
import { localTime, momentText, withMoments } from '../../shared/drawing/local-time';
import { edgeText, plannedUnits } from '../../shared/drawing/next-text';
import { isLate, leadText, occurrenceText } from '../../shared/drawing/occurrence-text';
import { windowSize } from '../../shared/drawing/plan-model';
import { overrideSize, plannedText } from '../../shared/drawing/size-text';
import { pad, textWidth } from '../../shared/drawing/text-width';
import { bar } from '../terminal/bar';
import { relative } from '../terminal/relative-time';
import { type Colour, type Paint, painter, type Terminal } from '../terminal/terminal';
import { wrap, wrapAfter } from '../terminal/wrap';
import { blockers, figuresIn, nounIn, type PoolView, type StatusView, troublesOf } from './troubles';

const LABEL = 9;
const BAR = 20;
const MAX_OCCURRENCES = 3;

type Line = readonly [label: string, text: string, colour?: Colour];

export function drawStatus(view: StatusView, { width, colours }: Pick<Terminal, 'width' | 'colours'>): string {
  const paint = painter({ colours });
  const zones = new Set(view.pools.map(({ timezone }) => timezone));
  const [zone = 'UTC'] = zones.size === 1 ? zones : [];
  const title = `${paint('bold', view.clusterName)} at ${localTime(zone, view.now)} ${zone}, by ${view.place}`;
  const warning = view.mismatch === undefined ? [] : wrap(`ANOTHER CLUSTER: ${view.mismatch}`, width);
  const longest = Math.max(...view.pools.map(({ status }) => textWidth(status.headroom)));
  const blocks = view.pools.map((pool) => [
    headline(pool, longest, width, paint),
    ...linesOf(pool, view).flatMap(([label, text, colour]) =>
      wrapAfter(`  ${pad(label, LABEL)}`, ' '.repeat(LABEL + 2), text, width).map((line) =>
        colour ? paint(colour, line) : line,
      ),
    ),
  ]);
  return `${[...warning.map((line) => paint('red', line)), ...wrap(title, width), ...blocks.flatMap((lines) => ['', ...lines])].join('\n')}\n`;
}

/** For monitoring: one line per problem, or one that reports that all is well. */
export function drawCheck(seen: StatusView): string {
  const { pools, clusterName, mismatch } = seen;
  const poolLines = pools.flatMap((view) =>
    [
      ...troublesOf(view, seen).map(({ kind, text }) => `${kind}: ${text}`),
      ...view.why.map((text) => `missing: ${text}`),
    ].map((text) => `${view.status.headroom} ${text}`),
  );
  const lines = [...(mismatch === undefined ? [] : [`another cluster: ${mismatch}`]), ...poolLines];
  const ready = pools.reduce((sum, { status }) => sum + Math.min(status.ready, status.wanted), 0);
  const fine = `ok: ${count(pools.length, 'headroom')} of ${clusterName}, all ${ready} wanted are ready`;
  return `${(lines.length > 0 ? lines : [fine]).join('\n')}\n`;
}

function headline(view: PoolView, longest: number, width: number, paint: Paint): string {
  const { headroom, shortfall } = view.status;
  const { wanted, ready, leaving } = figuresIn(view);
  const name = paint('bold', pad(headroom, longest));
  const extra = leaving > 0 ? `, ${leaving} leaving` : '';
  if (wanted === 0) return `${name}  ${paint('dim', `no headroom wanted now${extra}`)}`;
  const drawn = bar(ready, wanted, Math.max(5, Math.min(BAR, width - longest - 40)));
  const short = shortfall > 0 ? paint('yellow', `  ${shortfall} short`) : '';
  return `${name}  ${paint(shortfall > 0 ? 'yellow' : 'green', drawn)}  ${ready} of ${count(wanted, nounIn(view))} ready${extra}${short}`;
}

function linesOf(view: PoolView, { now, commands }: StatusView): readonly Line[] {
  const { status, timezone, pool, why, use, edits = [] } = view;
  const { next, intents, missing, wanted, replicas, liveProblem, uncounted } = status;
  // The problem has a line of its own.
  const reasons = status.reasons.filter((text) => liveProblem === undefined || !text.includes(liveProblem));
  const noDeployment = 'the Deployment does not exist yet; deploy, or wait for the next heartbeat';
  const behind =
    uncounted === undefined
      ? `the Deployment has ${replicas} replicas; the next heartbeat sets ${wanted}`
      : `the next heartbeat counts the baseline and adds ${count(uncounted, 'node')}`;
  return given(
    status.nodePool !== undefined && ['on', `NodePool ${status.nodePool}`],
    status.like && ['like', likeText(status.like, wanted)],
    ['because', withMoments(reasons.join('; '), timezone, now)],
    use && ['in use', use.ok ? figuresText(figuresIn(view), nounIn(view)) : `not known: ${use.why}`],
    ['next', next ? withMoments(nextText(view, next, now), timezone, now) : 'no change scheduled'],
    ...edits.map((text): Line => ['live', withMoments(text, timezone, now)]),
    ...occurrenceLines(intents, pool, timezone, now),
    ...peakLines(pool, timezone, now),
    ...intentLines(intents, timezone, now),
    missing && ['problem', noDeployment, 'red'],
    !missing && (uncounted !== undefined || replicas !== wanted) && ['note', behind],
    ...(status.liveNotes ?? []).map((text): Line => ['live', text, 'yellow']),
    ...blockers(status, commands).map(({ text }): Line => ['problem', text, 'red']),
    ...why.map((text): Line => ['missing', text, 'yellow']),
  );
}

/** Without those that are not given. */
function given(...lines: readonly (Line | false | undefined)[]): readonly Line[] {
  return lines.filter((line) => line !== false && line !== undefined);
}

function occurrenceLines(
  record: HeadroomRecord,
  pool: HeadroomConfig | undefined,
  timezone: string,
  now: number,
): readonly Line[] {
  const lead = pool && leadText(pool, record);
  const windows = pool?.windows ?? [];
  const last = requestedOccurrences(record, windows).slice(0, MAX_OCCURRENCES);
  return given(
    lead !== undefined && ['lead', lead],
    ...last.map((occurrence): Line => {
      const text = withMoments(occurrenceText(occurrence, { windows, now }), timezone, now);
      return isLate(occurrence, windows, now) ? ['window', text, 'yellow'] : ['window', text];
    }),
  );
}

/** Announced peaks that are not over, and where they come from. */
function peakLines(pool: HeadroomConfig | undefined, timezone: string, now: number): Line[] {
  const peaks = (pool?.windows ?? []).flatMap((window) => {
    const { kind, live } = window;
    const end = kind === 'once' && live?.announced ? endsOf(window).next(now) : undefined;
    return live && end !== undefined && kind === 'once'
      ? [{ ...window, live, start: localMillis(window.from), end }]
      : [];
  });
  const inOrder = peaks.sort((a, b) => a.start - b.start);
  return inOrder.map((peak) => ['peak', withMoments(REASONS.peak(peak, windowSize(peak)), timezone, now)]);
}

/** Whose pods the pause pods make room for, and for how many. */
function likeText({ workload, shape }: KeptLike, wanted: number): string {
  if (!shape) return `${workload}: its pods are not known yet`;
  const { pods, requests } = shape;
  const size = sizeText({ unit: { kind: 'slice', requests } });
  return `${workload}: room for ${count(wanted * pods, 'pod')} of ${size}, ${pods} in each pause pod`;
}

function nextText({ pool, status }: PoolView, next: NonNullable<HeadroomStatus['next']>, now: number): string {
  const at = Date.parse(next.at);
  const planned = { ...next, uncounted: next.addNodes };
  const size = pool ? plannedUnits(planned, pool) : plannedText(planned);
  const edge = pool ? edgeText(pool, status.intents, at) : next.at;
  return `${edge} (${relative(at, now)}): ${size}`;
}

function intentLines(record: HeadroomRecord, timezone: string, now: number): readonly Line[] {
  const { override, released, alarms, surges } = record;
  const moment = (at: number) => `${momentText(timezone, at, now)} (${relative(at, now)})`;
  const taken = Object.entries(surges);
  const nodes = `${count(taken.length, 'interrupted node')} (${taken.map(([id, { cause }]) => `${id} ${cause}`).join(', ')})`;
  const last = Math.max(0, ...taken.map(([, surge]) => surge.until));
  return given(
    override && [
      'override',
      `${overrideSize(override)} until ${moment(override.until)}, by ${override.by}: ${override.reason}`,
    ],
    released?.by !== undefined && ['released', `${moment(released.at)} by ${released.by}: ${released.reason ?? ''}`],
    ...Object.entries(alarms).map(([name, { state, at, counted }]): Line => {
      const nodes = counted ? `, with ${count(counted.nodes, 'node')} counted` : '';
      const text = `${name} in ${state} since ${moment(at)}${nodes}`;
      return state === 'ALARM' ? ['alarm', text, 'yellow'] : ['alarm', text];
    }),
    taken.length > 0 && ['surge', `for ${nodes}, until ${moment(last)}`],
  );
}
