/** The NodePool that `spotTwin: true` makes beside the on-demand one. */
export function spotTwinName(nodePool: string): string {
  return `${nodePool}-spot`;
}
