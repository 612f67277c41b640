import { abortAt } from './abort-at';

/** An access policy of an access entry. */
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
  const { policyArn, ...entry } = policy;
  const isMissing = (error: unknown) => error instanceof eks.ResourceNotFoundException;
  try {
    await client.send(new eks.DisassociateAccessPolicyCommand(policy), abortAt(deadline));
  } catch (error) {
    if (isMissing(error)) return;
    const list = client.send(new eks.ListAssociatedAccessPoliciesCommand(entry), abortAt(deadline));
    const left = await list.then(
      ({ associatedAccessPolicies = [] }) => associatedAccessPolicies.some((one) => one.policyArn === policyArn),
      (failure: unknown) => !isMissing(failure),
    );
    if (left) throw error;
  }
}
