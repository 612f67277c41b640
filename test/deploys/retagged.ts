import { CALM } from './account';
import type { Deploys } from './history';
import { ADMIN } from './kube-door';
import type { Template } from './template';
import type { DeployWorld } from './world';

const MINUTE = 60_000;
/** Not ours: a person's entry, and that of another Headstart on the same cluster. */
export const OTHERS = [
  'arn:aws:iam::123456789012:role/aws-reserved/sso.amazonaws.com/Admins',
  'arn:aws:iam::123456789012:role/headstart/CLUSTER1/0a1b2c/Headstart-other-Change',
];
/** A policy that somebody gave our roles by hand. */
export const ADDED = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminViewPolicy';

/**
 * Deploys both stacks and then changes nothing but the tags of their access entries, which associates the policies of the
 * template again. Gives the admins after that, and after the daily schedules fired 50 and 70 minutes later.
 */
export async function retagged(world: DeployWorld, deploys: Deploys) {
  const { stacks, account } = world;
  const both = async (change: (template: Template) => Template) => [
    await stacks.karpenter.deploy(change(deploys.karpenter.first)),
    await stacks.headroom.deploy(change(deploys.headroom.first)),
  ];
  await both((template) => template);
  const { entries } = account.cluster ?? { entries: new Map() };
  const ours = [...entries.keys()];
  for (const [index, principal] of OTHERS.entries())
    entries.set(principal, { arn: `arn:other-${index}`, since: 0, groups: [], policies: new Map([[ADMIN, 0]]) });
  const before = world.admins();
  account.temper = { ...CALM, putsPoliciesBack: true };
  const outcomes = await both(withTags);
  account.temper = CALM;
  for (const principal of ours) entries.get(principal)?.policies.set(ADDED, 0);
  const after = world.admins();
  await world.pass(50 * MINUTE);
  await world.fireDaily();
  const within = world.admins();
  await world.pass(20 * MINUTE);
  await world.fireDaily();
  return {
    outcomes: outcomes.map(({ status }) => status),
    before,
    after,
    within,
    later: world.admins(),
    /** Our roles that lost the policy that somebody added. */
    stripped: ours.filter((principal) => !entries.get(principal)?.policies.has(ADDED)),
  };
}

function withTags(template: Template): Template {
  const Tags = [{ Key: 'team', Value: 'shop' }];
  return Object.fromEntries(
    Object.entries(template).map(([id, resource]) => [
      id,
      resource.Type === 'AWS::EKS::AccessEntry'
        ? { ...resource, Properties: { ...resource.Properties, Tags } }
        : resource,
    ]),
  );
}
