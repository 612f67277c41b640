import type { EKSClient } from '@aws-sdk/client-eks';

/** A role of Headstart's with an access entry, and the EKS access policies of that entry. */
export interface RolePolicies {
  readonly role: string;
  readonly policies: readonly { readonly arn: string; readonly since: number }[];
}

/** The path of every role with an access entry that a deploy created; an app may have put its own before it. */
const OURS = /:role\/(.+\/)?headstart\//;

/** Reads the access policies of all of Headstart's roles on a cluster, whichever stack they belong to. */
export async function readAccessPolicies(client: EKSClient, clusterName: string): Promise<readonly RolePolicies[]> {
  const { paginateListAccessEntries, paginateListAssociatedAccessPolicies } = await import('@aws-sdk/client-eks');
  const roles: string[] = [];
  for await (const { accessEntries = [] } of paginateListAccessEntries({ client }, { clusterName }))
    roles.push(...accessEntries.filter((one) => OURS.test(one)));
  return Promise.all(
    roles.map(async (role) => {
      const policies: RolePolicies['policies'][number][] = [];
      const pages = paginateListAssociatedAccessPolicies({ client }, { clusterName, principalArn: role });
      for await (const { associatedAccessPolicies = [] } of pages)
        for (const { policyArn = '', associatedAt } of associatedAccessPolicies)
          policies.push({ arn: policyArn, since: associatedAt?.getTime() ?? 0 });
      return { role, policies };
    }),
  );
}
