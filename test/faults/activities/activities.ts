import { alarmStateChangeEvent } from '../../../lab/simulator/bus/aws-events';
import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import { heartbeat, tickEvent, windowEdge } from '../../../shared/core/events/heartbeat-and-edges';
import type { Taint } from '../../../shared/core/karpenter/objects';
import type { Deliveries } from '../environment/deliveries';
import type { FaultPlan } from '../environment/fault-plan';
import { noticeOf } from '../environment/notices';
import type { RefusedMessages } from '../environment/refused-messages';
import type { Stack } from '../environment/stack';
import type { PoolFacts, World } from '../environment/world';
import type { AcceptedInputs } from '../invariants/accepted-inputs';
import type { Deploys } from './deploys';
import { changeFloorNodes } from './floor-nodes';
import { MANUAL_EDITS, type ManualEdits } from './manual-edits';
import type { Operators } from './operators';
import { sendRefusedOverride } from './refused-overrides';

const MINUTE = 60_000;
const ORIGIN = { region: 'ap-northeast-2', account: '111122223333' };
const ALARMS = ['orders-high', 'queue-deep'];
const NODE_POOLS = ['web', 'ci', 'batch', 'gpu', 'edge', 'step', 'spare', 'shared'];
const TAINTS: readonly Taint[] = [
  { key: 'team', value: 'orders', effect: 'NoSchedule' },
  { key: 'spot', effect: 'NoSchedule' },
  { key: 'gpu', value: '', effect: 'NoExecute' },
];
const FACTS: readonly PoolFacts[] = [
  {},
  { conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '' }], limits: { cpu: '100', nodes: '9' } },
  { conditions: [{ type: 'Ready', status: 'False', reason: 'NodeClassNotReady', message: 'no `subnet` "a"' }] },
  { conditions: [{ type: 'Ready', status: 'False', reason: 'NodeClassNotReady', message: '' }] },
  { limits: { nodes: '3', cpu: '64' }, resources: { nodes: '3', cpu: '12' } },
];
const ZONES = [[], ['ap-northeast-2c', 'ap-northeast-2a'], ['ap-northeast-2b']];

export interface ActivitiesOptions {
  readonly world: World;
  readonly plan: FaultPlan;
  readonly random: Random;
  readonly accepted: AcceptedInputs;
  readonly stacks: readonly Stack[];
  readonly deliveries: Deliveries;
  readonly deploys: Deploys;
  readonly operators: Operators;
  readonly manualEdits: ManualEdits;
  readonly refused: RefusedMessages;
  /** When the activities end. */
  readonly until: number;
  /** Whether alarms and notices come on whole half minutes. */
  readonly isAligned: boolean;
  readonly violated: (what: string) => void;
  readonly trace: (line: () => string) => void;
}

/** What happens around Headstart: alarms, notices, overrides, deploys, manual edits and changes to the cluster. */
export class Activities {
  constructor(private readonly options: ActivitiesOptions) {}

  /** Sets up the cluster and schedules what will happen. */
  plan(): void {
    const { world, random } = this.options;
    world.alarms.watch(ALARMS, world.now);
    for (const name of NODE_POOLS) {
      if (random() < 0.9) this.addNodePool(name);
      for (let count = Math.floor(random() * 3); count > 0; count -= 1) world.addNodeClaim(name);
    }
    this.addReadyNodes();
    this.several(3, () => this.flipAlarm());
    this.several(2, () => this.sendNotices());
    this.several(3, () => this.options.operators.request(this.anyStack()));
    this.several(4, () => this.options.manualEdits.edit(this.pick(MANUAL_EDITS)));
    this.several(2, () => this.deploy());
    this.several(2, () => this.changeNodePool());
    this.several(2, () => changeFloorNodes(this.options));
    this.several(1, () => this.sendNonsense());
    this.several(2, () => this.sendEdge());
    this.several(4, () => sendRefusedOverride(this.options, this.options.stacks[0] as Stack));
    this.several(2, () => this.crowdAtWindowStart());
  }

  /** So that a lead time is learned, for one node another one than for many; seldom more nodes than are remembered. */
  private addReadyNodes(): void {
    const { world, random } = this.options;
    const count = random() < 0.03 ? 44 : random() < 0.5 ? this.pick([6, 24]) : 0;
    const nodePool = this.pick(['ci', 'gpu', 'ci']);
    for (let added = 0; added < count; added += 1) world.addReadyNode(nodePool, 20 + Math.floor(random() ** 4 * 400));
  }

  /** Schedules `work` up to `most` times, each at a random moment. */
  private several(most: number, work: () => void): void {
    const { world, random, until, isAligned } = this.options;
    const count = Math.floor(random() * (most + 1));
    const grain = isAligned ? MINUTE / 2 : 1;
    for (let done = 0; done < count; done += 1) {
      const at = world.now + random() * (until - world.now);
      world.clock.at(Math.max(world.now, Math.floor(at / grain) * grain), work);
    }
  }

