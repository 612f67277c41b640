import type { Config } from '../../../shared/core/config/config';
import type { Commands } from '../../input/commands';
import type { AccountFacts } from '../facts/account-facts';
import { error, type Finding } from './finding';

/** A cluster that was deleted and created again has another endpoint, and none of the access entries that the stack made. */
export function checkRecreated(
  { inflate, cluster }: AccountFacts,
  { cluster: { name } }: Config,
  commands: Commands,
): Finding[] {
  const deployed = inflate.ok ? inflate.value?.endpoint : undefined;
  const live = cluster.ok ? cluster.value?.server : undefined;
  if (deployed === undefined || live === undefined || deployed === live) return [];
  return [
    error(
      `cluster ${name}`,
      'was deleted and created again after the stack was deployed, so the functions have no access to it',
      `the functions were deployed for ${deployed}, EKS says ${live}`,
      `run ${commands.deployAfresh()}, or ${commands.headstart('export', '--again')} and deploy that`,
    ),
  ];
}
