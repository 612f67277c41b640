import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import { CONFIG_MAPS, DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { LIVE_SCHEDULES } from '../../../shared/core/basics/names';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import type { FaultCounts, FaultKind } from '../environment/fault-kinds';
import { BROKEN_TEXTS, type LiveText, VALID_TEXTS } from '../environment/live-texts';
import { pick } from '../environment/pick';
import { NAMESPACE, type World } from '../environment/world';

const MANAGERS = ['kubectl-edit', 'argocd-controller', 'headstart-cli'];
/** A replace is a delete and a create. */
const REPLACED_WITHIN_MS = 30_000;
const MOST_EDITS = 5;

export interface LiveEditsOptions {
  readonly world: World;
  readonly counts: FaultCounts;
  /** Of its own, so that scenarios without live schedules stay as they are. */
  readonly random: Random;
  /** When the edits end. */
  readonly until: number;
  readonly trace: (line: () => string) => void;
}

/** People and GitOps tools who write the ConfigMap with the live schedules. */
export function startLiveEdits(options: LiveEditsOptions): void {
  const { world, random, until } = options;
  const edits: (() => void)[] = [
    () => put(options, pick(VALID_TEXTS, random), 'live schedules edited'),
    () => put(options, pick(VALID_TEXTS, random), 'live schedules edited'),
    () => put(options, pick(BROKEN_TEXTS, random), 'live schedules broken'),
    () => remove(options, 'live schedules deleted'),
    () => replace(options),
    () => label(options),
    () => breakKept(options),
  ];
  if (random() < 0.6) put(options, pick(VALID_TEXTS, random), 'live schedules edited');
  for (let count = 1 + Math.floor(random() * MOST_EDITS); count > 0; count -= 1)
    world.clock.at(world.now + Math.floor(random() * (until - world.now)), pick(edits, random));
}

function put({ world, counts, random, trace }: LiveEditsOptions, text: LiveText, kind: FaultKind): void {
  const { data, binaryData = {} } = text;
  const manager = { fieldManager: pick(MANAGERS, random) };
  const found = world.store.get(CONFIG_MAPS, NAMESPACE, LIVE_SCHEDULES);
  const head = { apiVersion: 'v1', kind: 'ConfigMap', metadata: found?.metadata ?? { name: LIVE_SCHEDULES } };
  const body = { ...head, data, binaryData };
  const stored = world.as('operator', () =>
    found
      ? world.api.replace(CONFIG_MAPS, found, body, manager)
      : world.api.create(CONFIG_MAPS, NAMESPACE, body, manager),
  );
  if (stored === found) return;
  const at = new Date(Math.floor(world.now / 1_000) * 1_000).toISOString();
  world.liveEdits.set(stored.metadata.resourceVersion, { by: manager.fieldManager, at });
  counts.add(kind);
  trace(() => `${kind} by ${manager.fieldManager}: ${JSON.stringify({ ...data, ...binaryData })}`);
}

function remove({ world, counts, trace }: LiveEditsOptions, kind: FaultKind): LiveText['data'] | undefined {
  const found = world.store.get(CONFIG_MAPS, NAMESPACE, LIVE_SCHEDULES);
  if (!found) return undefined;
  world.as('operator', () => world.api.delete(CONFIG_MAPS, found));
  counts.add(kind);
  trace(() => kind);
  return (found as unknown as { readonly data?: LiveText['data'] }).data;
}

/** The same text is there again a moment later. */
function replace(options: LiveEditsOptions): void {
  const { world, random } = options;
  const data = remove(options, 'live schedules replaced');
  if (!data) return;
  world.clock.after(1 + Math.floor(random() * REPLACED_WITHIN_MS), () => {
    const isThere = world.store.get(CONFIG_MAPS, NAMESPACE, LIVE_SCHEDULES) !== undefined;
    if (!isThere) put(options, { data }, 'live schedules replaced');
  });
}

/** Somebody edits what a Deployment keeps, in one of the ways that the model knows. */
function breakKept({ world, counts, random, trace }: LiveEditsOptions): void {
  const keeping = world.store.list(DEPLOYMENTS).filter(({ metadata }) => metadata.annotations?.[ANNOTATIONS.live]);
  const object = pick(keeping, random);
  const text = object?.metadata.annotations?.[ANNOTATIONS.live];
  if (!object || text === undefined) return;
  const broken = pick(['{', '[]', 'null', withBase(text), text.replace('"timezone":"UTC",', '')], random);
  const patch = { kind: 'merge' as const, body: { metadata: { annotations: { [ANNOTATIONS.live]: broken } } } };
  world.as('operator', () => world.api.patch(DEPLOYMENTS, object, patch, { fieldManager: 'kubectl-edit' }));
  counts.add('kept live schedules broken by hand');
  trace(() => `what ${object.metadata.name} keeps is edited by hand: ${broken}`);
}

function withBase(text: string): string {
  return text.startsWith('{"') ? JSON.stringify({ ...JSON.parse(text), base: 'two' }) : '{';
}

/** Somebody writes the ConfigMap, and not its text. */
function label({ world, random }: LiveEditsOptions): void {
  const found = world.store.get(CONFIG_MAPS, NAMESPACE, LIVE_SCHEDULES);
  const body = { metadata: { labels: { team: pick(['shop', 'platform'], random) } } };
  if (!found) return;
  const patch = { kind: 'merge' as const, body };
  const stored = world.as('operator', () => world.api.patch(CONFIG_MAPS, found, patch, { fieldManager: 'labels' }));
  const edit = world.liveEdits.get(found.metadata.resourceVersion);
  if (edit) world.liveEdits.set(stored.metadata.resourceVersion, edit);
}