  flipAlarm(): void {
    const { world, deliveries, stacks, trace } = this.options;
    const alarmName = this.pick(ALARMS);
    const change = world.setAlarm(alarmName, world.alarms.isFiring(alarmName) ? 'OK' : 'ALARM');
    if (!change) return;
    trace(() => `alarm ${alarmName}: ${change.state}`);
    for (const stack of stacks) deliveries.sendAlarm(stack, alarmStateChangeEvent(ORIGIN, change));
  }

  /** A burst of notices for instances of any pool; every stack's rule matches all of them. */
  private sendNotices(): void {
    const { world, random, accepted, plan, stacks, deliveries, refused, trace } = this.options;
    const count = 1 + Math.floor(random() ** 3 * 8);
    for (let sent = 0; sent < count; sent += 1) {
      const known = world.nodeClaims;
      const claim = random() < 0.3 || known.length === 0 ? world.addNodeClaim(this.pick(NODE_POOLS)) : this.pick(known);
      const instanceId = random() < 0.1 ? 'i-0foreign' : claim.instanceId;
      const ahead = plan.happens('event dated ahead') ? Math.floor(random() * 3_600_000) : 0;
      const notice = noticeOf(instanceId, world.now + ahead, random());
      accepted.announceNotice(instanceId, world.now + ahead);
      // Two causes of one instant end together.
      const again = random() < 0.3 ? noticeOf(instanceId, world.now + ahead, random() * 0.7) : undefined;
      trace(() => `notice for ${instanceId} of ${claim.nodePool}`);
      // Sometimes the node really goes away.
      if (random() < 0.4) world.clock.after(2 * MINUTE, () => world.removeNodeClaim(claim));
      for (const stack of stacks) {
        deliveries.sendNotice(stack, notice);
        if (again) deliveries.sendNotice(stack, again);
        if (plan.happens('event malformed')) deliveries.sendMessage(stack, refused.notice(world.now, random()));
      }
    }
  }

  /** Window edges have their own schedules, and the time in the event may be wrong. */
  private sendEdge(): void {
    const { world, plan, random, deliveries } = this.options;
    const ahead = plan.happens('event dated ahead') ? Math.floor(random() * 7 * MINUTE) : 0;
    const time = new Date(world.now + ahead).toISOString();
    deliveries.sendTick(this.anyStack(), tickEvent(windowEdge, time, { schedule: 'hourly' }));
  }

  /** Several events at the start of a window, so that the functions they invoke count nodes concurrently. */
  private crowdAtWindowStart(): void {
    const { world, random, stacks, deliveries } = this.options;
    const opensAt = Math.ceil(world.now / (2 * MINUTE)) * 2 * MINUTE;
    for (let sent = 0; sent < 3; sent += 1)
      world.clock.at(opensAt + Math.floor(random() * 200), () => {
        const time = new Date(opensAt).toISOString();
        deliveries.sendTick(stacks[0] as Stack, tickEvent(windowEdge, time, { schedule: 'more' }));
      });
  }

  private sendNonsense(): void {
    const { plan, deliveries } = this.options;
    if (!plan.happens('event malformed')) return;
    const stack = this.anyStack();
    deliveries.sendTick(stack, { ...tickEvent(heartbeat, 'never'), detail: 'nothing' });
    deliveries.sendAlarm(stack, {
      source: 'aws.cloudwatch',
      'detail-type': 'CloudWatch Alarm State Change',
      detail: 1,
    });
    deliveries.override(stack, this.pick([{ headroom: 'web' }, { atLeast: -1 }, [], null, { status: true }]), () => {});
  }

  private deploy(): void {
    const { deploys, world, random, manualEdits } = this.options;
    const stack = this.anyStack();
    const config = this.pick(stack.configs);
    const forgotten = stack.config.headrooms.filter(({ name }) => !config.headrooms.some((one) => one.name === name));
    const [first] = forgotten;
    deploys.update(stack, config);
    // Somebody takes over what the deploy is about to forget.
    if (first && random() < 0.3)
      world.clock.after(Math.floor(random() * 15_000), () => manualEdits.edit('owner removed by hand', first.name));
  }

  private changeNodePool(): void {
    const { world, plan, random, trace } = this.options;
    const gone = NODE_POOLS.filter((one) => !world.hasNodePool(one));
    const name = this.pick(gone.length > 0 && random() < 0.6 ? gone : NODE_POOLS);
    const vanishes = world.hasNodePool(name);
    plan.counts.add(vanishes ? 'NodePool vanished' : 'NodePool appeared');
    trace(() => `NodePool ${name} ${vanishes ? 'vanishes' : 'appears'}`);
    if (vanishes) world.removeNodePool(name);
    else this.addNodePool(name);
  }

  private addNodePool(name: string): void {
    this.options.world.addNodePool(name, this.taints(), this.pick(ZONES), this.pick(FACTS));
  }

  private taints(): readonly Taint[] {
    return TAINTS.filter(() => this.options.random() < 0.3);
  }

  private anyStack(): Stack {
    const [first, ...others] = this.options.stacks;
    const second = others[0];
    return (second && this.options.random() < 0.3 ? second : first) as Stack;
  }

  private pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.options.random() * items.length)] as T;
  }
}
