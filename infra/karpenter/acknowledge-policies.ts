import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { Statement } from '../../shared/core/karpenter/install/controller-policies';
import { acknowledge } from '../constructs/acknowledge';

/** Acknowledges cdk-nag's findings on wildcard resources, one by one, so that a new one is still reported. */
export function acknowledgeWildcards(scope: IConstruct, resources: readonly string[], reason: string): void {
  const findings = new Set(resources.map((resource) => findingText(scope, resource)));
  const ids = [...findings].filter((resource) => resource.includes('*'));
  acknowledge(
    scope,
    ids.map((resource) => `AwsSolutions-IAM5[Resource::${resource}]`),
    reason,
  );
}

export function resourcesOf(statements: readonly Statement[]): readonly string[] {
  return statements.flatMap(({ Resource }) => Resource);
}

/** Acknowledges cdk-nag's findings on AWS managed policies. */
export function acknowledgeManagedPolicies(scope: IConstruct, arns: readonly unknown[], reason: string): void {
  acknowledge(
    scope,
    arns.map((arn) => `AwsSolutions-IAM4[Policy::${findingText(scope, arn)}]`),
    reason,
  );
}

/** A value as cdk-nag writes it in a finding: `arn:<AWS::Partition>:...`. */
function findingText(scope: IConstruct, value: unknown): string {
  return flat(Stack.of(scope).resolve(value));
}

function flat(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref: ref, 'Fn::Join': join, 'Fn::GetAtt': getAtt } = value as Record<string, unknown>;
  if (typeof ref === 'string') return `<${ref}>`;
  if (Array.isArray(getAtt)) return `<${getAtt.join('.')}>`;
  if (Array.isArray(join)) return (join[1] as unknown[]).map(flat).join(String(join[0]));
  return JSON.stringify(value);
}
