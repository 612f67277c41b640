import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { ConflictError } from '../../shared/core/basics/errors';
import type { NodeClaimShape } from '../../shared/core/karpenter/can-land';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import { type DeploymentManifest, INSTANCE_LABEL } from '../../shared/core/manifests/pause-deployment';
import type { Cluster, CurrentHeadroom, Runtime } from '../../shared/core/ports/ports';
import { handleAny as handle } from './environment/announcements';
import { type HandlingStrategy, REAL_STRATEGY } from './environment/strategy';

/** A bug that Headstart once had, or that its design prevents, planted into the code. */
export interface PlantedBug {
  readonly name: string;
  readonly strategy: HandlingStrategy;
  /** The violation that the simulation reports. */
  readonly found: RegExp;
  /** One that brings it about within the steps of the test. @default 7 */
  readonly seed?: number;
}

type Raw = Readonly<Record<string, unknown>>;
type Annotations = Readonly<Record<string, string>>;

/** A deploy has no scheduled time, so a tick that turns into one must not also hide a wrong clock. */
function isNow({ time }: Raw, { now }: Runtime): boolean {
  return Math.abs(Date.parse(String(time)) - now()) < 60_000;
}

/** A cluster whose annotations are misread. */
export function misread(cluster: Cluster, change: (annotations: Annotations) => Annotations): Cluster {
  const seen = (current: CurrentHeadroom): CurrentHeadroom => ({
    ...current,
    annotations: change(current.annotations),
  });
  return {
    ...cluster,
    listHeadrooms: async () => (await cluster.listHeadrooms()).map(seen),
    readHeadroom: async (name) => {
      const current = await cluster.readHeadroom(name);
      return current && seen(current);
    },
  };
}

/** Handles each event with a changed view of the cluster. */
export function through(change: (cluster: Cluster, runtime: Runtime, raw: Raw) => Cluster): HandlingStrategy {
  return {
    ...REAL_STRATEGY,
    handle: (raw, runtime) => {
      const cluster = change(runtime.ports.cluster, runtime, (raw ?? {}) as Raw);
      return handle(raw, { ...runtime, ports: { ...runtime.ports, cluster } });
    },
  };
}

export function changeRecord(annotations: Annotations, change: (text: string) => string): Annotations {
  const text = annotations[ANNOTATIONS.record];
  return text === undefined ? annotations : { ...annotations, [ANNOTATIONS.record]: change(text) };
}

function without(part: string, text: string): string {
  try {
    const { [part]: _part, ...rest } = JSON.parse(text) as Raw;
    return JSON.stringify(rest);
  } catch {
    return text;
  }
}

/** A cluster that gets other annotations, and another size, than were decided. */
function miswrite(cluster: Cluster, change: (manifest: DeploymentManifest) => DeploymentManifest): Cluster {
  return { ...cluster, applyHeadroom: (manifest, version) => cluster.applyHeadroom(change(manifest), version) };
}

function withAnnotations(manifest: DeploymentManifest, change: (annotations: Annotations) => Annotations) {
  const { metadata } = manifest;
  return {
    ...manifest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...change(metadata.annotations) } },
  };
}

/** A tombstone that nobody wrote is what is left of an override that has ended. */
function withoutTombstone(text: string): string {
  const { released, ...rest } = JSON.parse(text) as { readonly released?: Raw };
  return JSON.stringify(released?.by === undefined ? rest : { released, ...rest });
}

/** A floor that waits for its count runs nothing. */
function shrunk(manifest: DeploymentManifest): DeploymentManifest {
  const reasons = (manifest.metadata.annotations as Annotations)[ANNOTATIONS.reasons] ?? '';
  if (!/not counted yet|cannot be counted/.test(reasons)) return manifest;
  const small = withAnnotations(manifest, (annotations) => ({ ...annotations, [ANNOTATIONS.decided]: '0' }));
  return { ...small, spec: { ...small.spec, replicas: 0 } };
}

