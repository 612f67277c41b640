import type { PoolView, Snapshot } from '../snapshot/snapshot';

/** Large parts of a headroom; the same object means that nothing has changed. */
type Heavy = 'timeline' | 'plan' | 'bands';

interface Sent {
  readonly text: string;
  readonly heavy?: Pick<PoolView, Heavy>;
}

/**
 * Writes each snapshot as what differs from the one before: a headroom, node or pod that is the same is only its name.
 * `mergeFrame` of the page puts it together again.
 */
export class Frames {
  private sent: ReadonlyMap<string, Sent> = new Map();

  next(snapshot: Snapshot): string {
    const sent = new Map<string, Sent>();
    const same = (key: string, text: string, heavy?: Pick<PoolView, Heavy>) => {
      const before = this.sent.get(key);
      sent.set(key, { text, ...(heavy && { heavy }) });
      return { before, isSame: before?.text === text };
    };
    const named = (list: 'nodes' | 'pods') =>
      snapshot[list].map((item) => {
        const text = JSON.stringify(item);
        return same(`${list} ${item.name}`, text).isSame ? JSON.stringify(item.name) : text;
      });
    const pools = snapshot.pools.map(({ timeline, plan, bands, ...light }) => {
      const heavy = { timeline, plan, bands };
      const { before, isSame } = same(`pools ${light.name}`, JSON.stringify(light), heavy);
      const changed = Object.entries(heavy).filter(([key, value]) => before?.heavy?.[key as Heavy] !== value);
      return JSON.stringify(isSame && changed.length === 0 ? light.name : { ...light, ...Object.fromEntries(changed) });
    });
    const [nodes, pods] = [named('nodes'), named('pods')];
    this.sent = sent;
    const { pools: _pools, nodes: _nodes, pods: _pods, ...rest } = snapshot;
    const lists = Object.entries({ pools, nodes, pods }).map(([key, items]) => `"${key}":[${items.join(',')}]`);
    return `${JSON.stringify(rest).slice(0, -1)},${lists.join(',')}}`;
  }
}
