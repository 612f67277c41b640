import { asList, asMap } from '../../../shared/core/config/yaml/untyped';
import { type CronFields, parseCron } from '../../../shared/core/windows/cron';
import { nextLocal } from '../../../shared/core/windows/cron-times';
import { isTimezone } from '../../../shared/core/windows/zone';
import type { InputDocument } from '../input/documents';
import { FieldLedger } from '../input/field-ledger';
import { bindingOf, freeName, type Imported, type ImportedPool, onNodePool, WHY } from '../input/imported';
import { roomOf } from '../pause/headroom-unit';
import { importedShape, placeBelow } from '../pause/imported-shape';
import { imageOf } from '../pause/pod-role';

const YEAR = 366 * 86_400_000;
const START = Date.UTC(2026, 0, 1);
const MAX_STEPS = 20_000;

/** The ladder that the chart uses if the values have none. */
const CHART_DEFAULT = {
  ladder: {
    nodesToReplicas: [
      [0, 1],
      [5, 2],
      [10, 0],
    ],
  },
};

/** A schedule of the chart: it sets the replicas at each of its times, until another one does. */
interface Switch {
  readonly index: number;
  readonly name: string;
  readonly text: string;
  readonly cron: CronFields;
  readonly timezone: string;
  readonly size: LadderSize;
}

/** codecentric's chart: a ladder by cluster size, which CronJobs replace with another one. */
export function importCodecentric(document: InputDocument, nodePool: string): Imported {
  const ledger = new FieldLedger(document, `values of codecentric/cluster-overprovisioner in ${document.file}`);
  if (ledger.peek('op', 'enabled') === false) return switchedOff(ledger);
  ledger.leaveFields([], {
    cpa: 'Headstart runs nothing in the cluster that follows its size',
    cronJob: 'schedules run in EventBridge Scheduler',
  });
  ledger.leaveFields(['op'], {
    priorityClasses: WHY.ownPriorityClass,
    serviceAccount: WHY.noServiceAccount,
    rbac: 'pause pods need no permissions',
    podSecurityContext: WHY.restricted,
    securityContext: WHY.restricted,
  });
  ledger.leave(['op', 'image', 'pullPolicy'], 'not needed with a fixed tag');
  ledger.take('op', 'enabled');
  const image = imageOf(ledger, ['op', 'image']);
  const shape = importedShape(ledger, placeBelow(['op']));
  const { unit, remarks: unitRemarks } = roomOf(shape);
  const switches = readSwitches(ledger);
  const { base, schedules, remarks } = switches.length > 0 ? bySwitches(ledger, switches) : byDefault(ledger);
  const max = Math.max(1, base, ...schedules.map(({ desiredReplicas }) => desiredReplicas));
  const hasWindows = schedules.length > 0;
  const bound = shape.nodePool ?? nodePool;
  const name = freeName([bound], new Set());
  const pool: ImportedPool = {
    name,
    about: bindingOf(shape, bound),
    settings: {
      ...onNodePool(name, bound),
      ...(base > 0 && { base }),
      max,
      ...(hasWindows && { leadTime: '5m' }),
      unit,
      image,
      ...shape.settings,
      schedules,
    },
    remarks: {
      ...(hasWindows && { leadTime: 'new: how long before each start nodes are launched' }),
      unit: unitRemarks,
      max: 'raise it to leave room for alarms, interruptions and inflate',
      ...remarks,
    },
    sources: [{ ledger, otherwise: WHY.noCounterpart }],
  };
  return { pools: [pool], others: [] };
}

function switchedOff(ledger: FieldLedger): Imported {
  ledger.leave(['op'], 'is not enabled, so the release has no pause pods');
  return { pools: [], others: ledger.labelled(WHY.noCounterpart) };
}

function takeSwitch(ledger: FieldLedger, { index, size }: Switch): void {
  ledger.takeFields(['schedules', index], ['name', 'cronTimeExpression', 'timeZone']);
  for (const field of size.fields) ledger.take('schedules', index, 'config', ...field);
}

interface Sizes {
  readonly base: number;
  readonly schedules: readonly Readonly<Record<string, unknown> & { desiredReplicas: number }>[];
  readonly remarks: Readonly<Record<string, string | readonly string[]>>;
}

function byDefault(ledger: FieldLedger): Sizes {
  const fixed = ledger.peek('op', 'replicas');
  const isDefault = ledger.peek('defaultConfig') === undefined && typeof fixed !== 'number';
  const size = ladderSize(isDefault ? CHART_DEFAULT : ledger.peek('defaultConfig'));
  if (size) {
    for (const field of size.fields) ledger.take('defaultConfig', ...field);
    const remark = isDefault ? `not in the values; by default the chart has ${size.remark}` : size.remark;
    return { base: size.replicas, schedules: [], remarks: { base: remark } };
  }
  if (typeof fixed !== 'number') return { base: 0, schedules: [], remarks: {} };
  ledger.take('op', 'replicas');
  return { base: fixed, schedules: [], remarks: { base: 'op.replicas' } };
}

