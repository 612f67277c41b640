import { abortAt } from './abort-at';

/** An access policy of an access entry. */
export interface AssociatedPolicy {
  readonly clusterName: string;
  readonly region: string;
  readonly principalArn: string;
  readonly policyArn: string;
}

/** Removes an access policy from an access entry; it is fine if the policy or the entry is already gone. */
export async function dropAccessPolicy({ region, ...policy }: AssociatedPolicy, deadline: number): Promise<void> {
  const { EKSClient, DisassociateAccessPolicyCommand, ResourceNotFoundException } = await import('./eks');
  const client = new EKSClient({ region });
  await client.send(new DisassociateAccessPolicyCommand(policy), abortAt(deadline)).catch((error: unknown) => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  });
}
