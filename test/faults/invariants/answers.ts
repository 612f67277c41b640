import type { DecisionResponse, OverrideResponse } from '../../../shared/core/respond';
import type { Ending, Invocation } from '../environment/invocation';
import { wrongNext } from '../model/expected-next';
import { isNewerOverride, type OverrideOrEnd } from '../model/expected-record';
import { expectedSize } from '../model/expected-size';
import { decisionTime, requestedOverride } from '../model/requested-by';
import type { WrittenOverride } from '../model/written-record';
import { linesOf, plainReasons, reasonsOf, writeOf } from './logged-lines';
import { annotation, differs, type ModelledWrite } from './modelled-write';

/** What a deploy, a heartbeat or a person is answered. */
interface Answer {
  readonly at?: string;
  readonly decisions?: readonly DecisionResponse[];
  readonly removed?: readonly string[];
  readonly leftovers?: readonly string[];
  readonly alsoFailed?: string;
}

/** An answer names every NodePool that it is about, and says of each what was written. */
export function wrongDecisions(invocation: Invocation, ending: Ending): string | undefined {
  if (ending.kind !== 'answered') return undefined;
  const answer = (ending.answer ?? {}) as Answer;
  if (!answer.decisions) return wrongSilence(invocation, answer);
  const isOverride = invocation.functionName === 'inflate';
  const names = answer.decisions.map(({ headroom }) => headroom);
  return (
    (isOverride
      ? wrongOverrides(invocation, answer.decisions as OverrideResponse['decisions'])
      : (differs('time', answer.at, new Date(decisionTime(invocation)).toISOString()) ??
        differs(
          'NodePools',
          names,
          invocation.config.headrooms.map(({ name }) => name),
        ) ??
        wrongRemoved(invocation, answer))) ?? wrongReasons(invocation, answer.decisions)
  );
}

/** One event is answered by decisions, or by why there are none; a batch by the messages that failed. */
function wrongSilence({ functionName, raw }: Invocation, answer: object): string | undefined {
  if (functionName === 'alarm' && typeof (raw as { readonly detail?: unknown }).detail === 'object')
    return `rejected the state of an alarm: ${JSON.stringify(answer)}`;
  const isSingle = functionName === 'reconcile' || functionName === 'alarm';
  return isSingle && !('rejected' in answer || 'ignored' in answer) ? `answered ${JSON.stringify(answer)}` : undefined;
}

function wrongReasons(invocation: Invocation, decisions: readonly DecisionResponse[]): string | undefined {
  for (const { headroom, replicas, from, change, reasons } of decisions) {
    const line = linesOf(invocation, 'headroom decided').find((one) => one.headroom === headroom);
    const write = change === 'none' ? undefined : writeOf(invocation, headroom);
    const said = line && { replicas: line.to, from: line.from, change: line.change, reasons: line.reasons };
    const wrong =
      (change === 'none') !== (line === undefined)
        ? `answered ${change} for ${headroom}, and logged ${JSON.stringify(line)}`
        : line && differs(`answer for ${headroom}`, { replicas, from, change, reasons }, said);
    if (wrong !== undefined) return wrong;
    const differing = write && differs(`reasons for ${headroom}`, plainReasons(reasons), reasonsOf(write));
    if (differing !== undefined) return differing;
  }
  return undefined;
}

/** Only a deploy removes what is left over; everything else says that it is there. */
function wrongRemoved(invocation: Invocation, answer: Answer): string | undefined {
  const { removed = [], leftovers = [], ...rest } = answer;
  const deleted = [...invocation.writes].filter(([, { type }]) => type === 'DELETED').map(([name]) => name);
  const configured = invocation.config.headrooms.map(({ name }) => `headroom-${name}`);
  const logged = linesOf(invocation, 'headroom removed').map(({ name }) => name);
  const [left] = linesOf(invocation, 'headroom left over, the next deploy removes it');
  const isEmpty = 'removed' in answer !== removed.length > 0 || 'leftovers' in answer !== leftovers.length > 0;
  const known = isEmpty ? [] : ['at', 'decisions'];
  return (
    differs('keys', Object.keys(rest), known) ??
    differs('removed in the log', logged, removed) ??
    differs('left over in the log', left?.names, leftovers.length > 0 ? leftovers : undefined) ??
    differs('order', [removed, leftovers], [removed.toSorted(), leftovers.toSorted()]) ??
    (deleted.every((name) => removed.includes(name))
      ? undefined
      : `answered that it removed ${removed}, not ${deleted}`) ??
    (invocation.isDeploy ? leftovers : removed).map((name) => `answered ${name}`)[0] ??
    [...removed, ...leftovers].filter((name) => configured.includes(name) || !invocation.owned.has(name))[0]
  );
}

/** Whoever sends an override is told what it replaced, or what counts instead, and when the size changes next. */
function wrongOverrides(invocation: Invocation, decisions: OverrideResponse['decisions']): string | undefined {
  const { headroom: named } = invocation.raw as { readonly headroom?: string };
  const pools = invocation.config.headrooms.map(({ name }) => name).filter((name) => named === '*' || name === named);
  const wrong = differs(
    'NodePools',
    decisions.map(({ headroom }) => headroom),
    pools,
  );
  if (wrong !== undefined) return wrong;
  for (const decision of decisions) {
    // A write whose answer was lost is found on the next try.
    const write = decision.change === 'none' ? undefined : writeOf(invocation, decision.headroom);
    const differing = write && wrongOverride(invocation, decision, write);
    if (differing !== undefined) return differing;
  }
  return undefined;
}

function wrongOverride(
  invocation: Invocation,
  { replaced, supersededBy, next, reasons }: OverrideResponse['decisions'][number],
  write: ModelledWrite,
): string | undefined {
  const { pool, before, after } = write;
  const now = invocation.receivedAt ?? 0;
  const { override, released } = requestedOverride(invocation.raw, pool, now);
  const ours: OverrideOrEnd = override ? { override } : released ? { released } : {};
  const known: OverrideOrEnd[] = [
    ...(before.override ? [{ override: before.override }] : []),
    ...(before.released ? [{ released: before.released }] : []),
  ];
  const newer = known.find((one) => isNewerOverride(one, ours));
  const isItself = before.override?.reason === override?.reason && before.override?.at === override?.at;
  const replacedNow = before.override && Date.parse(before.override.until) > now && !isItself && !newer;
  const input = { pool, record: after, now, decidedBefore: 0, broken: false };
  // Of a size without a count the model has no reasons: the last one is held, also in what is said of later, and that of a pin.
  const { override: _pin, ...unpinned } = after;
  const isHeld =
    annotation(write.object, 'unreadable-record') !== undefined ||
    /held at|cannot be|not counted/.test(reasons.join()) ||
    pool.shaped?.pods === 0 ||
    (write.object.spec.replicas > 0 && expectedSize({ ...input, record: unpinned }).reasons === undefined) ||
    expectedSize(input).reasons === undefined;
  return (
    differs('replaced', replaced, replacedNow ? answered(before.override) : undefined) ??
    differs('superseded', supersededBy, newer && (newer.override ? answered(newer.override) : newer.released)) ??
    (isHeld ? undefined : wrongNext(input, next))
  );
}

function answered(override: WrittenOverride | undefined) {
  if (!override?.counted) return override;
  const { counted } = override;
  return { ...override, counted: { ...counted, at: Date.parse(counted.at) } };
}
