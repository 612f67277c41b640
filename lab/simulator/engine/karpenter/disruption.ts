import { CronExpressionParser } from 'cron-parser';
import { parseDuration } from '../../../../shared/core/basics/duration';
import type { DisruptionBudget } from '../../../../shared/core/karpenter/objects';
import { Candidates } from '../scheduling/placement';
import type { EngineContext } from '../state/engine-context';
import type { NodeRecord } from '../state/records';
import type { Fleet } from './fleet';
import type { Machine } from './node-objects';
import type { Pools } from './pools';
import { canRelocate } from './relocation';
import type { Removal } from './removal';

/** How long a new node is left alone, until the pods that it was ordered for are bound. */
const SETTLING_MS = 20_000;
/** If a pool orders a node this soon after a removal, it is left alone for a while. */
const REGRET_MS = 120_000;
const BACK_OFF_MS = 600_000;
const RECHECK_MS = 60_000;

interface Candidate {
  readonly machine: Machine;
  readonly node: NodeRecord;
}

export class Disruption {
  private readonly candidates: Candidates;
  private polling: number | undefined;
  private validating = false;
  /** Incremented whenever room may appear; until then a node that could not be emptied still cannot. */
  private roomVersion = 0;
  private readonly stuck = new WeakMap<NodeRecord, { readonly room: number; readonly podEvent: number }>();
  private readonly lastRemoval = new Map<string, number>();
  private readonly backOffUntil = new Map<string, number>();

  constructor(
    private readonly context: EngineContext,
    private readonly pools: Pools,
    private readonly fleet: Fleet,
    private readonly removal: Removal,
  ) {
    this.candidates = new Candidates(context.state);
    const changed = () => {
      this.roomVersion += 1;
      this.pollAt(context.clock.now());
    };
    context.state.listen({
      podBound: () => this.pollAt(context.clock.now()),
      podRemoved: changed,
      nodeAdded: changed,
      nodeChanged: changed,
      // A removed node frees the budget for the next one.
      nodeRemoved: changed,
    });
  }

  /** A pool has just ordered a node. */
  ordered(pool: string): void {
    const now = this.context.clock.now();
    if (now - (this.lastRemoval.get(pool) ?? Number.NEGATIVE_INFINITY) < REGRET_MS) {
      this.backOffUntil.set(pool, now + BACK_OFF_MS);
    }
  }

  /** Polls at the first multiple of the polling interval after a moment. */
  private pollAt(time: number): void {
    const { clock, timings } = this.context;
    const at = Math.floor(Math.max(time, clock.now()) / timings.disruptionPoll + 1) * timings.disruptionPoll;
    if (this.polling !== undefined && this.polling <= at) return;
    this.polling = at;
    clock.at(at, () => {
      if (this.polling !== at) return;
      this.polling = undefined;
      if (!this.validating) this.look();
    });
  }

  private look(): void {
    const now = this.context.clock.now();
    const quiet = this.quietMachines(now);
    const due = quiet.filter((one) => this.isCandidate(one)).sort(byCost);
    const empty = this.withinBudgets(due.filter(isEmpty), 'Empty');
    if (empty.length > 0) {
      this.validateLater(empty, isEmpty, 'empty');
      return;
    }
    const least = due.find((one) => this.isUnderutilized(one) && this.budgetOf(one.machine, 'Underutilized') > 0);
    if (least) this.validateLater([least], (one) => this.isRelocatable(one), 'underutilized');
    // Budgets and back-offs expire without any event.
    else if (quiet.length > 0) this.pollAt(now + RECHECK_MS);
  }

  /** The nodes without pod events for their pool's consolidateAfter; polls again when the next one is due. */
  private quietMachines(now: number): readonly Candidate[] {
    const quiet: Candidate[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const machine of this.fleet.machines.values()) {
      const { readyAt = now, ref } = machine;
      const node = this.context.state.nodes.get(ref.node);
      if (!node || machine.phase !== 'Initialized') continue;
      const { consolidateAfter = Number.POSITIVE_INFINITY } = this.pools.get(ref.nodePool) ?? {};
      const at = Math.max(readyAt + SETTLING_MS, Math.max(node.lastPodEvent, readyAt) + consolidateAfter);
      if (at > now) next = Math.min(next, at);
      else quiet.push({ machine, node });
    }
    if (Number.isFinite(next)) this.pollAt(next);
    return quiet;
  }