/** Handles each event after a change to it. */
function changed(change: (raw: Raw, runtime: Runtime) => unknown): HandlingStrategy {
  return { ...REAL_STRATEGY, handle: (raw, runtime) => handle(raw && change(raw as Raw, runtime), runtime) };
}

/** Notices that are dated far ahead, dated just as far ahead as is believed. */
function believedAhead(raw: Raw, { now, accepts }: Runtime): unknown {
  if (!Array.isArray(raw.Records) || accepts !== 'interruption') return raw;
  const records = raw.Records as readonly { readonly body: string }[];
  const latest = now() + 59_000;
  return {
    Records: records.map((record) => {
      const time = /"time":"([^"]+)"/.exec(record.body)?.[1];
      const isNotice = record.body.includes('"instance-id":"i-');
      if (time === undefined || !isNotice || Date.parse(time) <= latest) return record;
      return { ...record, body: record.body.replace(time, new Date(latest).toISOString()) };
    }),
  };
}

/** The record without a release of the same instant as the override that comes. */
function withoutTie(text: string, { at, release }: Raw): string {
  const isTie = release !== true && typeof at === 'string' && text.includes(`"released":{"at":"${at}"`);
  return isTie ? without('released', text) : text;
}

function readsReplicas(cluster: Cluster): Cluster {
  const seen = (current: CurrentHeadroom): CurrentHeadroom => ({ ...current, ready: current.replicas });
  return { ...cluster, listHeadrooms: async () => (await cluster.listHeadrooms()).map(seen) };
}

/** The labels of a node without those for its size. */
function poolOf({ labels }: NodeClaimShape): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !INSTANCE_LABEL.test(key)));
}

/** A cluster whose records lack one part. */
function forgets(part: string): (cluster: Cluster) => Cluster {
  return (cluster) => misread(cluster, (annotations) => changeRecord(annotations, (text) => without(part, text)));
}

