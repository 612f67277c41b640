import { RUNTIME_GROUP } from '../../../shared/core/basics/names';
import type { KubeFacts, Right } from '../facts/kube-facts';
import type { Finding } from './finding';

const SKEW_WARNING_MS = 30_000;
/** EKS refuses tokens that are signed too far in the past or future. */
const SKEW_ERROR_MS = 5 * 60_000;

/** The functions must be allowed what they do. */
export function checkRights({ missingRights: missing }: KubeFacts): Finding[] {
  if (!missing.ok || missing.value.length === 0) return [];
  return [
    {
      severity: 'error',
      about: `group ${RUNTIME_GROUP}`,
      problem: 'may not do what the functions need',
      evidence: `not allowed: ${missing.value.map(rightText).join(', ')}`,
      fix: 'npx cdk deploy restores the Role, the ClusterRole and their bindings; with access: manual apply its manifests file again',
    },
  ];
}

function rightText({ verb, group, resource, namespace }: Right): string {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

/** Orders carry an end that is reckoned from this machine's clock. */
export function checkClock({ skewMs }: KubeFacts): Finding[] {
  if (!skewMs.ok || Math.abs(skewMs.value) < SKEW_WARNING_MS) return [];
  const seconds = Math.round(skewMs.value / 1_000);
  return [
    {
      severity: Math.abs(skewMs.value) >= SKEW_ERROR_MS ? 'error' : 'warning',
      about: 'clock',
      problem: 'of this machine and of the cluster differ; orders given from here get a wrong end',
      evidence: `the cluster is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`,
      fix: 'let NTP set the clock of this machine',
    },
  ];
}