function readSwitches(ledger: FieldLedger): readonly Switch[] {
  return asList(ledger.peek('schedules')).flatMap((raw, index): Switch[] => {
    const { name, cronTimeExpression, timeZone, config } = asMap(raw);
    const [text, timezone] = [String(cronTimeExpression), String(timeZone ?? 'UTC')];
    const size = ladderSize(config);
    try {
      if (!size) throw new Error('its config is neither a ladder nor linear');
      if (!isTimezone(timezone)) throw new Error(`its time zone ${timezone} is not an IANA time zone`);
      return [{ index, name: String(name ?? `schedule-${index + 1}`), text, timezone, cron: parseCron(text), size }];
    } catch (error) {
      ledger.leave(['schedules', index], (error as Error).message);
      return [];
    }
  });
}

/** The lowest size becomes the base; each higher one a window that lasts until the next switch. */
function bySwitches(ledger: FieldLedger, switches: readonly Switch[]): Sizes {
  ledger.leave(['defaultConfig'], 'only used until the first schedule ran');
  ledger.leave(['op', 'replicas'], 'the schedules set the size');
  const base = Math.min(...switches.map(({ size }) => size.replicas));
  const followers = successors(switches);
  const remarks: Record<string, string> = {};
  const sizes: string[] = [];
  const schedules = switches.flatMap((one, position) => {
    const here = ['schedules', one.index] as const;
    if (one.size.replicas === base) {
      takeSwitch(ledger, one);
      remarks.base ??= `${one.name}: ${one.size.remark}`;
      return [];
    }
    const follower = switches[followers[position] ?? -1];
    if (!follower || follower.timezone !== one.timezone) {
      ledger.leave(
        here,
        'it has no single end: several schedules can follow it, or one in another time zone; write the window by hand',
      );
      return [];
    }
    takeSwitch(ledger, one);
    sizes.push(`${one.name}: ${one.size.remark}`);
    const { name, timezone, text: start, size } = one;
    return [{ name, timezone, start, end: follower.text, desiredReplicas: size.replicas }];
  });
  return { base, schedules, remarks: { ...remarks, schedules: sizes } };
}

interface LadderSize {
  readonly replicas: number;
  readonly remark: string;
  /** The fields that were read. */
  readonly fields: readonly (readonly string[])[];
}

/** Its sizes depend on the number of nodes or cores, which is unknown here, so the highest step is taken. */
function ladderSize(config: unknown): LadderSize | undefined {
  const { ladder, linear } = asMap(config);
  const { nodesToReplicas, coresToReplicas } = asMap(ladder);
  const ladders = [
    { of: 'nodes', steps: asList(nodesToReplicas).map(asList) },
    { of: 'cores', steps: asList(coresToReplicas).map(asList) },
  ].filter(({ steps }) => steps.length > 0);
  const sizes = ladders.flatMap(({ steps }) => steps.map(([, replicas]) => Number(replicas)));
  if (sizes.length > 0 && sizes.every((replicas) => Number.isInteger(replicas) && replicas >= 0)) {
    const text = ladders.map(({ of, steps }) => `${steps.map(([from, to]) => `${to} from ${from} ${of}`).join(', ')}`);
    return {
      replicas: Math.max(...sizes),
      remark: `the highest step of a ladder: ${text.join('; ')}`,
      fields: ['nodesToReplicas', 'coresToReplicas'].map((key) => ['ladder', key]),
    };
  }
  const { min, max } = asMap(linear);
  const replicas = Number(max ?? min ?? 1);
  if (linear === undefined || !Number.isInteger(replicas)) return undefined;
  const remark = 'the bound of a linear rule by the size of the cluster';
  return { replicas, remark, fields: [['linear', max === undefined ? 'min' : 'max']] };
}

/**
 * For each switch the index of the only other one that ever follows it; `undefined`
 * if there are several or none, so that it cannot become a window.
 */
function successors(switches: readonly Switch[]): readonly (number | undefined)[] {
  const followers = switches.map(() => new Set<number>());
  let active: number | undefined;
  let at = START;
  for (let step = 0; step < MAX_STEPS && at < START + YEAR; step += 1) {
    const next = earliest(switches, at);
    if (!next) break;
    if (active !== undefined && next.index !== active) followers[active]?.add(next.index);
    active = next.index;
    at = next.at;
  }
  return followers.map((others) => (others.size === 1 ? [...others][0] : undefined));
}

/** At the same instant the last of the list wins, as the last CronJob to run does. */
function earliest(switches: readonly Switch[], after: number): { index: number; at: number } | undefined {
  const next = switches.map(({ cron }, index) => ({ index, at: nextLocal(cron, after) ?? Number.POSITIVE_INFINITY }));
  const at = Math.min(...next.map((one) => one.at));
  return Number.isFinite(at) ? next.findLast((one) => one.at === at) : undefined;
}
