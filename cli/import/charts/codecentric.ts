import { asList, asMap } from '../../../shared/core/config/yaml/untyped';
import { parseCron } from '../../../shared/core/windows/cron';
import { isTimezone } from '../../../shared/core/windows/zone';
import type { InputDocument } from '../input/documents';
import { bindingOf, type Imported } from '../input/imported';
import { Ledger } from '../input/ledger';
import { NO_COUNTERPART, NO_SERVICE_ACCOUNT, OWN_PRIORITY_CLASS, RESTRICTED } from '../input/reasons';
import { roomOf } from '../pause/headroom-unit';
import { imageOf } from '../pause/pause-image';
import { podShape } from '../pause/pod-shape';
import { type LadderSize, ladderSize } from './ladder';
import { type Switch, successors } from './switch-windows';

const REASONS: readonly (readonly [readonly string[], string])[] = [
  [['cpa'], 'Headstart runs nothing in the cluster that follows its size'],
  [['cronJob'], 'schedules run in EventBridge Scheduler'],
  [['op', 'priorityClasses'], OWN_PRIORITY_CLASS],
  [['op', 'serviceAccount'], NO_SERVICE_ACCOUNT],
  [['op', 'rbac'], 'pause pods need no permissions'],
  [['op', 'podSecurityContext'], RESTRICTED],
  [['op', 'securityContext'], RESTRICTED],
  [['op', 'image', 'pullPolicy'], 'not needed with a fixed tag'],
];

/** The ladder that the chart has where the values have none. */
const CHART_DEFAULT = {
  ladder: {
    nodesToReplicas: [
      [0, 1],
      [5, 2],
      [10, 0],
    ],
  },
};

/** A schedule of the chart that can be read. */
interface ReadSwitch extends Switch {
  readonly index: number;
  readonly text: string;
  readonly timezone: string;
  readonly size: LadderSize;
}

/** codecentric's chart: a ladder by cluster size, which CronJobs swap for another. */
export function importCodecentric(document: InputDocument, nodePool: string): Imported {
  const ledger = new Ledger(document, `values of codecentric/cluster-overprovisioner in ${document.file}`);
  if (ledger.peek('op', 'enabled') === false) return switchedOff(ledger);
  for (const [path, why] of REASONS) ledger.leave(path, why);
  ledger.take('op', 'enabled');
  const image = imageOf(ledger, ['op', 'image']);
  const shape = podShape(ledger, {
    nodeSelector: ['op', 'nodeSelector'],
    affinity: ['op', 'affinity'],
    tolerations: ['op', 'tolerations'],
    spread: ['op', 'topologySpreadConstraints'],
    resources: ['op', 'resources'],
  });
  const { unit, remarks: unitRemarks } = roomOf(shape);
  const switches = readSwitches(ledger);
  const { base, schedules, remarks } = switches.length > 0 ? bySwitches(ledger, switches) : byDefault(ledger);
  const max = Math.max(1, base, ...schedules.map(({ desiredReplicas }) => desiredReplicas));
  return {
    pools: [
      {
        name: shape.nodePool ?? nodePool,
        about: bindingOf(shape, shape.nodePool ?? nodePool),
        settings: {
          ...(base > 0 && { base }),
          max,
          ...(schedules.length > 0 && { leadTime: '5m' }),
          unit,
          ...(image !== undefined && { image }),
          ...shape.settings,
          ...(schedules.length > 0 && { schedules }),
        },
        remarks: {
          ...(schedules.length > 0 && { leadTime: 'new: how long before each start nodes are launched' }),
          unit: unitRemarks,
          max: 'raise it to leave room for alarms, interruptions and inflate',
          ...remarks,
        },
        sources: [{ ledger, otherwise: NO_COUNTERPART }],
      },
    ],
    others: [],
    notes: [],
  };
}

function switchedOff(ledger: Ledger): Imported {
  const { label } = ledger;
  ledger.leave(['op'], 'is not enabled, so the release has no pause pods');
  return { pools: [], others: ledger.leftOvers(NO_COUNTERPART).map((left) => ({ label, ...left })), notes: [] };
}

function takeSwitch(ledger: Ledger, { index, size }: ReadSwitch): void {
  ledger.takeFields(['schedules', index], ['name', 'cronTimeExpression', 'timeZone']);
  for (const field of size.fields) ledger.take('schedules', index, 'config', ...field);
}

interface Sizes {
  readonly base: number;
  readonly schedules: readonly Readonly<Record<string, unknown> & { desiredReplicas: number }>[];
  readonly remarks: Readonly<Record<string, string | readonly string[]>>;
}

function byDefault(ledger: Ledger): Sizes {
  const fixed = ledger.peek('op', 'replicas');
  const unsaid = ledger.peek('defaultConfig') === undefined && typeof fixed !== 'number';
  const size = ladderSize(unsaid ? CHART_DEFAULT : ledger.peek('defaultConfig'));
  if (size) {
    for (const field of size.fields) ledger.take('defaultConfig', ...field);
    const remark = unsaid ? `not in the values; by default the chart has ${size.remark}` : size.remark;
    return { base: size.replicas, schedules: [], remarks: { base: remark } };
  }
  if (typeof fixed !== 'number') return { base: 0, schedules: [], remarks: {} };
  ledger.take('op', 'replicas');
  return { base: fixed, schedules: [], remarks: { base: 'op.replicas' } };
}

function readSwitches(ledger: Ledger): readonly ReadSwitch[] {
  return asList(ledger.peek('schedules')).flatMap((raw, index): ReadSwitch[] => {
    const { name, cronTimeExpression, timeZone, config } = asMap(raw);
    const [text, timezone] = [String(cronTimeExpression), String(timeZone ?? 'UTC')];
    const size = ladderSize(config);
    try {
      if (!size) throw new Error('its config is neither a ladder nor linear');
      if (!isTimezone(timezone)) throw new Error(`its time zone ${timezone} is not an IANA time zone`);
      return [
        {
          index,
          name: String(name ?? `schedule-${index + 1}`),
          text,
          timezone,
          cron: parseCron(text),
          replicas: size.replicas,
          size,
        },
      ];
    } catch (error) {
      ledger.leave(['schedules', index], (error as Error).message);
      return [];
    }
  });
}

/** The lowest size is the base; each higher one is a window from its own time to that of the switch that follows. */
function bySwitches(ledger: Ledger, switches: readonly ReadSwitch[]): Sizes {
  ledger.leave(['defaultConfig'], 'only used until the first schedule ran');
  ledger.leave(['op', 'replicas'], 'the schedules set the size');
  const base = Math.min(...switches.map(({ replicas }) => replicas));
  const followers = successors(switches);
  const remarks: Record<string, string> = {};
  const sizes: string[] = [];
  const schedules = switches.flatMap((one, position) => {
    const here = ['schedules', one.index] as const;
    if (one.replicas === base) {
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
    const { timezone, text: start, replicas: desiredReplicas } = one;
    return [{ name: one.name, timezone, start, end: follower.text, desiredReplicas }];
  });
  return { base, schedules, remarks: { ...remarks, schedules: sizes } };
}
