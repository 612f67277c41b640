import { handle, handleEvent } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { made, message } from './service';

describe('a function that only AWS invokes', () => {
  test.each([
    { name: 'an override', raw: { headroom: 'service', atLeast: 8, for: '30m' } },
    { name: 'a release', raw: { headroom: 'service', release: true } },
    { name: 'a question', raw: { status: true } },
  ])('rejects $name and touches nothing', async ({ raw }) => {
    const service = made();
    expect(await handleEvent(raw, service)).toEqual({
      rejected: 'event is not for this function: it names no source',
    });
    expect(service.cluster.calls).toEqual([]);
    expect(service.logged).toMatchObject([{ level: 'error', message: 'event rejected' }]);
  });

  test.each([
    { name: 'a heartbeat', raw: loadEvent('heartbeat') },
    { name: 'an alarm', raw: loadEvent('alarm-state-change') },
    { name: 'an alarm that invokes the function itself', raw: { alarmData: loadEvent('alarm-state-change').detail } },
    { name: 'a batch', raw: { Records: [message(loadEvent('spot-interruption')), { messageId: 'bad', body: '{' }] } },
    { name: 'an event of nobody', raw: { source: 'aws.s3', 'detail-type': 'Object Created', detail: {} } },
    { name: 'no event', raw: 'hello' },
  ])('does with $name what the way in for everything does', async ({ raw }) => {
    const [one, other] = [made(), made()];
    expect(await handleEvent(raw, one)).toEqual(await handle(raw, other));
    expect([...one.cluster.calls]).toEqual([...other.cluster.calls]);
  });
});
