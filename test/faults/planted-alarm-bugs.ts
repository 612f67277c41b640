import { changeRecord, misread, type PlantedBug, through } from './planted-bugs';

interface Alarm {
  readonly state: string;
  readonly counted?: unknown;
}

/** Records in which some alarms have lost what was counted for them. */
function forgetsCounts(isForgotten: (alarm: Alarm) => boolean): PlantedBug['strategy'] {
  const without = (text: string) => {
    const { alarms = {}, ...record } = JSON.parse(text) as { readonly alarms?: Readonly<Record<string, Alarm>> };
    const left = Object.entries(alarms).map(([name, { counted, ...alarm }]) => [
      name,
      { ...alarm, ...(counted !== undefined && !isForgotten(alarm) && { counted }) },
    ]);
    return JSON.stringify({ ...record, alarms: Object.fromEntries(left) });
  };
  const changed = (text: string) => (/^\{"v":1,.*\}$/.test(text) && !/:7[,}]/.test(text) ? without(text) : text);
  return through((cluster) => misread(cluster, (annotations) => changeRecord(annotations, changed)));
}

export const PLANTED_ALARM_BUGS: readonly PlantedBug[] = [
  {
    name: 'the nodes of an alarm are counted again at every heartbeat',
    strategy: forgetsCounts(() => true),
    found: /ratchets|changed the count of|as of|adds to \d+ nodes, and/,
  },
  {
    name: 'an alarm that flaps counts the nodes that it has added',
    strategy: forgetsCounts(({ state }) => state === 'OK'),
    found: /ratchets|adds to \d+ nodes, and a count that stood|changed the count of/,
  },
];
