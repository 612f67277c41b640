import { CfnOutput } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** People type the names of outputs: `EmergencyInflate` and no hash behind it. */
export function nameOutputs(root: IConstruct): void {
  for (const output of root.node.findAll())
    if (output instanceof CfnOutput) {
      const path = output.node.path.slice(root.node.path.length);
      output.overrideLogicalId(path.replace(/[^A-Za-z0-9]/g, ''));
    }
}
