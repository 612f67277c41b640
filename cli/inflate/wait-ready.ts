import type { NodePoolConfig } from '../../shared/core/config/config';
import type { Access } from '../access/access';
import { type CapacityFacts, readCapacity } from '../access/capacity-facts';
import { causeText, type MissingCause, whyMissing } from '../access/why-missing';
import { bar } from '../terminal/bar';
import { painter } from '../terminal/paint';
import { coarse } from '../terminal/relative-time';
import type { Terminal } from '../terminal/terminal';
import { wrapAfter } from '../terminal/wrap';
import { nodeText } from './messages';
import type { Waited } from './waited';

const POLL_MS = 2_000;
/** Most of what is missing in the first moments comes by itself. */
const EXPLAIN_AFTER_MS = 15_000;
const CLEAR_LINE = '\r\u001b[2K';

export interface Waiting {
  readonly pool: NodePoolConfig;
  readonly namespace: string;
  /** When the override was set. */
  readonly since: number;
  /** When the override expires. */
  readonly until: number;
  readonly timeoutMs: number;
  /** Draws nothing, for `--json`. */
  readonly quiet: boolean;
}

/** Waits until the headroom is ready, and shows the progress. */
export async function waitReady(access: Access, waiting: Waiting, terminal: Terminal): Promise<Waited> {
  const { since, until, timeoutMs, pool, namespace } = waiting;
  let interrupted = false;
  const stopListening = terminal.onInterrupt(() => {
    interrupted = true;
  });
  const screen = progressScreen(waiting, terminal);
  try {
    for (;;) {
      const [seen, facts] = await Promise.all([
        sizeOf(access, pool.name),
        access.transport ? readCapacity(access.transport, namespace, pool.name) : undefined,
      ]);
      const now = access.now();
      const why = facts && seen.ready < seen.wanted ? whyMissing(facts, pool, now) : [];
      screen.draw({ ...seen, now, why, ...(facts && { facts }) });
      const end = { ...seen, afterMs: now - since, why: why.map(causeText) };
      if (seen.ready >= seen.wanted) return { kind: 'ready', ...end };
      if (interrupted) return { kind: 'interrupted', ...end };
      if (now >= until) return { kind: 'ended', ...end };
      if (now - since >= timeoutMs) return { kind: 'late', ...end };
      await terminal.sleep(POLL_MS);
    }
  } finally {
    screen.end();
    stopListening();
  }
}

async function sizeOf({ order, place }: Access, nodePool: string): Promise<{ wanted: number; ready: number }> {
  const response = await order({ status: true });
  const found = 'status' in response ? response.status.find((one) => one.nodePool === nodePool) : undefined;
  if (!found) throw new Error(`${place} does not know NodePool ${nodePool}; deploy this config first`);
  return { wanted: found.wanted, ready: Math.min(found.ready, found.wanted) };
}

interface Progress {
  readonly wanted: number;
  readonly ready: number;
  readonly now: number;
  readonly why: readonly MissingCause[];
  readonly facts?: CapacityFacts;
}

/** One line that is redrawn while a person watches; a line per change elsewhere. */
function progressScreen(waiting: Waiting, terminal: Terminal) {
  const { pool, since, until, quiet } = waiting;
  const paint = painter(terminal);
  const said = new Set<string>();
  let before = '';
  const sayOnce = (key: string, text: string) => {
    if (said.has(key)) return;
    said.add(key);
    terminal.out(`${terminal.live ? CLEAR_LINE : ''}${wrapAfter('  ', '  ', text, terminal.width).join('\n')}\n`);
  };
  const sayNodes = (facts: CapacityFacts, wanted: number) => {
    const text = nodeText(facts, wanted, pool.unit, since);
    sayOnce(text, text);
  };
  return {
    draw: ({ wanted, ready, now, why, facts }: Progress) => {
      if (quiet) return;
      if (facts && (isSettled(facts, wanted) ? said.size === 0 || ready >= wanted : now - since >= EXPLAIN_AFTER_MS))
        sayNodes(facts, wanted);
      if (now - since >= EXPLAIN_AFTER_MS)
        for (const cause of why) sayOnce(keyOf(cause), `waiting: ${causeText(cause)}`);
      const drawn = paint(ready >= wanted ? 'green' : 'yellow', bar(ready, wanted, 20));
      const clock = `after ${coarse((now - since) / 1_000)}, expires in ${coarse(Math.max(0, until - now) / 1_000)}`;
      if (terminal.live) terminal.out(`${CLEAR_LINE}  ${drawn} ${ready} of ${wanted} ready ${clock}`);
      else if (before !== `${ready}/${wanted}`) terminal.out(`  ${ready} of ${wanted} ready ${clock}\n`);
      before = `${ready}/${wanted}`;
    },
    end: () => {
      if (!quiet && terminal.live) terminal.out('\n');
    },
  };
}

/** The same for fewer nodes or pods is nothing new. */
function keyOf(cause: MissingCause): string {
  return JSON.stringify({ ...cause, count: 0 });
}

/** Every pause pod has a node or was found unschedulable; before that it is not known which nodes will come. */
function isSettled({ pods }: CapacityFacts, wanted: number): boolean {
  return pods.length >= wanted && pods.every(({ node, unschedulable }) => (node ?? unschedulable) !== undefined);
}
