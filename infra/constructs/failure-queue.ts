import { Duration, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { encryptionKeyOf, queueEncryption } from './switches';

/** Keeps events that could not be handled for two weeks, for a person to inspect. */
export class FailureQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      ...queueEncryption(encryptionKeyOf(this)),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'this is the dead-letter queue itself; an alarm watches that it stays empty',
    });
  }
}
