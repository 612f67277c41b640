import type { IConstruct } from 'constructs';

/**
 * Acknowledges findings of cdk-nag on this construct and its children. As metadata, which cdk-nag reads: older
 * versions of aws-cdk-lib have no `Validations`, or one that refuses an ARN in an id.
 */
export function acknowledge(scope: IConstruct, ids: readonly string[], reason: string): void {
  for (const id of ids) scope.node.addMetadata('aws:cdk:acknowledged-rules', { [`Annotation::${id}`]: reason });
}
