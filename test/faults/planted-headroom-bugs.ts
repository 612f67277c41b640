import { headroomName } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import type { Cluster, CurrentHeadroom } from '../../shared/core/ports/ports';
import { handleAny as handle } from './environment/announcements';
import { REAL_STRATEGY } from './environment/strategy';
import { changeRecord, type PlantedBug, through } from './planted-bugs';

/** Bugs of headrooms that share a NodePool, or move to another one. */
export const PLANTED_HEADROOM_BUGS: readonly PlantedBug[] = [
  {
    name: 'what was kept for another NodePool counts on',
    strategy: through((cluster, { config }) => asIfNeverMoved(cluster, config)),
    found: /unlike the model: (surges|counted for|count of|NodePool|node starts|override)|counted \d+ nodes|which took/,
  },
  {
    name: 'a notice raises only the first headroom on its NodePool',
    strategy: {
      ...REAL_STRATEGY,
      handle: (raw, runtime) =>
        handle(raw, runtime.accepts === 'interruption' ? { ...runtime, config: firstOnly(runtime.config) } : runtime),
    },
    found: /surges|is not in the record of/,
  },
];

function asIfNeverMoved(cluster: Cluster, { headrooms }: Config): Cluster {
  const seen = (current: CurrentHeadroom): CurrentHeadroom => {
    const own = headrooms.find(({ name }) => headroomName(name) === current.name);
    if (!own) return current;
    return { ...current, annotations: changeRecord(current.annotations, (text) => onNodePool(text, own)) };
  };
  return {
    ...cluster,
    listHeadrooms: async () => (await cluster.listHeadrooms()).map(seen),
    readHeadroom: async (name) => {
      const current = await cluster.readHeadroom(name);
      return current && seen(current);
    },
  };
}

function onNodePool(text: string, { name, nodePool }: Config['headrooms'][number]): string {
  try {
    const { nodePool: _, ...rest } = JSON.parse(text);
    return JSON.stringify(nodePool === name ? rest : { nodePool, ...rest });
  } catch {
    return text;
  }
}

function firstOnly(config: Config): Config {
  const known = new Set<string>();
  const headrooms = config.headrooms.map((headroom) => {
    const { interruptions: _, ...silent } = headroom;
    const isFirst = !known.has(headroom.nodePool);
    known.add(headroom.nodePool);
    return isFirst ? headroom : silent;
  });
  return { ...config, headrooms };
}
