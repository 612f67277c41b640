import { InvalidEventError } from '../basics/errors';
import { interruptionSource, passes } from './event-source';
import { type Fields, textAt } from './fields';

/** The only AWS Health events that take an instance away. */
const filter = { service: ['EC2'], eventTypeCategory: ['scheduledChange'] };

/** @see https://docs.aws.amazon.com/health/latest/ug/aws-health-events-eventbridge-schema.html */
export const healthScheduledChange = interruptionSource({
  source: 'aws.health',
  detailType: 'AWS Health Event',
  filter,
  cause: 'health',
  onByDefault: true,
  meaning: 'AWS Health announces maintenance or retirement of instances',
  instances: (detail) => {
    for (const key of Object.keys(filter)) textAt(detail, key, 'detail');
    return passes(filter, detail) && detail.statusCode !== 'closed' ? affectedInstances(detail) : [];
  },
});

function affectedInstances(detail: Fields): readonly string[] {
  const entities = detail.affectedEntities ?? [];
  if (!Array.isArray(entities)) throw new InvalidEventError('event has no list at detail.affectedEntities');
  // Volumes and hosts are announced in the same way; only instances are nodes. A bad entity does not affect the others.
  const values = entities.map((entity: unknown) => (entity as { entityValue?: unknown } | null)?.entityValue);
  return values.filter((value): value is string => typeof value === 'string' && /^i-[0-9a-z]+$/.test(value));
}

export const sample = {
  version: '0',
  id: '1e5527d7-bb36-4607-3370-4164db56a40e',
  'detail-type': 'AWS Health Event',
  source: 'aws.health',
  account: '123456789012',
  time: '2026-11-16T03:00:00Z',
  region: 'ap-northeast-2',
  resources: [],
  detail: {
    eventArn: 'arn:aws:health:ap-northeast-2::event/EC2/AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED/x',
    service: 'EC2',
    eventScopeCode: 'ACCOUNT_SPECIFIC',
    communicationId: '01b0993207d81a09dcd552ebd1e633e36cf1f09a-1',
    lastUpdatedTime: 'Mon, 16 Nov 2026 03:00:00 GMT',
    statusCode: 'upcoming',
    eventRegion: 'ap-northeast-2',
    eventTypeCode: 'AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED',
    eventTypeCategory: 'scheduledChange',
    startTime: 'Mon, 30 Nov 2026 03:00:00 GMT',
    eventDescription: [
      {
        language: 'en_US',
        latestDescription: 'An instance is to be retired',
      },
    ],
    affectedEntities: [
      {
        entityValue: 'i-0a1b2c3d4e5f60001',
      },
      {
        entityValue: 'i-0a1b2c3d4e5f60002',
        tags: {
          team: 'web',
        },
      },
      {
        entityValue: 'vol-0123456789',
      },
    ],
    affectedAccount: '123456789012',
    page: '1',
    totalPages: '1',
  },
};
