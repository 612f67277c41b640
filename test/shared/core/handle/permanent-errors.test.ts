import { handle } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { made } from './service';

describe('permanent errors', () => {
  test.each(['spot-malformed', 'alarm-malformed'])('%s is reported, counted and dropped', async (name) => {
    const service = made();
    await expect(handle(loadEvent(name), service)).resolves.toHaveProperty('rejected');
    expect(service.counted).toEqual({ rejectedEvents: 1 });
    expect(service.logged).toMatchObject([{ level: 'error', message: 'event rejected' }]);
  });
});
