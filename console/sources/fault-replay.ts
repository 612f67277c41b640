import { headroomName } from '../../shared/core/basics/names';
import type { NodePoolConfig } from '../../shared/core/config/config';
import { ANNOTATIONS, readReasons } from '../../shared/core/manifests/annotations';
import { NO_FAULTS } from '../../simulator/bus/faults';
import { Invocation } from '../../simulator/faults/invocation';
import { runScenario, type ScenarioOptions, type ScenarioResult } from '../../simulator/faults/scenario';
import { stackConfigs } from '../../simulator/faults/stack-configs';
import type { Writer } from '../../simulator/faults/world';
import type { Change } from '../../simulator/kube/object-store';
import type { Deployment } from '../../simulator/kube/objects';
import type { ObservedDecision } from '../../simulator/run/decision-history';
import { Meter } from '../../simulator/run/meter';
import { SCENARIOS } from '../../simulator/scenarios/scenarios';
import { PoolHistories } from '../snapshot/pool-histories';
import type { PoolView, Snapshot } from '../snapshot/snapshot';
import { reasonsIn, zoneOf } from '../snapshot/zone-of';

/** What a link names instead of a scenario of the sandbox. */
export const FAULT_SCENARIO = 'faults';
/** A single call that went well, and what an invocation was given and answered: the command line tells these too. */
const ORDINARY = /^\S+ \d+ (?: {2}\S+ [A-Z]+ \S+$|\S+ (?:starts:|answers ))/;
const MAX_LINES = 400;
const MAX_DECISIONS = 60;

export interface FaultReplayOptions extends Pick<ScenarioOptions, 'seed' | 'way'> {
  /** The moment up to which it is shown. @default its end */
  readonly at?: number | undefined;
}

interface Write {
  readonly change: Change<Deployment>;
  readonly writer: Writer;
  readonly at: number;
}

/** Runs one seed of the fault simulation from its start to its end, and shows it as it was at a moment. */
export async function replayFaults({ at, ...options }: FaultReplayOptions): Promise<Snapshot> {
  const writes: Write[] = [];
  const told: { readonly line: string; readonly at: number }[] = [];
  const result = await runScenario({
    ...options,
    trace: (line, at) => told.push({ line, at }),
    onWrite: (change, writer, at) => writes.push({ change, writer, at }),
  });
  const { seed, startedAt, endedAt } = result;
  const now = at ?? endedAt;
  if (now < startedAt || now > endedAt)
    throw new Error(
      `at must lie between ${iso(startedAt)} and ${iso(endedAt)}, the start and end of fault seed ${seed}`,
    );
  const lines = told.filter((one) => one.at <= now && !ORDINARY.test(one.line)).map(({ line }) => line);
  const description = ['Times are UTC, and the number is the step.', ...lines.slice(-MAX_LINES)].join('\n');
  const meter = new Meter(startedAt);
  return {
    mode: 'sandbox',
    acting: true,
    replay: true,
    simulated: simulatedWords(result),
    scenario: { id: FAULT_SCENARIO, title: `Fault seed ${seed}`, description },
    run: { seed, start: startedAt, actions: [] },
    scenarios: SCENARIOS.map(({ id, title }) => ({ id, title })),
    configProblems: [],
    faults: NO_FAULTS,
    ...viewOf(
      writes.filter((write) => write.at <= now),
      { now, startedAt },
    ),
    nodes: [],
    pods: [],
    waiting: { with: meter.waitFigures(now) },
    cost: meter.cost(now),
  };
}

function simulatedWords({ seed, steps, violations, endedAt }: ScenarioResult): readonly string[] {
  const verdict = violations.map((what) => `VIOLATED at its end, ${iso(endedAt)}: ${what}`);
  return [
    `fault seed ${seed}, ${steps} steps`,
    verdict.length === 0 ? 'no invariant was violated' : verdict.join('; '),
    'the handlers and the Kubernetes client are the real ones, with the configs of the fault simulation',
    'there are no nodes and no pods: the sizes are those of the Deployments that were written',
    'a decision is shown when its write takes effect, even if its function was killed before it answered',
  ];
}

function viewOf(
  writes: readonly Write[],
  { now, startedAt }: { readonly now: number; readonly startedAt: number },
): Pick<Snapshot, 'clusterName' | 'clock' | 'pools' | 'decisions'> {
  const [config] = stackConfigs().first;
  const pools = new Map<string, NodePoolConfig>();
  const histories = new PoolHistories({ ...config, nodePools: [] });
  for (const { change, writer, at } of writes) {
    const pool = writer instanceof Invocation ? poolOf(change.object, writer) : undefined;
    if (pool && pools.get(pool.name) !== pool) {
      pools.set(pool.name, pool);
      histories.useConfig({ ...config, nodePools: [...pools.values()] });
    }
    // Nobody runs its pods; what stands in the status is what somebody's hand has put there.
    const { status: _, ...deployment } = change.object;
    histories.observe(nameOf(change.object), change.type === 'DELETED' ? undefined : deployment, at);
  }
  const last = { ...config, nodePools: [...pools.values()] };
  const told = reasonsIn(last);
  const decisions = writes.flatMap(decisionOf).slice(-MAX_DECISIONS).reverse();
  return {
    clusterName: config.cluster.name,
    clock: { now, startedAt, speed: 1, paused: true, ...zoneOf(last) },
    pools: histories.views(now, () => false).map((pool) => onlySizes(pool, told)),
    decisions: decisions.map((one) => ({ ...one, reasons: told(one.pool, one.reasons) })),
  };
}

/** Of the pool as the function knows it that writes. */
function poolOf(deployment: Deployment, { config }: Invocation): NodePoolConfig | undefined {
  return config.nodePools.find(({ name }) => headroomName(name) === deployment.metadata.name);
}

function nameOf({ metadata }: Deployment): string {
  return metadata.name.slice(headroomName('').length);
}

/** Whatever is said of being ready, or late, would be about pods. */
function onlySizes(view: PoolView, told: ReturnType<typeof reasonsIn>): PoolView {
  const { shortSince: _, occurrences: __, ...pool } = view;
  const reasons = pool.absent ? ['there is no Deployment at this moment'] : told(pool.name, pool.reasons);
  return { ...pool, reasons, alarms: [], readyUnknown: true };
}

function decisionOf({ change: { type, object, previous }, writer, at }: Write): readonly ObservedDecision[] {
  const from = previous?.spec.replicas ?? 0;
  const to = type === 'DELETED' ? 0 : object.spec.replicas;
  if (from === to) return [];
  const byHeadstart = writer instanceof Invocation;
  const decided = type === 'DELETED' ? ['deleted'] : readReasons(object.metadata.annotations?.[ANNOTATIONS.reasons]);
  return [
    {
      at,
      pool: nameOf(object),
      trigger: byHeadstart ? writer.label : 'somebody else',
      from,
      to,
      reasons: byHeadstart ? decided : ['not decided by Headstart'],
    },
  ];
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
