import { CALM, type Temper } from './account';
import { isStuck, type Stack, type StackOutcome } from './cloudformation';
import type { Template } from './template';
import type { StackName, VariantName } from './variants';
import { deployWorld, type Mishap } from './world';

export type Deploys = Readonly<Record<StackName, Readonly<Record<VariantName, Template>>>>;

/** What a history did, and what it found wrong. */
export interface Told {
  readonly steps: readonly string[];
  readonly wrong: readonly string[];
}

/** What a stack may leave on a cluster; docs/access.md names it. */
const LEFT_ON_PURPOSE = /^(NodePool|EC2NodeClass) /;
const AGAINS = ['again', 'again2'] as const;
const MISHAPS: readonly Mishap[] = ['twice', 'lost', 'unanswered', 'dead'];
const SECOND = ['ResourceNotFoundException', 'InvalidRequestException', 'InvalidParameterException', 'ServerException'];
const PASSING = ['ThrottlingException', 'ServerException', 'ServiceUnavailableException', 'TooManyRequestsException'];
/** Two minutes of patience take about a dozen tries; this many failures in a row pass in time. */
const MOST_FAILURES = 3;

/** A day of deploys on an AWS that bites, in an order that the seed decides; at its end everything is destroyed. */
export async function history(seed: number, deploys: Deploys): Promise<Told> {
  const random = numbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const [steps, wrong]: [string[], string[]] = [[], []];
  const world = deployWorld();
  /** What each stack was last deployed with, and whether an update that applied other objects was rolled back since. */
  const [last, unsettled] = [new Map<Stack, VariantName>(), new Set<Stack>()];
  const say = (what: string, { status, reason = '' }: StackOutcome) => steps.push(`${what}: ${status} ${reason}`);
  const check = (what: string, isRight: boolean) => {
    if (!isRight) wrong.push(`after ${steps.at(-1)?.slice(0, 400)}: ${what}`);
  };

  for (let step = 0, many = 3 + Math.floor(random() * 5); step < many; step += 1) {
    world.account.temper = temperOf(random, pick);
    const name = pick<StackName>(['headroom', 'karpenter']);
    const stack = world.stacks[name];
    const act = random();
    if (act < 0.12) await recreated();
    else if (act < 0.2) await destroyed(stack, name, pick(['ACTIVE', 'UPDATING', 'DELETING', 'CREATING']));
    else await deployed(stack, name, pick(['first', 'edited', 'objects', 'again']));
  }
  world.account.temper = { ...CALM, secondDisassociate: pick(SECOND) };
  for (const name of ['headroom', 'karpenter'] as const) await destroyed(world.stacks[name], name, 'ACTIVE');
  return { steps, wrong };

  async function deployed(stack: Stack, name: StackName, variant: VariantName): Promise<void> {
    const isFirst = stack.resources.length === 0;
    const [before, rings] = [world.names(), world.rung.length];
    const broken = random() < 0.2 ? pick(Object.keys(deploys[name][variant])) : undefined;
    const mishaps = new Map<string, Mishap>();
    world.plan.breaks = ({ id }) => id === broken && !stack.status.includes('ROLLBACK');
    world.plan.mishap = ({ RequestType, ResourceType, RequestId }) => {
      if (random() > 0.1) return undefined;
      const mishap = pick(MISHAPS);
      // If nobody answers while something is undone, every stack is stuck, whatever its functions are.
      const isUndone = RequestType === 'Delete' || stack.status.includes('ROLLBACK');
      if (isUndone && (mishap === 'unanswered' || mishap === 'dead')) return undefined;
      mishaps.set(`${ResourceType} ${RequestId}`, mishap);
      return mishap;
    };
    const outcome = await stack.deploy(deploys[name][variant]);
    world.plan.breaks = () => false;
    world.plan.mishap = () => undefined;
    remember(stack, variant, outcome);
    say(`${name} ${variant} [${broken ?? ''} ${[...mishaps.values()].join(' ')}]`, outcome);
    check('the stack is stuck', !isStuck(outcome));
    if (outcome.status === 'ROLLBACK_COMPLETE' && isFirst)
      check(
        `left ${added(before)}`,
        added(before).every((one) => LEFT_ON_PURPOSE.test(one)),
      );
    if (/^(CREATE|UPDATE)_COMPLETE$/.test(outcome.status))
      check(`admins at rest: ${world.admins()}`, adminsOf(stack).length === 0 || world.rung.length > rings);
  }

  async function recreated(): Promise<void> {
    world.createCluster();
    steps.push('cluster created again');
    for (const one of Object.values(world.stacks).filter(({ resources }) => resources.length > 0)) await repaired(one);
  }

  async function destroyed(
    stack: Stack,
    name: StackName,
    status: 'ACTIVE' | 'UPDATING' | 'DELETING' | 'CREATING',
  ): Promise<void> {
    // docs/access.md asks for this after an update that was rolled back: what it applied stays.
    if (unsettled.has(stack) && (status === 'ACTIVE' || status === 'UPDATING')) await repaired(stack);
    if (status === 'CREATING' && world.account.cluster) world.createCluster();
    if (world.account.cluster) world.account.cluster.status = status;
    const isThere = status === 'ACTIVE' || status === 'UPDATING';
    const outcome = await stack.destroy();
    say(`${name} destroyed while ${status}`, outcome);
    check('the stack is stuck', outcome.status === 'DELETE_COMPLETE');
    const left = isThere && !unsettled.has(stack) ? leftOf(name) : [];
    check(`left ${left}`, left.length === 0);
    unsettled.delete(stack);
    if (isThere) return;
    world.createCluster();
    // What belonged to the other stack went with the cluster.
    for (const other of Object.values(world.stacks).filter(({ resources }) => resources.length > 0))
      await repaired(other);
  }

  /** What is there of a stack that is gone: objects, and discovery tags. */
  function leftOf(name: StackName): readonly string[] {
    const isOurs = (one: string) =>
      /headstart|Namespace|headroom/.test(one) && one.includes('node-pools') === (name === 'karpenter');
    return [...world.names().filter(isOurs), ...(name === 'karpenter' ? Object.keys(world.network.state) : [])];
  }

  async function repaired(stack: Stack): Promise<void> {
    const name = stack === world.stacks.headroom ? 'headroom' : 'karpenter';
    const variant = pick(AGAINS.filter((one) => one !== last.get(stack)));
    const outcome = await stack.deploy(deploys[name][variant]);
    remember(stack, variant, outcome);
    say(`${name} repaired`, outcome);
    check('the command that repairs it does not', outcome.status === 'UPDATE_COMPLETE');
  }

  function remember(stack: Stack, variant: VariantName, { status }: StackOutcome): void {
    if (status === 'UPDATE_ROLLBACK_COMPLETE') unsettled.add(stack);
    if (!/^(CREATE|UPDATE)_COMPLETE$/.test(status)) return;
    // A new role, which is admin, applies everything.
    if (/again|objects/.test(variant) && variant !== last.get(stack)) unsettled.delete(stack);
    last.set(stack, variant);
  }

  function added(before: readonly string[]): readonly string[] {
    return world.names().filter((one) => !before.includes(one));
  }

  function adminsOf({ resources }: Stack): readonly string[] {
    const own = resources.map(({ physicalId }) => physicalId);
    return world.admins().filter((principal) => own.includes(principal));
  }
}

function temperOf(random: () => number, pick: <T>(list: readonly T[]) => T): Temper {
  const failing = new Map<string, number>();
  return {
    principalDelayMs: pick([0, 0, 5_000, 20_000]),
    entryDelayMs: pick([0, 0, 3_000, 30_000]),
    deniedOnce: random() < 0.5,
    putsPoliciesBack: random() < 0.3,
    secondDisassociate: pick([...SECOND, undefined]),
    fails: ({ principal, action }) => {
      const key = `${principal} ${action}`;
      const failed = failing.get(key) ?? 0;
      if (failed >= MOST_FAILURES || random() > 0.15) return undefined;
      failing.set(key, failed + 1);
      return pick(PASSING);
    },
  };
}

/** Random numbers by a seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
