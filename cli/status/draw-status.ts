import { REASONS } from '../../shared/core/basics/reasons';
import type { NodePoolConfig } from '../../shared/core/config/config';
import { unitNoun } from '../../shared/core/config/unit-text';
import type { FloorUse } from '../../shared/core/karpenter/nodes-in-use';
import { leadTimeOf } from '../../shared/core/record/lead-time';
import type { HeadroomRecord } from '../../shared/core/record/record';
import { requestedOccurrences } from '../../shared/core/record/requested-occurrences';
import type { PoolStatus } from '../../shared/core/status';
import { endsOf } from '../../shared/core/windows/edges';
import { localMillis } from '../../shared/core/windows/window';
import { count } from '../../shared/drawing/amounts';
import { localTime, momentText, withMoments } from '../../shared/drawing/local-time';
import { isLate, leadText, occurrenceText } from '../../shared/drawing/occurrence-text';
import { windowSize } from '../../shared/drawing/plan-model';
import { overrideSize, plannedText } from '../../shared/drawing/size-text';
import { pad, textWidth } from '../../shared/drawing/text-width';
import type { Read } from '../access/read';
import { relative } from '../terminal/relative-time';
import { bar } from '../terminal/table';
import { type Colour, type Paint, painter, type Terminal } from '../terminal/terminal';
import { wrap, wrapAfter } from '../terminal/wrap';
import { blockers, type PoolView, type StatusView, troublesOf } from './troubles';

const LABEL = 9;
const BAR = 20;
/** How many of the last occurrences are listed. */
const MAX_OCCURRENCES = 3;

type Line = readonly [label: string, text: string, colour?: Colour];

/** Each NodePool's headroom: its size, the reasons, and the next change. */
export function drawStatus(view: StatusView, { width, colours }: Pick<Terminal, 'width' | 'colours'>): string {
  const paint = painter({ colours });
  const zones = new Set(view.pools.map(({ timezone }) => timezone));
  const [zone = 'UTC'] = zones.size === 1 ? zones : [];
  const title = `${paint('bold', view.clusterName)} at ${localTime(zone, view.now)} ${zone}, by ${view.place}`;
  const warning = view.mismatch === undefined ? [] : wrap(`ANOTHER CLUSTER: ${view.mismatch}`, width);
  const longest = Math.max(...view.pools.map(({ status }) => textWidth(status.nodePool)));
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
    ].map((text) => `${view.status.nodePool} ${text}`),
  );
  const lines = [...(mismatch === undefined ? [] : [`another cluster: ${mismatch}`]), ...poolLines];
  const ready = pools.reduce((sum, { status }) => sum + Math.min(status.ready, status.wanted), 0);
  const fine = `ok: ${count(pools.length, 'NodePool')} of ${clusterName}, all ${ready} wanted are ready`;
  return `${(lines.length > 0 ? lines : [fine]).join('\n')}\n`;
}

function headline({ status, pool }: PoolView, longest: number, width: number, paint: Paint): string {
  const { nodePool, wanted, ready, shortfall } = status;
  const name = paint('bold', pad(nodePool, longest));
  const extra = ready > wanted ? `, ${ready - wanted} leaving` : '';
  if (wanted === 0) return `${name}  ${paint('dim', `no headroom wanted now${extra}`)}`;
  const drawn = bar(Math.min(ready, wanted), wanted, Math.max(5, Math.min(BAR, width - longest - 40)));
  const colour = shortfall > 0 ? 'yellow' : 'green';
  const what = pool ? `${unitNoun(pool.unit)}s` : 'nodes';
  const short = shortfall > 0 ? `  ${shortfall} short` : '';
  return `${name}  ${paint(colour, drawn)}  ${Math.min(ready, wanted)} of ${wanted} ${what} ready${extra}${paint('yellow', short)}`;
}

