import { CONFIG_MAPS, DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import type { Deployment } from '../../../lab/simulator/kube/object-types';
import { headroomName } from '../../../shared/core/basics/names';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { type Ending, Invocation } from '../environment/invocation';
import { textIn } from '../environment/live-texts';
import type { Stack } from '../environment/stack';
import { NAMESPACE, type World } from '../environment/world';
import { type ExpectedLive, expectedLive, isLoudlyUnread, type WrittenLive, writtenLive } from '../model/expected-live';
import { differs } from './modelled-write';

/** Every write keeps what the rules say; other functions pass on what is kept, and a deploy without the feature drops it. */
export function wrongLiveWrite(
  by: Invocation,
  nodePool: string,
  written: string | undefined,
  before: string | undefined,
  now: number,
): string | undefined {
  // Anybody may have written it, and an apply takes away only its own: it is emptied, then gone.
  const nothing = before ? '' : undefined;
  if (!by.config.cluster.liveSchedules) return differs('live', written, nothing);
  if (by.functionName !== 'reconcile') return differs('live', written, before || undefined);
  if (!by.sight) return 'live schedules were not read';
  const kept = writtenLive(before);
  const expected = expectedLive(kept, by.sight, nodePool, now);
  return expected ? wrongLive(written, expected, kept?.hash) : differs('live', written, nothing);
}

function wrongLive(
  text: string | undefined,
  expected: ExpectedLive | undefined,
  hashBefore: string | undefined,
): string | undefined {
  const written = writtenLive(text);
  if (!written || !expected) return differs('live', written, expected);
  const { problem, edit, unread, ...parts } = expected;
  const { base, schedules, goneSince, refused, broken, hash, by, at } = written;
  const isNew = edit !== undefined && hash !== hashBefore;
  const isSaid = problem ? problem.test(refused?.problem ?? '') : refused === undefined;
  return (
    differs('live', { base, schedules, goneSince, broken }, parts) ??
    differs('live unread', written.unread, unread && { problem: written.unread?.problem, ...unread }) ??
    (isNew ? differs('live edit', { by, at }, edit) : undefined) ??
    (isSaid ? undefined : `live problem is ${refused?.problem}, and ${problem ?? 'none'} is right`)
  );
}

export interface LiveInvariantsOptions {
  readonly world: World;
  readonly violated: (what: string) => void;
}

interface Written {
  readonly at: number;
  readonly by: Invocation | 'operator';
  readonly previous: Deployment | undefined;
}

/** What must hold of live schedules after every heartbeat, and in the end. */
export class LiveInvariants {
  /** The writes to each Deployment that were not the cluster's own, each with what it replaced. */
  private readonly written = new Map<string, Written[]>();

  constructor(private readonly options: LiveInvariantsOptions) {
    const { world } = options;
    world.store.subscribe(DEPLOYMENTS, ({ object, previous }) => {
      const { writer } = world;
      if (writer === 'cluster') return;
      const known = this.written.get(object.metadata.name) ?? [];
      this.written.set(object.metadata.name, [...known, { at: world.now, by: writer, previous }]);
    });
  }

  /** A heartbeat that did not fail has left no edit out, and kept nothing for longer than the rule says. */
  ended(invocation: Invocation, ending: Ending, now: number): void {
    const { config, functionName, sight, counted, label, isDeploy } = invocation;
    if (!config.cluster.liveSchedules || functionName !== 'reconcile' || !sight || ending.kind === 'killed') return;
    const isUnread =
      sight.kind === 'unread' &&
      config.headrooms.some(({ name }) => isLoudlyUnread(this.keptBy(this.undisturbed(name, invocation)), now));
    if (isUnread && !isDeploy && ending.kind === 'answered')
      this.options.violated(`${label} did not fail, and could not read the live schedules`);
    if (ending.kind === 'failed') return;
    const isBroken = isUnread || (sight.kind === 'found' && !sight.text.parts);
    if (isBroken && !counted.get('liveProblems')) this.options.violated(`${label} counted no problem of a broken text`);
    for (const { name } of config.headrooms) {
      const object = this.undisturbed(name, invocation);
      const text = object?.metadata.annotations?.[ANNOTATIONS.live];
      const kept = writtenLive(text);
      const stands = object && wrongLive(text, expectedLive(kept, sight, name, now), kept?.hash);
      if (stands !== undefined) this.options.violated(`${label} ended, and of ${name} ${stands}`);
    }
  }

  /**
   * Whether live schedules excuse a failed heartbeat: a ConfigMap that could not be read three times does, also if another
   * function could read it by now.
   */
  excuses({ sight, config, startedAt }: Invocation, now: number): boolean {
    const { store } = this.options.world;
    const seen = config.headrooms.flatMap(({ name }) => {
      const writes = (this.written.get(headroomName(name)) ?? []).filter(({ at }) => at >= startedAt);
      return [store.get(DEPLOYMENTS, NAMESPACE, headroomName(name)), ...writes.map(({ previous }) => previous)];
    });
    return sight?.kind === 'unread' && seen.some((one) => isLoudlyUnread(this.keptBy(one), now));
  }

  private keptBy(object: Deployment | undefined): WrittenLive | undefined {
    return writtenLive(object?.metadata.annotations?.[ANNOTATIONS.live]);
  }

  /** The headroom, unless somebody else wrote it since the invocation began. */
  private undisturbed(nodePool: string, { startedAt, owner, number }: Invocation): Deployment | undefined {
    const name = headroomName(nodePool);
    const others = (this.written.get(name) ?? []).filter(
      ({ at, by }) => at >= startedAt && !(by instanceof Invocation && by.number === number),
    );
    const object = this.options.world.store.get(DEPLOYMENTS, NAMESPACE, name);
    return others.length === 0 && object?.metadata.annotations?.[ANNOTATIONS.owner] === owner ? object : undefined;
  }
}

/** In the end the text that stands counts as a whole, and after a deletion nothing does. */
export function unsettledLive(stack: Stack, nodePool: string, object: Deployment, world: World): readonly string[] {
  const text = object.metadata.annotations?.[ANNOTATIONS.live];
  const found = world.store.get(CONFIG_MAPS, NAMESPACE, 'headroom-schedules');
  if (!stack.config.cluster.liveSchedules || !found) return text ? [`keeps live schedules that are gone: ${text}`] : [];
  const standing = textIn(found as unknown as Parameters<typeof textIn>[0]);
  const live = writtenLive(text) as WrittenLive;
  if (!standing?.parts)
    return standing?.problem?.test(live?.refused?.problem ?? '') ? [] : [`does not say what is wrong: ${text}`];
  const { base, schedules } = standing.parts[nodePool] ?? {};
  const kept = live && { base: live.base, schedules: live.schedules?.map(({ edit: _edit, ...one }) => one) };
  const wrong = live ? differs('live', kept, { base, schedules }) : 'lost its live schedules';
  return wrong === undefined ? [] : [wrong];
}
