import { runtimeGroup } from '../../../shared/core/basics/names';
import { readOr } from '../../kube/read';
import type { KubeFacts, Right } from '../facts/read-cluster-facts';
import { type Context, error, type Findings, warning } from './finding';

const SKEW_WARNING_MS = 30_000;
/** EKS refuses tokens that are signed too far in the past or future. */
const SKEW_ERROR_MS = 5 * 60_000;

export function* checkRights({ missingRights }: KubeFacts, { config, commands }: Context): Findings {
  const missing = readOr(missingRights, []);
  if (missing.length === 0) return;
  yield error(
    `group ${runtimeGroup(config.cluster.namespace)}`,
    'lacks permissions that the functions need',
    `not allowed: ${missing.map(rightText).join(', ')}`,
    `run ${commands.deploy()} to restore the RBAC objects; with access: manual, apply the manifests again`,
  );
}

function rightText({ verb, group, resource, namespace }: Right): string {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

/** EKS tokens carry the time of this machine, and so do the times that commands show. */
export function* checkClock({ skewMs }: KubeFacts): Findings {
  const skew = readOr(skewMs, 0);
  if (Math.abs(skew) < SKEW_WARNING_MS) return;
  yield (Math.abs(skew) >= SKEW_ERROR_MS ? error : warning)(
    'clock',
    "of this machine differs from the cluster's, so times are shown wrong and EKS may refuse tokens",
    `the cluster is ${Math.abs(Math.round(skew / 1_000))} s ${skew > 0 ? 'ahead' : 'behind'}`,
    'synchronize the clock of this machine, for example with NTP',
  );
}
