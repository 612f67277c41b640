import type { AssociatedAccessPolicy, EKSClient } from '@aws-sdk/client-eks';
import { abortAt } from './abort-at';

export interface AssociatedPolicy {
  readonly clusterName: string;
  readonly region: string;
  readonly principalArn: string;
  readonly policyArn: string;
}

/**
 * Removes an access policy from an access entry; it is fine if the policy or the entry is already gone.
 * EKS has more than one error for that, so after any error the entry's list of policies decides.
 */
export async function dropAccessPolicy({ region, ...policy }: AssociatedPolicy, deadline: number): Promise<void> {
  const eks = await import('./eks');
  const client = new eks.EKSClient({ region });
  const isMissing = (error: unknown) => error instanceof eks.ResourceNotFoundException;
  try {
    await client.send(new eks.DisassociateAccessPolicyCommand(policy), abortAt(deadline));
  } catch (error) {
    if (isMissing(error)) return;
    const left = await associatedPolicy(client, policy, deadline).then(
      (found) => found !== undefined,
      (failure: unknown) => !isMissing(failure),
    );
    if (left) throw error;
  }
}

/** Removes an access policy that was associated before that time; returns when, or `undefined` if it was not. */
export async function dropOldAccessPolicy(
  policy: AssociatedPolicy,
  before: number,
  deadline: number,
): Promise<string | undefined> {
  const { region, ...entry } = policy;
  const eks = await import('./eks');
  const found = await associatedPolicy(new eks.EKSClient({ region }), entry, deadline).catch((error: unknown) => {
    if (error instanceof eks.ResourceNotFoundException) return undefined;
    throw error;
  });
  if (!found?.associatedAt || found.associatedAt.getTime() >= before) return undefined;
  await dropAccessPolicy(policy, deadline);
  return found.associatedAt.toISOString();
}

/** Looks through all pages; a person may have added policies to the entry. */
async function associatedPolicy(
  client: EKSClient,
  { policyArn, ...entry }: Omit<AssociatedPolicy, 'region'>,
  deadline: number,
): Promise<AssociatedAccessPolicy | undefined> {
  const { paginateListAssociatedAccessPolicies } = await import('./eks');
  for await (const page of paginateListAssociatedAccessPolicies({ client }, entry, abortAt(deadline))) {
    const found = page.associatedAccessPolicies?.find((one) => one.policyArn === policyArn);
    if (found) return found;
  }
  return undefined;
}
