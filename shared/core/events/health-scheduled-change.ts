import { InvalidEventError } from '../basics/errors';
import { type Fields, textAt } from './event-fields';
import { interruptionSource, passes } from './event-source';

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
