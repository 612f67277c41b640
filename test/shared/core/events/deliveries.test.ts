import { deliveriesOf, parseDeliveries } from '../../../../shared/core/events/deliveries';
import { parseEvent } from '../../../../shared/core/events/parse-event';
import { loadEvent } from '../../../events/load-event';

const NOW = Date.parse('2026-11-16T03:00:00Z');

test.each([
  { name: 'is nested deeper than the stack', body: `${'['.repeat(50_000)}${']'.repeat(50_000)}` },
  {
    name: 'is nested deeper than the stack in its detail',
    body: `{"source":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  },
  { name: 'is cut off', body: '{"source":' },
  { name: 'is an object instead of text', body: { toString: 1 } },
  { name: 'is missing', body: undefined },
])('a message whose body $name is rejected in one short sentence, and the rest of its batch is read', ({ body }) => {
  const good = { messageId: 'good', body: JSON.stringify(loadEvent('spot-interruption')) };
  const { events, rejected } = parseDeliveries(
    deliveriesOf({ Records: [{ messageId: 'bad', body }, good] }),
    parseEvent,
    NOW,
  );
  expect(events.map(({ id }) => id)).toEqual(['good']);
  expect(rejected.map(({ id }) => id)).toEqual(['bad']);
  expect(JSON.stringify(rejected).length).toBeLessThan(1_000);
});
