import { count } from '../../../shared/drawing/amounts';
import { command } from '../../input/commands';
import type { RolePolicies } from '../facts/read-access-policies';
import { type Context, error, type Findings } from './finding';

const ADMIN = '/AmazonEKSClusterAdminPolicy';
/** A deploy that is still running may need the policy. */
const OLD_MS = 3_600_000;

/** Finds roles that kept or regained cluster admin, such as by an update of tags alone. */
export function* checkAccessPolicies(roles: readonly RolePolicies[], { config, now }: Context): Findings {
  const where = ['--cluster-name', config.cluster.name, '--region', config.cluster.region];
  for (const { role, policies } of roles)
    for (const { arn, since } of policies.filter((one) => one.arn.endsWith(ADMIN) && one.since < now - OLD_MS))
      yield error(
        `role ${role}`,
        'is cluster admin outside a deploy',
        `${nameOf(arn)} since ${new Date(since).toISOString()}`,
        `run ${command('aws eks disassociate-access-policy', ...where, '--principal-arn', role, '--policy-arn', arn)}`,
      );
}

/** `access policies of 4 Headstart roles: none`, or which role has which. */
export function accessPoliciesText(roles: readonly RolePolicies[]): string {
  const held = roles
    .filter(({ policies }) => policies.length > 0)
    .map(({ role, policies }) => `${nameOf(role)} has ${policies.map(({ arn }) => nameOf(arn)).join(' and ')}`);
  return `access policies of ${count(roles.length, 'Headstart role')}: ${held.join('; ') || 'none'}`;
}

function nameOf(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1);
}
