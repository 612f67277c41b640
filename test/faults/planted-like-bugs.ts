import type { HeadroomConfig } from '../../shared/core/config/config';
import type { KeptLike } from '../../shared/core/like/kept-like';
import type { WorkloadReadings } from '../../shared/core/like/like-workloads';
import type { WorkloadObject } from '../../shared/core/like/workload';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import type { CurrentHeadroom, Ports, Runtime } from '../../shared/core/ports/ports';
import { handleAny as handle } from './environment/announcements';
import { type HandlingStrategy, REAL_STRATEGY } from './environment/strategy';
import { changeRecord, misread, type PlantedBug, through } from './planted-bugs';

type Like = NonNullable<Ports['like']>;
type Base = { readonly replicas: number; readonly lowSince?: string; readonly again?: number };

/** Another way to read workloads, or to count with them. */
function liking(change: (like: Like, runtime: Runtime) => Like): HandlingStrategy {
  return {
    ...REAL_STRATEGY,
    handle: (raw, runtime) => {
      const { like } = runtime.ports;
      return handle(raw, like ? { ...runtime, ports: { ...runtime.ports, like: change(like, runtime) } } : runtime);
    },
  };
}

/** Workloads that are read as others. */
function readAs(change: (object: WorkloadObject) => WorkloadObject): HandlingStrategy {
  return liking((like) => ({ ...like, read: (intents) => like.read(intents)?.then((all) => each(all, change)) }));
}

function each(readings: WorkloadReadings, change: (object: WorkloadObject) => WorkloadObject): WorkloadReadings {
  const all = [...readings].map(([key, one]) => {
    return [key, one.kind === 'found' ? { ...one, object: change(one.object) } : one] as const;
  });
  return new Map(all);
}

/** Headroom for a workload that counts with something else. */
function countedAs(change: (pool: HeadroomConfig) => HeadroomConfig): HandlingStrategy {
  return liking((like) => ({
    ...like,
    effective: (input) => {
      const found = like.effective(input);
      return found && { ...found, pool: change(found.pool) };
    },
  }));
}

/** What is kept for `base` is read as something else, by a function that has read a workload that can be used. */
function baseAs(change: (base: Base) => Base): HandlingStrategy {
  const changed = (text: string) => {
    const kept = JSON.parse(text) as { readonly base?: Base };
    return JSON.stringify({ ...kept, ...(kept.base && { base: change(kept.base) }) });
  };
  return keptAs((text, { seen }, kept) => (seen.workloads && kept?.unread === undefined ? changed(text) : text));
}

type Input = Parameters<Like['effective']>[0];

/** What a Deployment keeps of its workload is read as another text. */
function keptAs(change: (text: string, input: Input, kept: KeptLike | undefined) => string): HandlingStrategy {
  return liking((like) => ({
    ...like,
    effective: (input) => {
      const { current } = input;
      const [kept, plain] = [current?.annotations[ANNOTATIONS.like], like.effective(input)];
      if (!current || !kept) return plain;
      const annotations = { ...current.annotations, [ANNOTATIONS.like]: change(kept, input, plain?.kept) };
      return like.effective({ ...input, current: { ...current, annotations } });
    },
  }));
}

/** What runs of a headroom counts as pods of its workload. */
function withOwnPods(like: Like, { ports: { cluster }, config }: Runtime): Like {
  const running = async () => (await cluster.listHeadrooms()) as readonly CurrentHeadroom[];
  const isOfWorkload = (name: string) => config.headrooms.some((one) => one.like && `headroom-${one.name}` === name);
  return {
    ...like,
    read: (intents) =>
      like.read(intents)?.then(async (all) => {
        const own = (await running()).filter(({ name }) => isOfWorkload(name));
        const more = own.reduce((sum, { replicas }) => sum + replicas, 0);
        return each(all, ({ spec, ...rest }) => ({
          ...rest,
          spec: { ...spec, replicas: (spec?.replicas ?? 1) + more },
        }));
      }),
  };
}

/** Records in which no alarm remembers what its share is of. */
const withoutAlarmShares = (text: string) => text.replace(/,"of":\{"replicas":\d+,"at":"[^"]+"\}/g, '');

export const PLANTED_LIKE_BUGS: readonly PlantedBug[] = [
  {
    name: 'a share follows its own pods',
    strategy: liking(withOwnPods),
    found: /base (begins|follows|went up)|shares/,
  },
  {
    name: 'base goes down with the second lower reading',
    strategy: baseAs((base) => (base.lowSince === undefined ? base : { ...base, lowSince: new Date(0).toISOString() })),
    found: /base went down/,
  },
  {
    name: 'base is written whenever an autoscaler moves',
    strategy: baseAs(({ replicas }) => ({ replicas })),
    found: /base was written|heartbeats keep writing/,
  },
  {
    name: 'base stays where an autoscaler once was',
    strategy: baseAs(({ replicas }) => ({ replicas, lowSince: '2099-01-01T00:00:00.000Z', again: replicas })),
    found: /base follows|base was written|heartbeats keep writing/,
  },
  {
    name: 'a share is counted again at every heartbeat',
    strategy: through((cluster) =>
      misread(cluster, (annotations) =>
        changeRecord(annotations, (text) => text.replace(/,"shares":\{("[^"]+":\{[^}]*\},?)*\}/, '')),
      ),
    ),
    found: /shares is/,
  },
  {
    name: 'the share of an alarm that flaps is counted again',
    strategy: through((cluster) => misread(cluster, (annotations) => changeRecord(annotations, withoutAlarmShares))),
    found: /shares? of/,
  },
  {
    name: 'max is taken for pause pods',
    strategy: countedAs((pool) => ({ ...pool, max: pool.shaped?.max ?? pool.max })),
    found: /replicas is|reasons is|above max|with all/,
  },
  {
    name: 'what was kept of another workload counts on',
    strategy: keptAs((text, { pool: { like, nodePool } }) =>
      text.replace(/"workload":"[^"]*"/, `"workload":"${like?.kind} ${like?.namespace}/${like?.name} on ${nodePool}"`),
    ),
    found: /base|shares|like/,
  },
  {
    name: 'a workload that is gone is one without replicas',
    strategy: liking((like) => ({
      ...like,
      read: (intents) =>
        like
          .read(intents)
          ?.then(
            (all) =>
              new Map(
                [...all].map(([key, one]) => [key, one.kind === 'found' ? one : { kind: 'found', object: NOTHING }]),
              ),
          ),
    })),
    found: /like is|like problem/,
  },
  {
    name: 'headroom itself is followed like a workload',
    strategy: readAs(({ metadata: _, ...object }) => object),
    found: /like is|like problem/,
  },
  {
    name: 'workloads are read for every event',
    strategy: liking((like) => ({ ...like, read: () => like.read(undefined) })),
    found: /is not needed for this event/,
  },
];

const NOTHING: WorkloadObject = {
  spec: { replicas: 0, template: { spec: { containers: [{ resources: { requests: { cpu: '1' } } }] } } },
};