function linesOf({ status, timezone, pool, why, use }: PoolView, { now, commands }: StatusView): Line[] {
  const { next, intents, missing, wanted, replicas, liveProblem } = status;
  // The problem has a line of its own.
  const reasons = status.reasons.filter((text) => liveProblem === undefined || !text.includes(liveProblem));
  const lines: Line[] = [['because', withMoments(reasons.join('; '), timezone, now)]];
  if (use) lines.push(['in use', useText(use)]);
  if (next) lines.push(['next', nextText(next, timezone, now)]);
  else lines.push(['next', 'no change scheduled']);
  lines.push(...occurrenceLines(intents, pool, timezone, now));
  lines.push(...peakLines(pool, timezone, now), ...intentLines(intents, timezone, now));
  if (missing)
    lines.push(['problem', 'the Deployment does not exist yet; deploy, or wait for the next heartbeat', 'red']);
  else if (status.uncounted !== undefined)
    lines.push(['note', `the next heartbeat counts the baseline and adds ${count(status.uncounted, 'node')}`]);
  else if (replicas !== wanted)
    lines.push(['note', `the Deployment has ${replicas} replicas; the next heartbeat sets ${wanted}`]);
  lines.push(...(status.liveNotes ?? []).map((text): Line => ['live', text, 'yellow']));
  lines.push(...blockers(status, commands).map(({ text }): Line => ['problem', text, 'red']));
  lines.push(...why.map((text): Line => ['missing', text, 'yellow']));
  return lines;
}

/** The learned lead time, and how the last occurrences went. */
function occurrenceLines(
  record: HeadroomRecord,
  pool: NodePoolConfig | undefined,
  timezone: string,
  now: number,
): Line[] {
  const lead = pool && leadText(leadTimeOf(pool, record));
  const windows = pool?.windows ?? [];
  const last = requestedOccurrences(record, windows).slice(0, MAX_OCCURRENCES);
  return [
    ...(lead === undefined ? [] : [['lead', lead] as const]),
    ...last.map((occurrence): Line => {
      const text = occurrenceText(occurrence, { windows, timezone, now });
      return isLate(occurrence, windows, now) ? ['window', text, 'yellow'] : ['window', text];
    }),
  ];
}

/** Announced peaks that are not over, and where they come from. */
function peakLines(pool: NodePoolConfig | undefined, timezone: string, now: number): Line[] {
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

function useText(use: Read<FloorUse>): string {
  return use.ok ? `${use.value.inUse} of ${count(use.value.nodes, 'node')} run work` : `not known: ${use.why}`;
}

function nextText(next: NonNullable<PoolStatus['next']>, timezone: string, now: number): string {
  const at = Date.parse(next.at);
  const size = plannedText({ replicas: next.replicas, uncounted: next.addNodes });
  const text = `${size} from ${next.at} (${relative(at, now)}): ${next.reasons.join('; ')}`;
  return withMoments(text, timezone, now);
}

function intentLines({ override, released, alarms, surges }: HeadroomRecord, timezone: string, now: number): Line[] {
  const moment = (at: number) => `${momentText(timezone, at, now)} (${relative(at, now)})`;
  const until = (at: number) => `until ${moment(at)}`;
  const overridden: Line[] = override
    ? [['override', `${overrideSize(override)} ${until(override.until)}, by ${override.by}: ${override.reason}`]]
    : [];
  const firing = Object.entries(alarms).map(([name, { state, at }]): Line => {
    const text = `${name} in ${state} since ${moment(at)}`;
    return state === 'ALARM' ? ['alarm', text, 'yellow'] : ['alarm', text];
  });
  const taken = Object.entries(surges);
  const last = Math.max(0, ...taken.map(([, surge]) => surge.until));
  const surge: Line[] =
    taken.length === 0
      ? []
      : [
          [
            'surge',
            `for ${count(taken.length, 'interrupted node')} (${taken.map(([id, { cause }]) => `${id} ${cause}`).join(', ')}), ${until(last)}`,
          ],
        ];
  const ended: Line[] =
    released?.by === undefined
      ? []
      : [['released', `${moment(released.at)} by ${released.by}: ${released.reason ?? ''}`]];
  return [...overridden, ...ended, ...firing, ...surge];
}
