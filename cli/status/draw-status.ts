import type { NodePoolConfig } from '../../shared/core/config/config';
import { unitNoun } from '../../shared/core/config/unit-text';
import type { FloorUse } from '../../shared/core/karpenter/nodes-in-use';
import type { HeadroomRecord } from '../../shared/core/record/record';
import type { PoolStatus } from '../../shared/core/status';
import { count } from '../../shared/drawing/amounts';
import { localClock, localDay, localTime } from '../../shared/drawing/local-time';
import { orderText, plannedText } from '../../shared/drawing/size-text';
import { pad, textWidth } from '../../shared/drawing/text-width';
import type { Read } from '../access/read';
import { bar } from '../terminal/bar';
import { type Colour, type Paint, painter } from '../terminal/paint';
import { relative } from '../terminal/relative-time';
import type { Terminal } from '../terminal/terminal';
import { wrap, wrapAfter } from '../terminal/wrap';

const LABEL = 9;
const BAR = 20;

export interface StatusView {
  readonly clusterName: string;
  readonly place: string;
  readonly now: number;
  readonly pools: readonly PoolView[];
}

export interface PoolView {
  readonly status: PoolStatus;
  readonly timezone: string;
  /** Absent where the config of this folder does not know the pool. */
  readonly pool?: NodePoolConfig;
  /** How much of a floor runs work; only known where the cluster itself was asked. */
  readonly use?: Read<FloorUse>;
  /** Why capacity is missing; only known where the cluster itself was asked. */
  readonly why: readonly string[];
}

type Line = readonly [label: string, text: string, colour?: Colour];

/** Each NodePool's headroom: its size, the reasons, and the next change. */
export function drawStatus(view: StatusView, { width, colours }: Pick<Terminal, 'width' | 'colours'>): string {
  const paint = painter({ colours });
  const title = `${paint('bold', view.clusterName)} at ${localTime('UTC', view.now)} UTC, by ${view.place}`;
  const longest = Math.max(...view.pools.map(({ status }) => textWidth(status.nodePool)));
  const blocks = view.pools.map((pool) => [
    headline(pool, longest, width, paint),
    ...linesOf(pool, view.now).flatMap(([label, text, colour]) =>
      wrapAfter(`  ${pad(label, LABEL)}`, ' '.repeat(LABEL + 2), text, width).map((line) =>
        colour ? paint(colour, line) : line,
      ),
    ),
  ]);
  return `${[...wrap(title, width), ...blocks.flatMap((lines) => ['', ...lines])].join('\n')}\n`;
}

function headline({ status, pool }: PoolView, longest: number, width: number, paint: Paint): string {
  const { nodePool, wanted, ready, shortfall } = status;
  const name = paint('bold', pad(nodePool, longest));
  if (wanted === 0 && ready === 0) return `${name}  ${paint('dim', 'no headroom wanted now')}`;
  const drawn = bar(Math.min(ready, wanted), wanted, Math.max(5, Math.min(BAR, width - longest - 40)));
  const colour = shortfall > 0 ? 'yellow' : 'green';
  const what = pool ? `${unitNoun(pool.unit)}s` : 'nodes';
  const extra = ready > wanted ? `, ${ready - wanted} leaving` : '';
  const short = shortfall > 0 ? `  ${shortfall} short` : '';
  return `${name}  ${paint(colour, drawn)}  ${Math.min(ready, wanted)} of ${wanted} ${what} ready${extra}${paint('yellow', short)}`;
}

function linesOf({ status, timezone, why, use }: PoolView, now: number): Line[] {
  const { reasons, next, intents, missing, wanted, replicas } = status;
  const lines: Line[] = [['because', reasons.join('; ')]];
  if (use) lines.push(['in use', useText(use)]);
  if (next) lines.push(['next', nextText(next, timezone, now)]);
  else lines.push(['next', 'no change in sight']);
  lines.push(...intentLines(intents, timezone, now));
  if (missing)
    lines.push(['problem', 'the Deployment does not exist yet; deploy, or wait for the next heartbeat', 'red']);
  else if (status.uncounted !== undefined)
    lines.push(['note', `the next heartbeat counts the nodes, and sets ${status.uncounted} more than these`]);
  else if (replicas !== wanted)
    lines.push(['note', `the Deployment has ${replicas} replicas; the next heartbeat sets ${wanted}`]);
  lines.push(...problemsOf(status).map((text): Line => ['problem', text, 'red']));
  lines.push(...why.map((text): Line => ['missing', text, 'yellow']));
  return lines;
}

function useText(use: Read<FloorUse>): string {
  return use.ok ? `${use.value.inUse} of ${count(use.value.nodes, 'node')} run work` : `not known: ${use.why}`;
}

function problemsOf({ nodePool, unreadable, held, contested, noSuchNodePool, foreignOwner }: PoolStatus): string[] {
  return [
    ...(unreadable === undefined
      ? []
      : [
          `part of the record cannot be read, so the headroom is held at ${held} or more; run headstart release ${nodePool} to clear it: ${unreadable}`,
        ]),
    ...(foreignOwner === undefined
      ? []
      : [`the Deployment belongs to ${foreignOwner}; give one of the two stacks another cluster.namespace`]),
    ...(noSuchNodePool
      ? [`the cluster has no NodePool ${nodePool}; create it, or remove it from the config and deploy`]
      : []),
    ...(contested === undefined
      ? []
      : [`somebody else keeps changing ${contested}; exclude the namespace from the other tool`]),
  ];
}

function nextText(next: NonNullable<PoolStatus['next']>, timezone: string, now: number): string {
  const at = Date.parse(next.at);
  const sameDay = localDay(timezone, at) === localDay(timezone, now);
  const when = sameDay ? localClock(timezone, at) : localTime(timezone, at);
  const { replicas, addNodes } = next;
  const size = plannedText({ replicas, uncounted: addNodes });
  return `${size}${addNodes === undefined ? '' : ' nodes'} from ${when} ${timezone} (${relative(at, now)}): ${next.reasons.join('; ')}`;
}

function intentLines({ override, released, alarms, surges }: HeadroomRecord, timezone: string, now: number): Line[] {
  const until = (at: number) => `until ${localClock(timezone, at)} ${timezone} (${relative(at, now)})`;
  const ordered: Line[] = override
    ? [['override', `${orderText(override)} ${until(override.until)}, by ${override.by}: ${override.reason}`]]
    : [];
  const firing = Object.entries(alarms).map(([name, { state, at }]): Line => {
    const text = `${name} in ${state} since ${localTime(timezone, at)} (${relative(at, now)})`;
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
      : [
          [
            'released',
            `${localTime(timezone, released.at)} (${relative(released.at, now)}) by ${released.by}: ${released.reason ?? ''}`,
          ],
        ];
  return [...ordered, ...ended, ...firing, ...surge];
}
