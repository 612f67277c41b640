import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { pausePods } from '../../shared/adapters/kube/pause-pods';
import type { CurrentHeadroom, DecidedHeadroom, Runtime } from '../../shared/core/ports/ports';
import { type PausePod, type PausePods, wakeUps } from '../../shared/core/wake-up/wake-up';
import { handleAny as handle } from './environment/announcements';
import { type HandlingStrategy, REAL_STRATEGY } from './environment/strategy';
import { NAMESPACE } from './environment/world';
import type { PlantedBug } from './planted-bugs';

type Wake = HandlingStrategy['wakeUp'];
type WakeProps = Parameters<Wake>[1];

/** Wake-ups of which one part is replaced. */
function withPods(change: (pods: PausePods, props: WakeProps) => Partial<PausePods>): HandlingStrategy {
  const wakeUp: Wake = (config, props) => {
    const pods = pausePods(props.transport, config);
    return wakeUps({ ...props, pods: { ...pods, ...change(pods, props) } });
  };
  return { ...REAL_STRATEGY, wakeUp };
}

/** Wakes up after every event that `isOther` is true for, as a heartbeat does. */
function alsoBy(isOther: (raw: Readonly<Record<string, unknown>>) => boolean): HandlingStrategy {
  return {
    ...REAL_STRATEGY,
    handle: async (raw, runtime) => {
      const answer = await handle(raw, runtime);
      if (isOther((raw ?? {}) as Readonly<Record<string, unknown>>))
        await runtime.ports.wakeUp?.(allOf(runtime), (await runtime.ports.preemptions?.()) ?? [], runtime.now());
      return answer;
    },
  };
}

function allOf({ config }: Runtime): readonly DecidedHeadroom[] {
  return config.headrooms.map((pool) => ({ pool, replicas: 99 }) as DecidedHeadroom);
}

/** A Deployment that looks as if its controller had brought everything about. */
function settled({ object, ...headroom }: CurrentHeadroom): CurrentHeadroom {
  const deployment = object as { metadata: { generation: number }; status?: { replicas?: number } };
  const { metadata, status } = deployment;
  const done = { ...status, observedGeneration: metadata.generation, updatedReplicas: status?.replicas };
  return { ...headroom, object: { ...deployment, status: done } } as CurrentHeadroom;
}

/** All pods with the labels, whoever made them. */
async function labelled({ transport }: WakeProps, { name }: CurrentHeadroom): Promise<readonly PausePod[]> {
  const selector = encodeURIComponent(`headstart.dev/headroom=${name.replace(/^headroom-/, '')}`);
  const path = `/api/v1/namespaces/${NAMESPACE}/pods?limit=500&labelSelector=${selector}`;
  const { items } = await transport.get<{ items: readonly { metadata: PausePod }[] }>(path);
  return items.map(({ metadata: { name, uid } }) => ({ name, uid }));
}

export const PLANTED_WAKE_UP_BUGS: readonly PlantedBug[] = [
  {
    name: 'nothing is woken up',
    strategy: { ...REAL_STRATEGY, wakeUp: () => ({}) },
    found: /left a burst on \S+ unanswered/,
  },
  {
    name: 'the edges of windows wake up',
    strategy: alsoBy((raw) => raw['detail-type'] === 'Headstart Window Edge'),
    found: /not by a heartbeat/,
  },
  {
    name: 'deploys wake up',
    strategy: alsoBy(({ source }) => source === 'headstart.deploy'),
    found: /not by a heartbeat/,
    seed: 3,
  },
  {
    name: 'floors are woken up',
    strategy: {
      ...REAL_STRATEGY,
      wakeUp: (config, props) => {
        const { preemptions, wakeUp } = REAL_STRATEGY.wakeUp(config, props);
        const asRoom = (all: readonly DecidedHeadroom[]) =>
          all.map((one) => ({ ...one, pool: { ...one.pool, unit: { ...one.pool.unit, kind: 'slice' } } }));
        return {
          ...(preemptions && { preemptions }),
          wakeUp: async (all, taken, at) => wakeUp?.(asRoom(all) as readonly DecidedHeadroom[], taken, at),
        };
      },
    },
    found: /no room of its config/,
  },
  {
    name: 'the only running pod is deleted',
    strategy: withPods((pods) => ({
      running: async (headroom) => {
        const running = await pods.running(headroom);
        return [...running, ...running];
      },
    })),
    found: /of 1 running/,
  },
  {
    name: 'pods are deleted in the middle of a roll',
    strategy: withPods((pods) => ({ running: (headroom) => pods.running(settled(headroom)) })),
    found: /in the middle of a roll/,
  },
  {
    name: 'pods of others are deleted',
    strategy: withPods((_pods, props) => ({ running: (headroom) => labelled(props, headroom) })),
    found: /which is not its own/,
  },
  {
    name: 'pods of a headroom without an owner are deleted',
    strategy: {
      ...REAL_STRATEGY,
      wakeUp: (config, { cluster: objects, ...props }) => {
        const readHeadroom = async (name: string) => {
          const headroom = await objects.readHeadroom(name);
          const annotations = { ...headroom?.annotations, 'headstart.dev/owner': props.owner };
          return headroom && { ...headroom, annotations };
        };
        return REAL_STRATEGY.wakeUp(config, { ...props, cluster: { ...objects, readHeadroom } });
      },
    },
    found: /of nobody/,
    seed: 5,
  },
  {
    name: 'pods are deleted before that is written down',
    strategy: withPods(() => ({ claim: async () => true })),
    found: /without a claim/,
  },
  {
    name: 'a claim is all that happens',
    strategy: withPods(() => ({ delete: async () => {} })),
    found: /claimed headroom-\w+ and deleted nothing/,
  },
  {
    name: 'a delete is tried once',
    strategy: {
      ...REAL_STRATEGY,
      transport: (connection, options) =>
        kubeTransport(connection, options?.timeoutMs === undefined ? options : { ...options, maxTries: 1 }),
    },
    found: /claimed headroom-\w+ and deleted nothing/,
    seed: 20,
  },
  {
    name: 'a doubled heartbeat deletes twice',
    strategy: withPods((pods) => ({
      claim: async (...burst) => {
        await pods.claim(...burst);
        return true;
      },
    })),
    found: /without a claim|the second one at this heartbeat/,
  },
  {
    name: 'every running pod is deleted',
    strategy: withPods((pods) => {
      let all: readonly PausePod[] = [];
      return {
        running: async (headroom) => {
          all = await pods.running(headroom);
          return all;
        },
        delete: async () => {
          for (const pod of all) await pods.delete(pod);
        },
      };
    }),
    found: /the second one at this heartbeat/,
  },
  {
    name: 'a pod of the same name as the one that was seen may be deleted',
    strategy: withPods((_pods, { transport }) => ({
      delete: ({ name }) => transport.delete(`/api/v1/namespaces/${NAMESPACE}/pods/${name}`, {}),
    })),
    found: /is not guarded/,
  },
  {
    name: 'takes of one pod at a time wake up',
    strategy: withPods((pods) => ({
      readPreemptions: async () => (await pods.readPreemptions()).flatMap((one) => [one, one]),
    })),
    found: /there was no burst/,
    seed: 34,
  },
  {
    name: 'wake-ups are forgotten',
    strategy: withPods(() => ({ readWakeUps: async () => [] })),
    found: /there was no burst/,
  },
];
