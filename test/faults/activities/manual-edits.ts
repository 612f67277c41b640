import { MANAGED_BY_LABEL, NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import type { Random } from '../../../simulator/deterministic/seeded-random';
import { isObject, type JsonObject } from '../../../simulator/kube/json';
import { DEPLOYMENTS } from '../../../simulator/kube/kinds';
import type { Deployment } from '../../../simulator/kube/objects';
import type { FaultCounts, FaultKind } from '../environment/fault-kinds';
import { NAMESPACE, type World } from '../environment/world';
import type { AcceptedInputs } from '../invariants/accepted-inputs';

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
  readonly nodePool: string;
}

/** Returns whether there was anything to edit. */
type Edit = (edits: ManualEdits, target: Target) => boolean;

const SHARED: readonly string[] = ['web', 'ci'];

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
  'record removed by hand': (edits, target) =>
    recordOf(target.object) !== undefined &&
    edits.patch(target.object, { metadata: { annotations: { [ANNOTATIONS.record]: null } } }) &&
    edits.destroyed(target, isQuarantined(target.object) ? edits.inputs(target).held : undefined),
  'label removed by hand': (edits, { object }) =>
    edits.patch(object, { metadata: { labels: { [edits.pick([MANAGED_BY_LABEL, NODEPOOL_LABEL])]: null } } }),
  // Two stacks name the other NodePools: without an owner the headroom would be either's.
  'owner removed by hand': (edits, { object, nodePool }) =>
    !SHARED.includes(nodePool) && edits.patch(object, { metadata: { annotations: { [ANNOTATIONS.owner]: null } } }),
  'template edited by hand': (edits, { object }) => {
    const [container] = object.spec.template.spec.containers;
    const containers = [{ ...container, image: 'nginx' }];
    return edits.patch(object, { spec: { template: { spec: { containers } } } });
  },
  'deleted by hand': (edits, target) => edits.delete(target),
};

export const MANUAL_EDITS = Object.keys(EDITS) as readonly FaultKind[];

/** Operators who edit Headstart's objects with kubectl. */
export class ManualEdits {
  constructor(private readonly options: ManualEditsOptions) {}

  /** Makes one edit to a random headroom, if there is one. */
  edit(kind: FaultKind): void {
    const { world, counts, trace } = this.options;
    const target = this.pick(this.headrooms());
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
    return items[Math.floor(this.options.random() * items.length)] as T;
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

  breakPart(target: Target): boolean {
    const record = recordOf(target.object);
    if (!record) return false;
    const inputs = this.inputs(target);
    const [surge] = Object.keys(record.surges ?? {});
    if (record.override && this.pick([true, false])) {
      this.writeRecord(target, JSON.stringify({ ...record, override: { ...record.override, mode: 'atMost' } }));
      delete inputs.latest;
    } else if (record.openings && this.pick([true, false])) {
      const [occurrence = ''] = Object.keys(record.openings);
      const openings = this.pick<unknown>([7, { ...record.openings, [occurrence]: { nodes: 'many' } }]);
      this.writeRecord(target, JSON.stringify({ ...record, openings }));
      for (const key of Object.keys(record.openings))
        if (openings === 7 || key === occurrence) inputs.counts.delete(key);
    } else if (surge !== undefined) {
      const surges = { ...record.surges, [surge]: { cause: 'spot', until: 'soon' } };
      this.writeRecord(target, JSON.stringify({ ...record, surges }));
      // Surges beyond the limit were never stored, so none of them takes the place of the broken one.
      for (const id of inputs.surges.keys()) if (id === surge || !(id in surges)) inputs.surges.delete(id);
    } else {
      this.writeRecord(target, JSON.stringify({ ...record, alarms: 7 }));
      inputs.alarmEnds.clear();
    }
    inputs.destroyedAt = this.options.world.now;
    setHeld(inputs, lastDecided(target.object));
    return true;
  }

  delete(target: Target): boolean {
    this.options.world.api.delete(DEPLOYMENTS, target.object);
    return this.destroyed(target, undefined);
  }

  inputs({ stack, nodePool }: Target) {
    return this.options.accepted.of(stack, nodePool);
  }

  destroyed(target: Target, held: number | undefined): boolean {
    this.options.accepted.destroy(target.stack, target.nodePool, this.options.world.now);
    setHeld(this.inputs(target), held);
    return true;
  }

  private headrooms(): readonly Target[] {
    const { world, stackOf } = this.options;
    return world.store.list(DEPLOYMENTS, NAMESPACE).flatMap((object) => {
      const stack = stackOf(object.metadata.annotations?.[ANNOTATIONS.owner]);
      return stack === undefined ? [] : [{ object, stack, nodePool: object.metadata.name.replace(/^headroom-/, '') }];
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
  readonly openings?: JsonObject;
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
