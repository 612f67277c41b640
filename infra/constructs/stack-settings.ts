import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StackInput } from '../../shared/core/config/schema/stack-schema';

const CONTEXT = 'headstart:stack';

/** Applies the config's `stack` block to everything below this construct; call it before adding children. */
export function setSwitches(scope: Construct, stack: StackInput = {}): void {
  scope.node.setContext(CONTEXT, stack);
  if (stack.permissionsBoundaryArn !== undefined)
    PermissionsBoundary.of(scope).apply(
      ManagedPolicy.fromManagedPolicyArn(scope, 'Boundary', stack.permissionsBoundaryArn),
    );
}

export function switchesOf(scope: Construct): StackInput {
  return scope.node.tryGetContext(CONTEXT) ?? {};
}

export function architectureOf(scope: Construct): Architecture {
  return switchesOf(scope).architecture === 'x86_64' ? Architecture.X86_64 : Architecture.ARM_64;
}

/** The customer's key for logs, queues and topic; `undefined` for AWS managed keys. */
export function encryptionKeyOf(scope: Construct): IKey | undefined {
  const { kmsKeyArn } = switchesOf(scope);
  return kmsKeyArn === undefined ? undefined : Key.fromKeyArn(scope, 'EncryptionKey', kmsKeyArn);
}

/** The encryption of a queue: with the customer's key if there is one, else by SQS itself. */
export function queueEncryption(key: IKey | undefined) {
  return key
    ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
    : { encryption: QueueEncryption.SQS_MANAGED };
}
