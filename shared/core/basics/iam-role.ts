/** A role as people may write it: by its name, or by its ARN, which alone tells the path. */
export const IAM_ROLE = /^(arn:[\w-]+:iam::\d{12}:role\/([\x21-\x7e]+\/)?)?[\w+=,.@-]{1,64}$/;

/** The name of a role that is written as a name or an ARN; Karpenter, EKS and instance profiles ask for it without path. */
export function roleNameOf(role: string): string {
  return role.slice(role.lastIndexOf('/') + 1);
}

/** The ARN of a role that is written as a name or an ARN. */
export function roleArnOf(
  role: string,
  { partition, account }: { readonly partition: string; readonly account: string },
) {
  return role.startsWith('arn:') ? role : `arn:${partition}:iam::${account}:role/${role}`;
}
