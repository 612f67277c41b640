import { MANAGED_BY_LABEL, NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import type { Random } from '../../../simulator/deterministic/seeded-random';
import { isObject, type JsonObject } from '../../../simulator/kube/json';
import { DEPLOYMENTS } from '../../../simulator/kube/kinds';
import type { Deployment } from '../../../simulator/kube/objects';
import type { FaultCounts, FaultKind } from '../environment/fault-kinds';
import { NAMESPACE, type World } from '../environment/world';
import type { Ledger } from '../invariants/accepted-inputs';

export interface HandsOptions {
  readonly world: World;
  readonly ledger: Ledger;
  readonly counts: FaultCounts;
  readonly random: Random;
  /** The stack that an owner's text names. */
  readonly stackOf: (owner: string | undefined) => string | undefined;
  readonly trace: (line: () => string) => void;
}

/** A headroom that a person lays hands on. */
interface Touched {
  readonly object: Deployment;
  readonly stack: string;
  readonly nodePool: string;
}

/** Whether there was anything to edit. */
type Edit = (hands: Hands, touched: Touched) => boolean;

const EDITS: Readonly<Partial<Record<FaultKind, Edit>>> = {
  'scaled by hand': (hands, { object }) => hands.patch(object, { spec: { replicas: hands.pick([0, 1, 7, 50, 500]) } }),
  'record broken by hand': (hands, touched) =>
    hands.writeRecord(touched, hands.pick(['nonsense', '{"v":1,"override":', '[]', '{"v":0}'])) &&
    hands.destroyed(touched, lastDecided(touched.object)),
  'part of the record broken by hand': (hands, touched) => hands.breakPart(touched),
  'record of a newer version': (hands, touched) => {
    const record = recordOf(touched.object);
    const newer = `n${hands.pick([1, 2, 3])}`;
    if (!record || !hands.writeRecord(touched, JSON.stringify({ ...record, plans: { for: newer } }))) return false;
    hands.account(touched).newer = newer;
    return true;
  },
  'record removed by hand': (hands, touched) =>
    recordOf(touched.object) !== undefined &&
    hands.patch(touched.object, { metadata: { annotations: { [ANNOTATIONS.record]: null } } }) &&
    hands.destroyed(touched, isQuarantined(touched.object) ? hands.account(touched).held : undefined),
  'label removed by hand': (hands, { object }) =>
    hands.patch(object, { metadata: { labels: { [hands.pick([MANAGED_BY_LABEL, NODEPOOL_LABEL])]: null } } }),
  'template edited by hand': (hands, { object }) => {
    const [container] = object.spec.template.spec.containers;
    const containers = [{ ...container, image: 'nginx' }];
    return hands.patch(object, { spec: { template: { spec: { containers } } } });
  },
  'deleted by hand': (hands, touched) => hands.delete(touched),
};

export const HAND_EDITS = Object.keys(EDITS) as readonly FaultKind[];

/** People with kubectl, who change Headstart's objects behind its back. */
export class Hands {
  constructor(private readonly options: HandsOptions) {}

  /** Does one thing to one headroom, if there is any. */
  edit(kind: FaultKind): void {
    const { world, counts, trace } = this.options;
    const touched = this.pick(this.headrooms());
    const edit = EDITS[kind];
    if (!touched || !edit) return;
    if (!world.as('hand', () => edit(this, touched))) return;
    counts.add(kind);
    trace(() => `${kind}: ${touched.object.metadata.name}`);
  }

  /** Somebody else's update of the object at a path, such as a controller's of its status. */
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

  /** Whether there was a record to write over. */
  writeRecord({ object }: Touched, text: string): boolean {
    if (object.metadata.annotations?.[ANNOTATIONS.record] === undefined) return false;
    return this.patch(object, { metadata: { annotations: { [ANNOTATIONS.record]: text } } });
  }

  breakPart(touched: Touched): boolean {
    const record = recordOf(touched.object);
    if (!record) return false;
    const account = this.account(touched);
    const [surge] = Object.keys(record.surges ?? {});
    if (record.override && this.pick([true, false])) {
      this.writeRecord(touched, JSON.stringify({ ...record, override: { ...record.override, mode: 'atMost' } }));
      delete account.word;
    } else if (record.openings && this.pick([true, false])) {
      const [opening = ''] = Object.keys(record.openings);
      const openings = this.pick<unknown>([7, { ...record.openings, [opening]: { nodes: 'many' } }]);
      this.writeRecord(touched, JSON.stringify({ ...record, openings }));
      for (const key of Object.keys(record.openings)) if (openings === 7 || key === opening) account.counts.delete(key);
    } else if (surge !== undefined) {
      const surges = { ...record.surges, [surge]: { cause: 'spot', until: 'soon' } };
      this.writeRecord(touched, JSON.stringify({ ...record, surges }));
      // Only as many are stored as can count: what else there was cannot take its place.
      for (const id of account.surges.keys()) if (id === surge || !(id in surges)) account.surges.delete(id);
    } else {
      this.writeRecord(touched, JSON.stringify({ ...record, alarms: 7 }));
      account.alarmEnds.clear();
    }
    account.destroyedAt = this.options.world.now;
    setHeld(account, lastDecided(touched.object));
    return true;
  }

  delete(touched: Touched): boolean {
    this.options.world.api.delete(DEPLOYMENTS, touched.object);
    return this.destroyed(touched, undefined);
  }

  account({ stack, nodePool }: Touched) {
    return this.options.ledger.of(stack, nodePool);
  }

  destroyed(touched: Touched, held: number | undefined): boolean {
    this.options.ledger.destroy(touched.stack, touched.nodePool, this.options.world.now);
    setHeld(this.account(touched), held);
    return true;
  }

  private headrooms(): readonly Touched[] {
    const { world, stackOf } = this.options;
    return world.store.list(DEPLOYMENTS, NAMESPACE).flatMap((object) => {
      const stack = stackOf(object.metadata.annotations?.[ANNOTATIONS.owner]);
      return stack === undefined ? [] : [{ object, stack, nodePool: object.metadata.name.replace(/^headroom-/, '') }];
    });
  }
}

function setHeld(account: { held?: number }, held: number | undefined): void {
  if (held === undefined) delete account.held;
  else account.held = held;
}

function isQuarantined({ metadata }: Deployment): boolean {
  return metadata.annotations?.[ANNOTATIONS.quarantined] !== undefined;
}

/** The size that Headstart last decided, as the object says. */
function lastDecided({ metadata, spec }: Deployment): number {
  const text = metadata.annotations?.[ANNOTATIONS.decided];
  return text === undefined ? spec.replicas : Number(text);
}

interface WrittenRecord extends JsonObject {
  readonly override?: JsonObject;
  readonly surges?: JsonObject;
  readonly openings?: JsonObject;
}

/** The record, where it is whole. */
function recordOf({ metadata }: Deployment): WrittenRecord | undefined {
  try {
    const record = JSON.parse(metadata.annotations?.[ANNOTATIONS.record] ?? '') as WrittenRecord;
    return record.v === 1 && isObject(record.alarms) ? record : undefined;
  } catch {
    return undefined;
  }
}
