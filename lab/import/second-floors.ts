import { parseQuantity } from '../../shared/core/config/schema/quantity';
import { asList, asMap } from '../../shared/core/config/yaml/untyped';
import type { Imported, ImportedPool } from './input/imported';

/** What kubelet, system and DaemonSets leave of a node. */
const USABLE = 0.9;
const WHY =
  "room: a NodePool has at most one floor, for two would count each other's nodes, and the entry above has it. If one floor is enough for both, add these windows there, with the sum of addNodes; see docs/choosing.md.";

/** Of several floors on one NodePool, all but the first as room of as many nodes. */
export function withoutSecondFloors(imported: Imported): Imported {
  const floors = new Set<string>();
  const pools = imported.pools.map((pool) => {
    const { unit, nodePool = pool.name } = pool.settings;
    if (asMap(unit).floor === undefined) return pool;
    if (floors.has(String(nodePool))) return asRoom(pool);
    floors.add(String(nodePool));
    return pool;
  });
  return { ...imported, pools };
}

function asRoom({ settings, remarks, ...pool }: ImportedPool): ImportedPool {
  const told = [remarks.schedules ?? []].flat().filter((text) => !text.startsWith('addNodes'));
  const schedules = asList(settings.schedules).map((schedule) => {
    const { addNodes, ...window } = asMap(schedule);
    return addNodes === undefined ? window : { ...window, desiredReplicas: addNodes };
  });
  return {
    ...pool,
    settings: {
      ...settings,
      unit: { node: roomIn(asMap(asMap(settings.unit).floor)) },
      ...(schedules.length > 0 && { schedules }),
    },
    remarks: { ...remarks, unit: WHY, schedules: told },
  };
}

function roomIn({ cpu, memory }: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const [cores, bytes] = [parseQuantity(String(cpu)), parseQuantity(String(memory))];
  return {
    ...(cores !== undefined && { cpu: `${Math.floor(cores * USABLE * 1_000)}m` }),
    ...(bytes !== undefined && { memory: `${Math.floor((bytes * USABLE) / 2 ** 20)}Mi` }),
  };
}
