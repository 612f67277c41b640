import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import { isObject, type JsonObject } from '../../../lab/simulator/kube/json';
import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import type { Deployment } from '../../../lab/simulator/kube/object-types';
import { HEADROOM_LABEL, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import type { FaultCounts, FaultKind } from '../environment/fault-kinds';
import { pick } from '../environment/pick';
import { NAMESPACE, type World } from '../environment/world';
import { type AcceptedInputs, loseCounts } from '../invariants/accepted-inputs';
import { alarmKey } from '../invariants/recorded-counts';
import { WRONG } from '../model/written-record';

export interface ManualEditsOptions {
  readonly world: World;
  readonly accepted: AcceptedInputs;
  readonly counts: FaultCounts;
  readonly random: Random;
  /** The stack that an owner's text names. */
  readonly stackOf: (owner: string | undefined) => string | undefined;
  readonly trace: (line: () => string) => void;
}

/** The headroom that is edited. */
interface Target {
  readonly object: Deployment;
  readonly stack: string;
  readonly headroom: string;
}

/** Returns whether there was anything to edit. */
type Edit = (edits: ManualEdits, target: Target) => boolean;

const SHARED: readonly string[] = ['web', 'ci'];

/** As `kubectl replace` does; live schedules are broken by other edits. */
const ALL_BUT_OWNER = Object.fromEntries(
  Object.values(ANNOTATIONS)
    .filter((key) => key !== ANNOTATIONS.owner && key !== ANNOTATIONS.live)
    .map((key) => [key, null]),
);

const EDITS: Readonly<Partial<Record<FaultKind, Edit>>> = {
  'scaled by hand': (edits, { object }) => edits.patch(object, { spec: { replicas: edits.pick([0, 1, 7, 50, 500]) } }),
  'record broken by hand': (edits, target) =>
    edits.writeRecord(target, edits.pick(['nonsense', '{"v":1,"override":', '[]', '{"v":0}'])) &&
    edits.destroyed(target, lastDecided(target.object)),
  'part of the record broken by hand': (edits, target) => edits.breakPart(target),
  'record of a newer version': (edits, target) => {
    const record = recordOf(target.object);
    const newer = `n${edits.pick([1, 2, 3])}`;
    if (!record || !edits.writeRecord(target, JSON.stringify({ ...record, plans: { for: newer } }))) return false;
    edits.inputs(target).newer = newer;
    return true;
  },
  'record removed by hand': (edits, target) => {
    const annotations = edits.pick([{ [ANNOTATIONS.record]: null }, ALL_BUT_OWNER]);
    const isHeld = annotations !== ALL_BUT_OWNER && isQuarantined(target.object);
    return (
      recordOf(target.object) !== undefined &&
      edits.patch(target.object, { metadata: { annotations } }) &&
      edits.destroyed(target, isHeld ? edits.inputs(target).held : undefined)
    );
  },
  'label removed by hand': (edits, { object }) =>
    edits.patch(object, { metadata: { labels: { [edits.pick([MANAGED_BY_LABEL, HEADROOM_LABEL])]: null } } }),
  // Two stacks name the other NodePools: without an owner the headroom would be either's.
  'owner removed by hand': (edits, { object, headroom }) =>
    !SHARED.includes(headroom) && edits.patch(object, { metadata: { annotations: { [ANNOTATIONS.owner]: null } } }),
  'template edited by hand': (edits, { object }) => {
    const [container] = object.spec.template.spec.containers;
    const containers = [{ ...container, image: 'nginx' }];
    return edits.patch(object, { spec: { template: { spec: { containers } } } });
  },
  'deleted by hand': (edits, target) => edits.delete(target),
};

interface RecordPart {
  readonly name: string;
  /** Whether it holds entries by name. */
  readonly isMap: boolean;
  /** What is wrong in which field; without a field in the entry itself. */
  readonly fields: Readonly<Record<string, readonly (string | number)[]>>;
}

const NO_TIME = [...WRONG.texts, WRONG.number];
const NO_TEXT = [WRONG.number];
const NO_COUNT = [WRONG.number, WRONG.fraction, ...WRONG.texts];

const RECORD_PARTS: readonly RecordPart[] = [
  {
    name: 'override',
    isMap: false,
    fields: {
      ...{ mode: WRONG.texts, replicas: NO_COUNT, until: NO_TIME, at: NO_TIME, by: NO_TEXT, reason: NO_TEXT },
      counted: NO_COUNT,
    },
  },
  { name: 'released', isMap: false, fields: { at: NO_TIME, by: NO_TEXT, reason: NO_TEXT } },
  { name: 'alarms', isMap: true, fields: { state: WRONG.texts, at: NO_TIME, ended: NO_TIME, counted: NO_COUNT } },
  { name: 'surges', isMap: true, fields: { cause: NO_TEXT, until: NO_TIME } },
  { name: 'counts', isMap: true, fields: { nodes: NO_COUNT, at: NO_TIME, until: NO_TIME } },
  {
    name: 'requests',
    isMap: true,
    fields: { at: NO_TIME, nodes: NO_COUNT, took: NO_COUNT, ready: NO_TIME, why: NO_TEXT },
  },
  { name: 'nodeStarts', isMap: true, fields: { '': NO_COUNT } },
  { name: 'announced', isMap: true, fields: { at: NO_TIME, from: NO_TIME, to: NO_TIME } },
];

export const MANUAL_EDITS = Object.keys(EDITS) as readonly FaultKind[];

/** Operators who edit Headstart's objects with kubectl. */
export class ManualEdits {
  constructor(private readonly options: ManualEditsOptions) {}

  /** Makes one edit to the headroom of a NodePool, or to a random one, if there is one. */
  edit(kind: FaultKind, headroom?: string): void {
    const { world, counts, trace } = this.options;
    const target = this.pick(this.headrooms().filter((one) => headroom === undefined || one.headroom === headroom));
    const edit = EDITS[kind];
    if (!target || !edit) return;
    if (!world.as('operator', () => edit(this, target))) return;
    counts.add(kind);
    trace(() => `${kind}: ${target.object.metadata.name}`);
  }

  /** Updates the object at a path as another writer, as a controller does when it writes the status. */
  touch(path: string): void {
    const { world, random } = this.options;
    const [, name = ''] = /deployments\/([^/?]+)/.exec(path) ?? [];
    const object = world.store.get(DEPLOYMENTS, NAMESPACE, name);
    if (!object) return;
    const status = { ...object.status, readyReplicas: Math.floor(random() * 1_000_000) };
    world.as('cluster', () => world.store.write(DEPLOYMENTS, { ...object, status }));
  }

  pick<T>(items: readonly T[]): T {
    return pick(items, this.options.random);
  }

  patch(object: Deployment, body: JsonObject): boolean {
    const patched = this.options.world.api.patch(
      DEPLOYMENTS,
      object,
      { kind: 'merge', body },
      { fieldManager: 'kubectl' },
    );
    return patched !== object;
  }

  /** Returns whether there was a record to overwrite. */
  writeRecord({ object }: Target, text: string): boolean {
    if (object.metadata.annotations?.[ANNOTATIONS.record] === undefined) return false;
    return this.patch(object, { metadata: { annotations: { [ANNOTATIONS.record]: text } } });
  }

  /** Breaks one field of one part of the record, or the whole part: nothing else may be lost. */
  breakPart(target: Target): boolean {
    const record = recordOf(target.object);
    if (!record) return false;
    const part = this.pick(RECORD_PARTS.filter(({ name }) => name === 'alarms' || isObject(record[name])));
    const inputs = this.inputs(target);
    const { changed, lost } = this.broken(record[part.name] as JsonObject, part);
    if (!this.writeRecord(target, JSON.stringify({ ...record, [part.name]: changed }))) return false;
    if (part.name === 'override' || (part.name === 'released' && !inputs.latest?.override)) delete inputs.latest;
    if (part.name === 'alarms') {
      inputs.alarmEnds.clear();
      const prefixes = lost.map((name) => alarmKey(name));
      loseCounts(
        inputs,
        [...inputs.counts.keys()].filter((key) => prefixes.some((prefix) => key.startsWith(prefix))),
      );
    }
    if (part.name === 'counts') loseCounts(inputs, lost);
    // Surges beyond the limit were never stored, so none of them takes the place of the broken one.
    if (part.name === 'surges')
      for (const id of inputs.surges.keys())
        if (lost.includes(id) || !Object.hasOwn(record.surges ?? {}, id)) inputs.surges.delete(id);
    inputs.destroyedAt = this.options.world.now;
    setHeld(inputs, lastDecided(target.object));
    return true;
  }

  private broken(part: JsonObject, { fields, isMap }: RecordPart): { changed: unknown; lost: readonly string[] } {
    const keys = Object.keys(part);
    const entry = isMap ? (keys[Math.floor(this.options.random() * keys.length)] ?? '') : '';
    if (keys.length === 0 || this.options.random() < 0.2) return { changed: 7, lost: keys };
    const before = isMap ? part[entry] : part;
    const [field, wrong] = this.pick(Object.entries(fields));
    const after = isObject(before) && field !== '' ? { ...before, [field]: this.pick(wrong) } : this.pick(wrong);
    return isMap ? { changed: { ...part, [entry]: after }, lost: [entry] } : { changed: after, lost: keys };
  }

  delete(target: Target): boolean {
    this.options.world.api.delete(DEPLOYMENTS, target.object);
    return this.destroyed(target, undefined);
  }

  inputs({ stack, headroom }: Target) {
    return this.options.accepted.of(stack, headroom);
  }

  destroyed(target: Target, held: number | undefined): boolean {
    this.options.accepted.destroy(target.stack, target.headroom, this.options.world.now);
    setHeld(this.inputs(target), held);
    return true;
  }

  private headrooms(): readonly Target[] {
    const { world, stackOf } = this.options;
    return world.store.list(DEPLOYMENTS, NAMESPACE).flatMap((object) => {
      const stack = stackOf(object.metadata.annotations?.[ANNOTATIONS.owner]);
      return stack === undefined ? [] : [{ object, stack, headroom: object.metadata.name.replace(/^headroom-/, '') }];
    });
  }
}

function setHeld(inputs: { held?: number }, held: number | undefined): void {
  if (held === undefined) delete inputs.held;
  else inputs.held = held;
}

function isQuarantined({ metadata }: Deployment): boolean {
  return metadata.annotations?.[ANNOTATIONS.quarantined] !== undefined;
}

/** The size that Headstart last decided, according to the annotation. */
function lastDecided({ metadata, spec }: Deployment): number {
  const text = metadata.annotations?.[ANNOTATIONS.decided];
  return text === undefined ? spec.replicas : Number(text);
}

interface WrittenRecord extends JsonObject {
  readonly override?: JsonObject;
  readonly surges?: JsonObject;
  readonly counts?: JsonObject;
}

/** The record, if it is intact. */
function recordOf({ metadata }: Deployment): WrittenRecord | undefined {
  try {
    const record = JSON.parse(metadata.annotations?.[ANNOTATIONS.record] ?? '') as WrittenRecord;
    return record.v === 1 && isObject(record.alarms) ? record : undefined;
  } catch {
    return undefined;
  }
}