  private isCandidate({ machine, node }: Candidate): boolean {
    return machine.phase === 'Initialized' && !machine.leaving && !machine.noticed && node.nominated.size === 0;
  }

  private withinBudgets(chosen: readonly Candidate[], reason: DisruptionReason): readonly Candidate[] {
    const left = new Map<string, number>();
    return chosen.filter(({ machine }) => {
      const { nodePool } = machine.ref;
      const allowed = left.get(nodePool) ?? this.budgetOf(machine, reason);
      left.set(nodePool, allowed - 1);
      return allowed > 0;
    });
  }

  private budgetOf({ ref: { nodePool } }: Machine, reason: DisruptionReason): number {
    const machines = this.fleet.of(nodePool);
    const budgets = this.pools.get(nodePool)?.object.spec.disruption?.budgets ?? [{ nodes: '10%' }];
    const ready = machines.filter(({ phase }) => phase === 'Initialized');
    const going = ready.filter(({ leaving }) => leaving !== undefined).length;
    return allowedDisruptions(budgets, reason, ready.length, this.context.clock.now()) - going;
  }

  private isUnderutilized(candidate: Candidate): boolean {
    const { machine, node } = candidate;
    const { nodePool } = machine.ref;
    if (!this.pools.get(nodePool)?.removesUnderutilized) return false;
    if ((this.backOffUntil.get(nodePool) ?? 0) > this.context.clock.now()) return false;
    const known = this.stuck.get(node);
    if (known?.room === this.roomVersion && known.podEvent === node.lastPodEvent) return false;
    if (this.isRelocatable(candidate)) return true;
    this.stuck.set(node, { room: this.roomVersion, podEvent: node.lastPodEvent });
    return false;
  }

  private isRelocatable({ node }: Candidate): boolean {
    return canRelocate(node, this.candidates, (target) => {
      const machine = this.fleet.byNode.get(target.name);
      return target.nominated.size === 0 && !machine?.leaving && !machine?.noticed;
    });
  }

  /** Removes the nodes if the finding still holds after a short time. */
  private validateLater(
    chosen: readonly Candidate[],
    holds: (candidate: Candidate) => boolean,
    why: 'empty' | 'underutilized',
  ): void {
    const { clock, timings } = this.context;
    this.validating = true;
    clock.after(timings.disruptionValidation, () => {
      this.validating = false;
      for (const one of chosen) {
        if (!this.isCandidate(one) || !holds(one)) continue;
        if (why === 'underutilized') this.lastRemoval.set(one.machine.ref.nodePool, clock.now());
        this.removal.begin(one.machine, why);
      }
      this.pollAt(clock.now());
    });
  }
}

/** No pod has an eviction cost; a priority of -2^25 or less makes it 0 (Karpenter 1.14). */
function isEmpty({ node }: Candidate): boolean {
  return [...node.pods].every(({ ref }) => ref.priority <= -(2 ** 25));
}

function byCost(a: Candidate, b: Candidate): number {
  return a.node.pods.size - b.node.pods.size || (a.node.name < b.node.name ? -1 : 1);
}

type DisruptionReason = 'Empty' | 'Underutilized';

/** How many nodes of a pool may be disrupted at once for a reason: the strictest budget in force. */
export function allowedDisruptions(
  budgets: readonly DisruptionBudget[],
  reason: DisruptionReason,
  nodes: number,
  now: number,
): number {
  const inForce = budgets.filter((budget) => (budget.reasons ?? [reason]).includes(reason) && isActive(budget, now));
  return Math.min(nodes, ...inForce.map((budget) => limitOf(budget, nodes)));
}

function limitOf({ nodes: text }: DisruptionBudget, nodes: number): number {
  return text.endsWith('%') ? Math.ceil((Number(text.slice(0, -1)) / 100) * nodes) : Number(text);
}

/** A budget with a schedule is in force for its duration after each start, in UTC. */
function isActive({ schedule, duration }: DisruptionBudget, now: number): boolean {
  if (schedule === undefined || duration === undefined) return true;
  const length = (parseDuration(duration) ?? 0) * 1000;
  // A start at this very moment counts.
  const expression = CronExpressionParser.parse(schedule, { currentDate: new Date(now + 1), tz: 'UTC' });
  return now < expression.prev().getTime() + length;
}
