import { runtimeGroup } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import type { Commands } from '../../input/commands';
import type { KubeFacts, Right } from '../facts/kube-facts';
import type { Finding } from './finding';

const SKEW_WARNING_MS = 30_000;
/** EKS refuses tokens that are signed too far in the past or future. */
const SKEW_ERROR_MS = 5 * 60_000;

/** The functions need all of their permissions. */
export function checkRights(
  { missingRights: missing }: KubeFacts,
  { cluster }: Config,
  { deploy }: Commands,
): Finding[] {
  if (!missing.ok || missing.value.length === 0) return [];
  return [
    {
      severity: 'error',
      about: `group ${runtimeGroup(cluster.namespace)}`,
      problem: 'lacks permissions that the functions need',
      evidence: `not allowed: ${missing.value.map(rightText).join(', ')}`,
      fix: `run ${deploy()} to restore the RBAC objects; with access: manual, apply the manifests again`,
    },
  ];
}

function rightText({ verb, group, resource, namespace }: Right): string {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

/** EKS tokens carry the time of this machine, and so do the times that commands show. */
export function checkClock({ skewMs }: KubeFacts): Finding[] {
  if (!skewMs.ok || Math.abs(skewMs.value) < SKEW_WARNING_MS) return [];
  const seconds = Math.round(skewMs.value / 1_000);
  return [
    {
      severity: Math.abs(skewMs.value) >= SKEW_ERROR_MS ? 'error' : 'warning',
      about: 'clock',
      problem: "of this machine differs from the cluster's, so times are shown wrong and EKS may refuse tokens",
      evidence: `the cluster is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`,
      fix: 'synchronize the clock of this machine, for example with NTP',
    },
  ];
}
