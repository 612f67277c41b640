import { type Config, noHeadroomText } from '../config/config';
import type { LivePart } from '../config/schema/live-schema';
import { effectiveConfig, effectiveHeadroom } from './effective-pool';
import type { Edit } from './kept-parts';
import { keptOf } from './update-kept';

/** What would count with a valid text, and everything in it that has no effect on what is deployed. */
export function checkParts(
  parts: ReadonlyMap<string, LivePart>,
  config: Config,
  edit: Edit,
): { readonly config: Config; readonly problems: readonly string[] } {
  const kept = (name: string) => {
    const part = parts.get(name);
    return part && keptOf(part, edit);
  };
  const problems = [...parts.keys()].flatMap((name) => {
    const pool = config.headrooms.find((one) => one.name === name);
    if (!pool) return [`nodePools.${name} ${noHeadroomText(name, config)}`];
    const { problem, notes } = effectiveHeadroom(pool, kept(name), config);
    return [...(problem === undefined ? [] : [problem]), ...notes].map((text) => `nodePools.${name}: ${text}`);
  });
  return { config: effectiveConfig(config, kept), problems };
}