/** A floor whose record was removed, with what alarms and notices added to its size counted twice. */
function withExtraTwice(current: CurrentHeadroom): CurrentHeadroom {
  const { annotations, replicas } = current;
  const reasons = annotations[ANNOTATIONS.reasons] ?? '';
  const isLost = annotations[ANNOTATIONS.record] === undefined && / nodes? \+ \d+ = /.test(reasons);
  if (!isLost || annotations[ANNOTATIONS.decided] !== String(replicas)) return current;
  const added = [...reasons.matchAll(/(?:alarm|notice)[^"]*?: \+(\d+)/g)].map(([, more]) => Number(more));
  const decided = added.reduce((sum, one) => sum + one, replicas);
  return { ...current, replicas: decided, annotations: { ...annotations, [ANNOTATIONS.decided]: String(decided) } };
}

const NO_INTENTS = '{"v":1,"alarms":{},"surges":{}}';

/** More than any `max`, while part of the record cannot be read. */
function heldTooHigh(manifest: DeploymentManifest): DeploymentManifest {
  const isHeld = Object.keys(manifest.metadata.annotations).includes(ANNOTATIONS.quarantined);
  return isHeld ? { ...manifest, spec: { ...manifest.spec, replicas: 50 } } : manifest;
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'calls spend their tries on connections that died while the process slept',
    strategy: {
      ...REAL_STRATEGY,
      connections: (make) => {
        const agent = make();
        return { get: () => agent, drop: () => {} };
      },
    },
    found: /failed after \d faults/,
  },
  {
    name: 'calls that fail are not tried again',
    strategy: {
      ...REAL_STRATEGY,
      transport: (connection, options) => kubeTransport(connection, { ...options, maxTries: 1 }),
    },
    found: /failed after \d faults|claimed .+ and deleted nothing/,
  },
  {
    name: 'a field of a newer version holds the size',
    strategy: through((cluster) =>
      misread(cluster, (annotations) =>
        annotations[ANNOTATIONS.record]?.includes('"plans"')
          ? { ...annotations, [ANNOTATIONS.quarantined]: '{"plans":{}}' }
          : annotations,
      ),
    ),
    found: /what was accepted asks for|dropped what could not be read|unreadable is/,
  },
  {
    name: 'a field of a newer version is wiped',
    strategy: through((cluster) =>
      misread(cluster, (annotations) =>
        changeRecord(annotations, (text) => text.replace(/,"plans":\{"for":"n\d"\}/, '')),
      ),
    ),
    found: /lost a field of a newer version/,
  },
  {
    name: 'a held size goes above max',
    strategy: through((cluster) => miswrite(cluster, heldTooHigh)),
    found: /above max/,
  },
  {
    name: 'a late release removes a newer override',
    strategy: through((cluster, _service, raw) => (raw.release === true ? forgets('override')(cluster) : cluster)),
    found: /lost the override|what was accepted asks for|override is|replaced is/,
  },
  {
    name: 'nodes are counted again at every heartbeat',
    strategy: through(forgets('counts')),
    found: /was recorded already/,
  },
  {
    name: 'a count is counted again once all annotations are removed',
    strategy: through((cluster) =>
      misread(cluster, (annotations) => ({ [ANNOTATIONS.record]: NO_INTENTS, ...annotations })),
    ),
    found: /was counted again/,
  },
  {
    name: 'a lost count includes the boosts and surges that are on',
    strategy: through((cluster) => ({
      ...cluster,
      listHeadrooms: async () => (await cluster.listHeadrooms()).map(withExtraTwice),
    })),
    found: /above max|the lost count of/,
    seed: 26,
  },
  {
    name: 'nodes that are too small, or going away, are counted',
    strategy: through((cluster) => ({
      ...cluster,
      readNodeClaims: (begin, which) =>
        cluster.readNodeClaims(() => {
          const see = begin();
          return ({ shape, ...claim }) =>
            see({
              ...claim,
              ...(shape && { shape: { ...shape, launched: false, labels: poolOf(shape), deleting: false } }),
            });
        }, which),
    })),
    found: /and there were/,
  },
  {
    name: 'an occurrence is requested again at every heartbeat, as late as the current nodes allow',
    strategy: through(forgets('requests')),
    found: /forgot that .+ was requested|was recorded already|request of/,
  },
  {
    name: 'only the current nodes are remembered',
    strategy: through(forgets('nodeStarts')),
    found: /forgot the node|node starts is/,
  },
  {
    name: 'a node is measured from when it is seen, and again whenever it is',
    strategy: through((cluster, { now }) => ({
      ...cluster,
      readNodeClaims: (begin) =>
        cluster.readNodeClaims(() => {
          const see = begin();
          return ({ start, ...claim }) =>
            see({ ...claim, ...(start && { start: { ...start, createdAt: now() - 5_000, initializedAt: now() } }) });
        }),
    })),
    found: /counted .+, which took/,
  },
  {
    name: "two stacks take each other's headroom for their own",
    strategy: through((cluster, { owner }) =>
      misread(cluster, (annotations) => ({ ...annotations, [ANNOTATIONS.owner]: owner })),
    ),
    found: /which belongs to/,
    seed: 3,
  },
  {
    name: 'every reconcile deletes what its config does not name, in the middle of a deploy too',
    strategy: {
      ...REAL_STRATEGY,
      handle: (raw, runtime) =>
        handle(
          (raw as Raw)?.source === 'headstart.schedule' && isNow(raw as Raw, runtime)
            ? { ...(raw as Raw), source: 'headstart.deploy', 'detail-type': 'Headstart Deploy' }
            : raw,
          runtime,
        ),
    },
    found: /is not the reconcile of a deploy/,
    // Other invariants take such a tick for a deploy: with live schedules, and where node starts are read.
    seed: 1,
  },
  {
    name: 'a record that is longer than the reader takes is written',
    strategy: through((cluster) =>
      misread(cluster, (annotations) =>
        changeRecord(annotations, (text) => (text.length > 400 ? text.slice(0, 400) : text)),
      ),
    ),
    found: /lost the override|what was accepted asks for|was recorded already/,
    seed: 1,
  },
  {
    name: 'a Deployment that was created although the response got lost is an error',
    strategy: through((cluster) => ({
      ...cluster,
      createHeadroom: (manifest) =>
        cluster.createHeadroom(manifest).catch((error: unknown) => {
          throw error instanceof ConflictError ? new Error(error.message) : error;
        }),
    })),
    found: /failed after \d faults/,
  },
  {
    name: 'a write does not carry the version that it was decided on',
    strategy: through((cluster) => ({ ...cluster, applyHeadroom: (manifest) => cluster.applyHeadroom(manifest, '') })),
    found:
      /lost (the override|a field)|what was accepted asks for|dropped what could not be read|was recorded already|forgot that|unlike the model|answered that it wrote|is not guarded/,
  },
  {
    name: 'a batch is reported as handled, although part of it was not',
    strategy: {
      ...REAL_STRATEGY,
      handle: async (raw, runtime) => {
        const answer = await handle(raw, runtime);
        return 'batchItemFailures' in (answer as object) ? { batchItemFailures: [] } : answer;
      },
    },
    found: /reported the notice of .+ as handled|lost the message about/,
  },
  {
    name: 'calls do not know when the function has to answer',
    strategy: {
      ...REAL_STRATEGY,
      transport: (connection, options) => kubeTransport(connection, { ...options, deadline: Number.POSITIVE_INFINITY }),
    },
    found: /may take \d+ ms, and -?\d+ ms are left|did not answer in its time/,
    seed: 4,
  },
  {
    name: 'calls are tried again at once, whatever the server asks for',
    strategy: {
      ...REAL_STRATEGY,
      transport: (connection, options) => kubeTransport(connection, { ...options, sleep: async () => {} }),
    },
    found: /was tried again after \d+ ms, not/,
  },
  {
    name: 'headroom that names no owner is deleted like our own',
    strategy: through((cluster, { owner }) =>
      misread(cluster, (annotations) => ({ [ANNOTATIONS.owner]: owner, ...annotations })),
    ),
    found: /which names no owner/,
    seed: 8,
  },
  {
    name: 'an override that has ended leaves no trace',
    strategy: through((cluster) =>
      miswrite(cluster, (manifest) =>
        withAnnotations(manifest, (annotations) => changeRecord(annotations, withoutTombstone)),
      ),
    ),
    found: /released is|lost the time of|answered that it wrote/,
    seed: 9,
  },
  {
    name: 'notices are believed from the future',
    strategy: changed(believedAhead),
    found: /surges is/,
    seed: 2,
  },
  {
    name: 'a floor shrinks while its nodes cannot be counted',
    strategy: through((cluster) => miswrite(cluster, shrunk)),
    found: /replicas is/,
  },
  {
    name: 'pods count as ready as soon as they are requested',
    strategy: through(readsReplicas),
    found: /ready pods of|ready of/,
  },
  {
    name: 'a fight for a field is forgotten whenever something else is written',
    strategy: through((cluster) =>
      misread(cluster, ({ [ANNOTATIONS.contested]: _contested, ...annotations }) => annotations),
    ),
    found: /contest is|is forgotten/,
  },
  {
    name: 'an override wins over a release of the same instant',
    strategy: through((cluster, _service, raw) =>
      misread(cluster, (annotations) => changeRecord(annotations, (text) => withoutTie(text, raw))),
    ),
    found: /override is|released is/,
  },
  {
    name: 'a clock that is wrong by hours is believed',
    strategy: changed((raw, { now }) =>
      raw.source === 'headstart.schedule' ? { ...raw, time: new Date(now()).toISOString() } : raw,
    ),
    found: /its clock is wrong/,
    seed: 3,
  },
];
