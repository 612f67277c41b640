import { Annotations, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { ClusterConfig } from '../shared/core/config/config';

/** Functions, schedules and rules work only in the cluster's own region and account: another one is an error at synth. */
export function checkPlace(scope: Construct, { name, ...cluster }: ClusterConfig): void {
  const stack = Stack.of(scope);
  for (const what of ['region', 'account'] as const) {
    const [wanted, actual] = [cluster[what], stack[what]];
    if (wanted === undefined || wanted === actual) continue;
    const place = `cluster ${name} is in ${what} ${wanted} (cluster.${what}), and stack ${stack.stackName}`;
    const fix = `write env: { ${what}: '${wanted}' } for the stack`;
    if (!Token.isUnresolved(actual)) {
      scope.node.addValidation({ validate: () => [`${place} in ${actual}; ${fix}, or correct cluster.${what}`] });
      continue;
    }
    Annotations.of(scope).addWarningV2(
      `headstart:${what}`,
      `${place} has no ${what}, so that a deploy to another one is not noticed; ${fix}`,
    );
  }
}
