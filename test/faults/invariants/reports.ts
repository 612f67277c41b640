import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { headroomName } from '../../../shared/core/basics/names';
import type { HeadroomFigures } from '../../../shared/core/ports/ports';
import type { DecisionResponse, OverrideResponse } from '../../../shared/core/respond';
import type { Ending, Invocation } from '../environment/invocation';
import type { World } from '../environment/world';
import { expectedReady } from '../model/expected-ready';
import { wrongDecisions } from './answers';
import { wrongLines } from './logged-lines';

/** The figures that a Deployment had, and since when. */
interface Seen {
  readonly at: number;
  readonly ready: number;
  readonly replicas: number;
}

/** How many pods of each headroom were ready, and how many it ran, at any moment. */
export class LiveFigures {
  private readonly seen = new Map<string, Seen[]>();

  constructor(world: World) {
    world.store.subscribe(DEPLOYMENTS, ({ type, object }) => {
      const known = this.seen.get(object.metadata.name) ?? [];
      this.seen.set(object.metadata.name, known);
      const [ready, replicas] = type === 'DELETED' ? [0, 0] : [expectedReady(object), object.spec.replicas];
      known.push({ at: world.now, ready, replicas });
    });
  }

  /** Everything since a moment, and what stood then; 0 before there was anything. */
  since(name: string, at: number): readonly Omit<Seen, 'at'>[] {
    const all = this.seen.get(name) ?? [];
    const last = all.findLast((one) => one.at < at) ?? { ready: 0, replicas: 0 };
    return [last, ...all.filter((one) => one.at >= at)];
  }
}

/** What an invocation says about itself, in its answer, its metrics and its log, is what happened. */
export function wrongReport(invocation: Invocation, ending: Ending, figures: LiveFigures): string | undefined {
  return (
    wrongFigures(invocation, figures) ??
    wrongAnswer(invocation, ending, figures) ??
    wrongCounters(invocation, ending) ??
    wrongLog(invocation, ending) ??
    wrongLines(invocation) ??
    wrongDecisions(invocation, ending)
  );
}

function wrongFigures({ figures, config, startedAt }: Invocation, live: LiveFigures): string | undefined {
  for (const one of figures) {
    const { headroom, ready, late = 0 } = one;
    if (!config.headrooms.some(({ name }) => name === headroom)) return `measured ${headroom}, which is not configured`;
    const possible = live.since(headroomName(headroom), startedAt).map((seen) => seen.ready);
    if (!possible.includes(ready)) return `measured ${ready} ready pods of ${headroom}, and there were ${possible}`;
    if (late < 0 || isLateInVain(one)) return `measured ${JSON.stringify(one)}`;
  }
  return undefined;
}

/** What is late has a time. */
function isLateInVain({ late = 0, lateBySeconds }: HeadroomFigures): boolean {
  return (late > 0 && lateBySeconds === undefined) || (lateBySeconds !== undefined && lateBySeconds < 0);
}

function wrongAnswer(invocation: Invocation, ending: Ending, live: LiveFigures): string | undefined {
  for (const { headroom, replicas, from, change, reasons } of decisionsOf(ending)) {
    const name = headroomName(headroom);
    const measured = invocation.figures.find((one) => one.headroom === headroom);
    if (measured?.desired !== replicas)
      return `answered ${replicas} for ${headroom}, and measured ${measured?.desired}`;
    if (change !== 'none' && !invocation.writes.has(name)) return `answered that it wrote ${name}, and did not`;
    if ((change === 'resized') !== (change !== 'none' && change !== 'created' && from !== replicas))
      return `answered ${change} from ${from} to ${replicas}`;
    const sizes = live.since(name, invocation.startedAt).map((seen) => seen.replicas);
    if (!sizes.includes(from)) return `answered that ${name} ran ${from}, and it ran ${sizes}`;
    if (reasons.length === 0) return `answered no reason for ${headroom}`;
  }
  if (invocation.functionName !== 'inflate') return undefined;
  return wrongTime(invocation, ending) ?? wrongOverrideAnswer(invocation, ending as OverrideAnswered);
}

interface OverrideAnswered {
  readonly answer: Partial<OverrideResponse>;
}

