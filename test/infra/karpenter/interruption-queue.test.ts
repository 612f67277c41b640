import { capacityReservation } from '../../../shared/core/events/capacity-reservation';
import { healthScheduledChange } from '../../../shared/core/events/health-scheduled-change';
import { instanceStateChange } from '../../../shared/core/events/instance-state-change';
import { rebalanceRecommendation } from '../../../shared/core/events/rebalance-recommendation';
import { spotInterruption } from '../../../shared/core/events/spot-interruption';
import { plain, statementsOf, synthKarpenter } from './synth-karpenter';

jest.setTimeout(120_000);

describe('the interruption queue', () => {
  const made = synthKarpenter();

  test('is short-lived, encrypted and named as the controller expects', () => {
    expect(made.only('AWS::SQS::Queue').Properties).toEqual({
      QueueName: 'demo',
      MessageRetentionPeriod: 300,
      SqsManagedSseEnabled: true,
    });
  });

  test("takes messages from this account's rules, and only by TLS", () => {
    const { PolicyDocument, Queues } = plain(made.only('AWS::SQS::QueuePolicy').Properties) as {
      PolicyDocument: { Id: string; Statement: unknown[] };
      Queues: unknown[];
    };
    expect(Queues).toEqual([expect.stringMatching(/^<KarpenterInterruptionsQueue\w+>$/)]);
    const Resource = expect.stringMatching(/^<KarpenterInterruptionsQueue\w+\.Arn>$/);
    expect(PolicyDocument.Id).toBe('EC2InterruptionPolicy');
    expect(PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: ['events.amazonaws.com', 'sqs.amazonaws.com'] },
        Action: 'sqs:SendMessage',
        Resource,
        Condition: {
          ArnLike: { 'aws:SourceArn': 'arn:<AWS::Partition>:events:ap-northeast-2:<AWS::AccountId>:rule/*' },
        },
      },
      {
        Sid: 'DenyHTTP',
        Effect: 'Deny',
        Principal: '*',
        Action: 'sqs:*',
        Resource,
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ]);
  });

  test('is fed by five rules, made of the constants that the parsers use', () => {
    const patterns = Object.values(made.all('AWS::Events::Rule')).map(({ Properties }) => Properties.EventPattern);
    const kinds = [
      healthScheduledChange,
      spotInterruption,
      rebalanceRecommendation,
      instanceStateChange,
      capacityReservation,
    ];
    expect(patterns).toHaveLength(5);
    expect(patterns).toEqual(
      expect.arrayContaining(
        kinds.map(({ source, detailType }) => ({ source: [source], 'detail-type': [detailType] })),
      ),
    );
  });

  test('each rule has the queue as its only target, and no name that could clash', () => {
    for (const { Properties } of Object.values(made.all('AWS::Events::Rule'))) {
      expect(Properties.Name).toBeUndefined();
      expect(plain(Properties.Targets)).toEqual([
        {
          Id: 'KarpenterInterruptionQueueTarget',
          Arn: expect.stringMatching(/^<KarpenterInterruptionsQueue\w+\.Arn>$/),
        },
      ]);
    }
  });

  test('can be one that exists: the controller may read it, and its rules are left alone', () => {
    const existing = synthKarpenter({ queue: 'my-queue' });
    existing.template.resourceCountIs('AWS::SQS::Queue', 0);
    existing.template.resourceCountIs('AWS::Events::Rule', 0);
    const statement = statementsOf(existing).find(({ Sid }) => Sid === 'AllowInterruptionQueueActions');
    expect(statement?.Resource).toBe('arn:<AWS::Partition>:sqs:ap-northeast-2:<AWS::AccountId>:my-queue');
    expect(existing.outputs.join('\n')).toContain('"interruptionQueue":"my-queue"');
  });

  test('can be left out with its policy', () => {
    const without = synthKarpenter({ queue: false });
    without.template.resourceCountIs('AWS::SQS::Queue', 0);
    without.template.resourceCountIs('AWS::IAM::ManagedPolicy', 5);
  });
});
