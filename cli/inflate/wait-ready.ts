import type { HeadroomConfig } from '../../shared/core/config/config';
import type { CapacityFacts } from '../../shared/core/karpenter/capacity-facts';
import { causeText, type MissingCause, whyMissing } from '../../shared/core/karpenter/why-missing';
import type { Override, Release } from '../../shared/core/record/record';
import type { HeadroomStatus } from '../../shared/core/status';
import { overrideSize } from '../../shared/drawing/size-text';
import { cut, textWidth } from '../../shared/drawing/text-width';
import { type Access, statusOf } from '../functions/access';
import { readCapacity } from '../kube/read-capacity';
import { bar } from '../terminal/bar';
import { CLEAR_LINE } from '../terminal/plain';
import { coarse } from '../terminal/relative-time';
import { painter, type Terminal } from '../terminal/terminal';
import { wrapAfter } from '../terminal/wrap';
import { nodeText, type Waited } from './messages';

const POLL_MS = 2_000;
/** Most of what is missing at first arrives without intervention. */
const EXPLAIN_AFTER_MS = 15_000;
/** The time that the function records for an override and the time in its response differ by less than this. */
const SAME_MS = 5_000;
const BAR = 20;
const MIN_BAR = 5;

export interface Waiting {
  readonly pool: HeadroomConfig;
  /** The override to wait for; if given, the waiting ends when another override or a release replaces it. */
  readonly override?: Pick<Override, 'mode' | 'replicas' | 'until'>;
  readonly namespace: string;
  readonly since: number;
  readonly until: number;
  readonly timeoutMs: number;
  /** Draws nothing, for `--json`. */
  readonly quiet: boolean;
}

export async function waitReady(access: Access, waiting: Waiting, terminal: Terminal): Promise<Waited> {
  const { since, until, timeoutMs, pool, namespace } = waiting;
  let interrupted = false;
  const stopListening = terminal.onInterrupt(() => {
    interrupted = true;
  });
  const screen = progressScreen(waiting, terminal);
  let end: Omit<Waited, 'kind'> = { wanted: waiting.override?.replicas ?? 0, ready: 0, afterMs: 0, why: [] };
  try {
    for (;;) {
      const [status, facts] = await Promise.all([
        statusOf(access, pool.name),
        access.transport ? readCapacity(access.transport, namespace, pool) : undefined,
      ]);
      const now = access.now();
      // After the override has expired, the wanted size is that of the config.
      if (now >= until) return { kind: 'ended', ...end, afterMs: now - since };
      const instead = replacementOf(status, waiting);
      if (instead !== undefined) return { kind: 'replaced', ...end, afterMs: now - since, instead };
      const seen = { wanted: status.wanted, ready: Math.min(status.ready, status.wanted) };
      const isReady = isAllReady(status);
      const why = facts && !isReady ? whyMissing(facts, pool, now) : [];
      screen.draw({ ...seen, now, why, ...(facts && { facts }) });
      const coming = facts && nodeText(facts, seen.wanted, pool.unit, since);
      end = { ...seen, afterMs: now - since, why: whyTexts(why, coming) };
      if (isReady) return { kind: 'ready', ...end, why: [] };
      if (interrupted) return { kind: 'interrupted', ...end };
      if (now - since >= timeoutMs) return { kind: 'late', ...end };
      await terminal.sleep(POLL_MS);
    }
  } finally {
    screen.end();
    stopListening();
  }
}

/** A share whose replicas are not counted yet is no size. */
function isAllReady({ ready, wanted, intents: { override } }: HeadroomStatus): boolean {
  const isCounted = override?.share === undefined || override.of !== undefined;
  return isCounted && ready >= wanted;
}

/** The causes of missing capacity or, if there are none, what is on its way. */
function whyTexts(causes: readonly MissingCause[], coming: string | undefined): readonly string[] {
  return causes.length > 0 || coming === undefined ? causes.map(causeText) : [`nothing is refused; ${coming}`];
}

/** What has replaced the override that is waited for, if anything. */
function replacementOf({ intents }: HeadroomStatus, { override: ours, since }: Waiting): string | undefined {
  const { override, released } = intents;
  if (!ours) return undefined;
  if (!override) return released && released.at >= since ? releasedText(released) : undefined;
  const { mode, replicas, by, reason } = override;
  const isOurs = mode === ours.mode && replicas === ours.replicas && Math.abs(override.until - ours.until) < SAME_MS;
  return isOurs ? undefined : `replaced by ${by}, who asked for ${overrideSize(override)}: ${reason}`;
}

function releasedText({ by, reason }: Release): string {
  return by === undefined ? 'released' : `released by ${by}: ${reason ?? 'no reason given'}`;
}

interface Progress {
  readonly wanted: number;
  readonly ready: number;
  readonly now: number;
  readonly why: readonly MissingCause[];
  readonly facts?: CapacityFacts;
}

/** One line that is redrawn on a terminal; one line per change otherwise. */
function progressScreen(waiting: Waiting, terminal: Terminal) {
  const { pool, since, until, quiet } = waiting;
  const printed = new Set<string>();
  let before = '';
  const printOnce = (text: string, key = text) => {
    if (printed.has(key)) return;
    printed.add(key);
    terminal.out(`${terminal.redraws ? CLEAR_LINE : ''}${wrapAfter('  ', '  ', text, terminal.width).join('\n')}\n`);
  };
  return {
    draw: ({ wanted, ready, now, why, facts }: Progress) => {
      if (quiet) return;
      if (facts && (isSettled(facts, wanted) ? printed.size === 0 || ready >= wanted : now - since >= EXPLAIN_AFTER_MS))
        printOnce(nodeText(facts, wanted, pool.unit, since));
      if (now - since >= EXPLAIN_AFTER_MS)
        for (const cause of why) printOnce(`waiting: ${causeText(cause)}`, keyOf(cause));
      const clock = `after ${coarse((now - since) / 1_000)}, expires in ${coarse(Math.max(0, until - now) / 1_000)}`;
      if (terminal.redraws) terminal.out(`${CLEAR_LINE}${progressLine(ready, wanted, clock, terminal)}`);
      else if (before !== `${ready}/${wanted}`) terminal.out(`  ${ready} of ${wanted} ready ${clock}\n`);
      before = `${ready}/${wanted}`;
    },
    end: () => {
      if (!quiet && terminal.redraws) terminal.out('\n');
    },
  };
}

/** A redrawn line must fit the terminal's width, or its overflow would remain on screen. */
function progressLine(ready: number, wanted: number, clock: string, terminal: Terminal): string {
  const text = ` ${ready} of ${wanted} ready ${clock}`;
  const room = Math.min(BAR, terminal.width - 3 - textWidth(text));
  const drawn = room < MIN_BAR ? '' : ` ${bar(ready, wanted, room)}`;
  const colour = ready >= wanted ? 'green' : 'yellow';
  return ` ${painter(terminal)(colour, drawn)}${cut(text, terminal.width - 2 - textWidth(drawn))}`;
}

/** The same cause for another number of nodes or pods is not printed again. */
function keyOf(cause: MissingCause): string {
  return JSON.stringify({ ...cause, count: 0 });
}

/** Every pause pod has a node or is unschedulable; until then the number of new nodes is unknown. */
function isSettled({ pods }: CapacityFacts, wanted: number): boolean {
  return pods.length >= wanted && pods.every(({ node, unschedulable }) => (node ?? unschedulable) !== undefined);
}
