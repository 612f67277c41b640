import type { HeadroomConfig } from '../../../../shared/core/config/config';
import type { CurrentHeadroom, Preemption } from '../../../../shared/core/ports/ports';
import { type HeadroomTime, type PausePods, wakeUps } from '../../../../shared/core/wake-up/wake-up';

const TICK = Date.parse('2026-11-18T12:00:00Z');
const OWNER = '111122223333/eu-west-1/demo/headroom/shop';
const BURST = [TICK - 60_000, TICK - 59_000];
const preempted = (headroom: string, times = BURST): Preemption[] =>
  times.map((at) => ({ headroom, pod: `${headroom}-${at}`, at }));
const pool = (name: string, kind = 'slice') => ({ name, unit: { kind } }) as HeadroomConfig;

interface Situation {
  readonly preemptions?: readonly Preemption[];
  readonly wakeUps?: readonly HeadroomTime[];
  readonly running?: number;
  readonly headroom?: Partial<CurrentHeadroom> | undefined;
  readonly claimed?: boolean;
  readonly fails?: Partial<Record<keyof PausePods, unknown>>;
}

/** The calls that a heartbeat makes, and what it logs. */
async function calls(situation: Situation, decided = [{ pool: pool('web'), replicas: 60 }]) {
  const seen: string[] = [];
  const called = async <T>(name: keyof PausePods, text: string, result: T): Promise<T> => {
    seen.push(text);
    if (situation.fails?.[name]) throw situation.fails[name];
    return result;
  };
  const pods: PausePods = {
    readPreemptions: () => called('readPreemptions', 'preemptions', situation.preemptions ?? preempted('headroom-web')),
    readWakeUps: () => called('readWakeUps', 'wake-ups', situation.wakeUps ?? []),
    running: ({ name }) => {
      const pods = Array.from({ length: situation.running ?? 60 }, (_, i) => ({ name: `pod-${i}`, uid: `uid-${i}` }));
      return called('running', `pods of ${name}`, pods);
    },
    claim: ({ name }, { at }) => called('claim', `claim ${name} ${at - TICK}`, situation.claimed !== false),
    delete: ({ name, uid }) => called('delete', `delete ${name} ${uid}`, undefined),
  };
  const cluster = {
    readHeadroom: async (name: string) =>
      ({ name, annotations: { 'headstart.dev/owner': OWNER }, ...situation.headroom }) as CurrentHeadroom,
  };
  const log = {
    info: (text: string) => seen.push(`info ${text}`),
    warn: (text: string, { reason }: { reason: string }) => seen.push(`warn ${text}: ${reason}`),
  };
  const { preemptions, wakeUp } = wakeUps({ pods, cluster, owner: OWNER, log: log as never });
  await wakeUp(decided, (await preemptions()) ?? [], TICK);
  return seen;
}

const WAKE = ['preemptions', 'wake-ups', 'pods of headroom-web', 'claim headroom-web -59000', 'delete pod-0 uid-0'];

test('after a burst one running pause pod is deleted, and the burst is claimed before', async () => {
  expect(await calls({})).toEqual([...WAKE, expect.stringMatching(/^info pause pod deleted/)]);
});

test.each<[string, Situation, readonly string[]]>([
  [
    'single preemptions read nothing further',
    { preemptions: preempted('headroom-web', [TICK - 60_000]) },
    WAKE.slice(0, 1),
  ],
  ['a burst of another headroom', { preemptions: preempted('headroom-web2') }, WAKE.slice(0, 1)],
  [
    'a burst that a wake-up has answered',
    { wakeUps: [{ headroom: 'headroom-web', at: TICK - 59_000 }] },
    WAKE.slice(0, 2),
  ],
  ['fewer than two running pods', { running: 1 }, WAKE.slice(0, 3)],
  ['a claim that another invocation was faster with', { claimed: false }, WAKE.slice(0, 4)],
  ['a Deployment of another owner', { headroom: { annotations: { 'headstart.dev/owner': 'x' } } }, WAKE.slice(0, 2)],
  ['a Deployment without an owner', { headroom: { annotations: {} } }, WAKE.slice(0, 2)],
  ['a Deployment that is being deleted', { headroom: { deleting: true } }, WAKE.slice(0, 2)],
])('%s: nothing is deleted', async (_name, situation, expected) => {
  expect(await calls(situation)).toEqual(expected);
});

test('two running pods are enough', async () => {
  expect(await calls({ running: 2 })).toContain('delete pod-0 uid-0');
});

test('a wake-up of another headroom answers nothing', async () => {
  expect(await calls({ wakeUps: [{ headroom: 'headroom-web2', at: TICK }] })).toContain('delete pod-0 uid-0');
});

test('floors, and room of less than two, are not even looked at', async () => {
  const decided = [
    { pool: pool('floor', 'floor'), replicas: 60 },
    { pool: pool('web'), replicas: 1 },
  ];
  expect(await calls({}, decided)).toEqual(['preemptions']);
});

test('each headroom with a burst loses one pod of its own', async () => {
  const decided = ['web', 'node', 'calm'].map((name) => ({ pool: pool(name), replicas: 2 }));
  const seen = await calls({ preemptions: [...preempted('headroom-web'), ...preempted('headroom-node')] }, decided);
  expect(seen.filter((one) => one.startsWith('claim'))).toEqual([
    'claim headroom-web -59000',
    'claim headroom-node -59000',
  ]);
});

test('a headroom whose wake-up fails does not keep the others from theirs', async () => {
  const decided = ['web', 'node'].map((name) => ({ pool: pool(name), replicas: 2 }));
  const preemptions = [...preempted('headroom-web'), ...preempted('headroom-node')];
  const seen = await calls({ preemptions, fails: { claim: new Error('too slow') } }, decided);
  expect(seen.filter((one) => /^(claim|warn)/.test(one))).toEqual([
    'claim headroom-web -59000',
    'warn wake-up failed: too slow',
    'claim headroom-node -59000',
    'warn wake-up failed: too slow',
  ]);
});

test.each(['readPreemptions', 'readWakeUps', 'running', 'claim', 'delete'] as const)(
  'a %s that fails is a warning, and one that is forbidden is quiet but for what work took, which is then not known',
  async (name) => {
    const failed = await calls({ fails: { [name]: new Error('too slow') } });
    const what = name === 'readPreemptions' ? 'reading preemptions' : 'wake-up';
    expect(failed.at(-1)).toBe(`warn ${what} failed: too slow`);
    const forbidden = await calls({ fails: { [name]: Object.assign(new Error('no'), { status: 403 }) } });
    const warned = name === 'readPreemptions' ? ['warn reading preemptions failed: no'] : [];
    expect(forbidden).toEqual([...failed.slice(0, -1), ...warned]);
  },
);
