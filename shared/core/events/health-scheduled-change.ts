import { InvalidEventError } from '../basics/errors';
import { HEALTH_CATEGORY, HEALTH_EVENT, HEALTH_SERVICE } from './aws-detail-types';
import type { EventSource } from './event-source';
import { fields, textAt } from './fields';

/** AWS Health announces maintenance or retirement of instances. */
export const healthScheduledChange: EventSource = {
  ...HEALTH_EVENT,
  read: (detail, at) => {
    const [service, category] = [textAt(detail, 'service', 'detail'), textAt(detail, 'eventTypeCategory', 'detail')];
    if (service !== HEALTH_SERVICE || category !== HEALTH_CATEGORY || detail.statusCode === 'closed') return undefined;
    const entities = detail.affectedEntities ?? [];
    if (!Array.isArray(entities)) throw new InvalidEventError('event has no list at detail.affectedEntities');
    const values = entities.map((entity, i) =>
      textAt(fields(entity, `detail.affectedEntities[${i}]`), 'entityValue', `detail.affectedEntities[${i}]`),
    );
    // Volumes and hosts are announced in the same way; only instances are nodes.
    const instanceIds = values.filter((value) => /^i-[0-9a-z]+$/.test(value));
    return instanceIds.length === 0 ? undefined : { kind: 'interruption', cause: 'health', instanceIds, at };
  },
};
