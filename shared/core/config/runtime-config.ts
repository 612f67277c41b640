import type { Config } from './config';

/** The config as the functions read it: without the parts that only a deploy needs. */
export function runtimeConfig({ karpenter: _, stack: __, nodePools, ...rest }: Config): Config {
  return { ...rest, nodePools: nodePools.map(({ pool: _, ...nodePool }) => nodePool) };
}
