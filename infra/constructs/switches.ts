import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StackInput } from '../../shared/core/config/schema/stack-schema';

const CONTEXT = 'headstart:stack';

/** Makes the config's `stack` block hold for everything below this construct; to be called before anything is. */
export function setSwitches(scope: Construct, stack: StackInput = {}): void {
  scope.node.setContext(CONTEXT, stack);
}

/** The `stack` block that holds here. */
export function switchesOf(scope: Construct): StackInput {
  return scope.node.tryGetContext(CONTEXT) ?? {};
}

export function architectureOf(scope: Construct): Architecture {
  return switchesOf(scope).architecture === 'x86_64' ? Architecture.X86_64 : Architecture.ARM_64;
}

/** The customer's key that encrypts logs, queues and topic; `undefined` for the keys that AWS manages. */
export function encryptionKeyOf(scope: Construct): IKey | undefined {
  const { kmsKeyArn } = switchesOf(scope);
  return kmsKeyArn === undefined ? undefined : Key.fromKeyArn(scope, 'EncryptionKey', kmsKeyArn);
}

/** The encryption of a queue: by the customer's key where there is one, else by SQS itself. */
export function queueEncryption(key: IKey | undefined) {
  return key
    ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
    : { encryption: QueueEncryption.SQS_MANAGED };
}
