import { Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { InputError } from '../../cli/terminal/exit';
import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import { loadLive } from '../../shared/core/config/read/load-live';
import { formatProblem } from '../../shared/core/config/yaml/problem';
import { checkParts } from '../../shared/core/live/check-parts';
import type { Merged } from './merge-config';

/** The proposals as live schedules: what differs from the config, as whole windows. What needs a deploy is left out. */
export function liveOverlay(merged: string, config: Config, proposed: Config, now: number): Merged {
  const [from, overlay, notes] = [parseDocument(merged), new Document({ nodePools: {} }), [] as string[]];
  for (const pool of proposed.headrooms) {
    const old = config.headrooms.find(({ name }) => name === pool.name);
    const needsDeploy = old && (['unit', 'leadMinutes'] as const).filter((key) => differs(old[key], pool[key]));
    if (needsDeploy && needsDeploy.length > 0)
      notes.push(`${pool.name}: another unit or leadTime needs a deploy; left out`);
    else if (old) addPool(overlay, from, old, pool);
  }
  const text = overlay.toString({ lineWidth: 0 });
  const loaded = loadLive({ file: '--live', text });
  const problems = loaded.ok
    ? checkParts(loaded.parts, config, { by: 'suggest', at: new Date(now).toISOString() }).problems
    : loaded.problems.map(formatProblem);
  if (problems.length > 0) throw new InputError(['these live schedules would not count:', ...problems].join('\n'));
  return { text, notes };
}

function addPool(overlay: Document, from: Document, old: HeadroomConfig, pool: HeadroomConfig): void {
  const named = ({ name }: { readonly name: string }, { windows }: HeadroomConfig) =>
    windows.find((one) => one.name === name);
  const changed = pool.windows.filter((window) => differs(named(window, old), window)).map(({ name }) => name);
  const list = from.getIn(['nodePools', pool.name, 'schedules']);
  const written = (isSeq(list) ? list.items : []).filter(
    (node) => isMap(node) && changed.includes(String(node.get('name'))),
  );
  const removed = old.windows.filter((window) => !named(window, pool)).map(({ name }) => ({ name, remove: true }));
  const schedules = [...written, ...removed.map((one) => overlay.createNode(one))];
  const part = overlay.createNode(pool.base === old.base ? {} : { base: pool.base }) as YAMLMap;
  if (schedules.length > 0) part.set('schedules', Object.assign(overlay.createNode([]), { items: schedules }));
  if (part.items.length > 0) overlay.setIn(['nodePools', pool.name], part);
}

function differs(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