/** Whoever sends an override is told what is ready, what is missing, what comes next, and whom it replaces. */
function wrongOverrideAnswer({ figures, receivedAt = 0 }: Invocation, ending: OverrideAnswered): string | undefined {
  for (const one of decisionsOf(ending as Ending) as OverrideResponse['decisions']) {
    const { headroom, replicas, ready, shortfall, next, replaced, supersededBy, reasons } = one;
    const measured = figures.find((figure) => figure.headroom === headroom)?.ready;
    if (ready !== measured) return `answered ${ready} ready for ${headroom}, and measured ${measured}`;
    const missing = Math.max(0, replicas - ready);
    if (shortfall !== missing) return `answered that ${shortfall} of ${headroom} are missing, and ${missing} are`;
    // Until its nodes are counted, a size may stay the same and still be another decision.
    const isOpen =
      (next?.addNodes ?? next?.lacks) !== undefined || reasons.some((reason) => reason.includes('not counted yet'));
    if (next && !(Date.parse(next.at) > receivedAt && (next.replicas !== replicas || isOpen)))
      return `answered ${JSON.stringify(next)} as the next change of ${headroom} from ${replicas}`;
    if (replaced && !/^w\d+$/.test(replaced.reason)) return `answered that it replaced ${JSON.stringify(replaced)}`;
    if (supersededBy && !(Date.parse(supersededBy.at) <= receivedAt + 60_000))
      return `answered that a later override counts: ${JSON.stringify(supersededBy)}`;
  }
  return undefined;
}

function wrongTime({ receivedAt = 0 }: Invocation, ending: Ending): string | undefined {
  if (decisionsOf(ending).length === 0) return undefined;
  const { at } = (ending as OverrideAnswered).answer;
  return at === new Date(receivedAt).toISOString() ? undefined : `answered for ${at}`;
}

function wrongCounters(
  { functionName, counted, absorbable, timeouts, excused }: Invocation,
  ending: Ending,
): string | undefined {
  const errors = counted.get('errors') ?? 0;
  if (ending.kind === 'failed' && errors === 0) return 'failed, and counted no error';
  const left = ending.kind === 'answered' && (ending.answer as { batchItemFailures?: unknown[] }).batchItemFailures;
  if (left && left.length > 0 && errors === 0) return 'left messages in the queue, and counted no error';
  if (ending.kind === 'answered' && errors > 0 && absorbable + timeouts === 0 && !excused)
    return 'counted an error, and nothing was wrong';
  const isRejected = ending.kind === 'answered' && (ending.answer as { rejected?: unknown }).rejected !== undefined;
  const rejected = counted.get('rejectedEvents') ?? 0;
  const right = functionName === 'inflate' ? 0 : 1;
  return isRejected && rejected !== right ? `rejected its event, and counted ${rejected}` : undefined;
}

function wrongLog({ logged, functionName, counted }: Invocation, ending: Ending): string | undefined {
  const lines = (message: string) => logged.filter((line) => line.message === message);
  for (const { fields } of lines('headroom decided')) {
    const { to, from, change } = fields;
    if (change === 'none' || (change === 'resized') !== (from !== to && change !== 'created'))
      return `logged ${JSON.stringify(fields)}`;
  }
  const decisions = decisionsOf(ending);
  const changed = decisions.filter(({ change }) => change !== 'none').length;
  const isWhole = ending.kind === 'answered' && functionName !== 'inflate' && decisions.length > 0;
  if (isWhole && lines('headroom decided').length !== changed)
    return `logged ${lines('headroom decided').length} changes of ${changed}`;
  const isOverride = functionName === 'inflate' && decisions.length > 0;
  if (isOverride && lines('override received').length !== 1) return 'did not log the override';
  const hasErred = ending.kind === 'failed' || (counted.get('errors') ?? 0) > 0;
  return hasErred && lines('processing failed').length === 0 ? 'failed, and did not log it' : undefined;
}

function decisionsOf(ending: Ending): readonly DecisionResponse[] {
  if (ending.kind !== 'answered') return [];
  return (ending.answer as { readonly decisions?: readonly DecisionResponse[] } | null)?.decisions ?? [];
}
