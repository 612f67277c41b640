import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { handler as alarm } from '../../../lambdas/runtime/alarm';
import { handler as inflate } from '../../../lambdas/runtime/inflate';
import { handler as interruption } from '../../../lambdas/runtime/interruption';
import { handler as reconcile } from '../../../lambdas/runtime/reconcile';
import { loadEvent } from '../../events/load-event';
import { configOf } from '../../fakes/fake-runtime';
import { tempFolder } from '../../fakes/temp-folder';

const folder = tempFolder();
const before = process.env;
const [alarmChange, heartbeat] = [loadEvent('alarm-state-change'), loadEvent('heartbeat')];

beforeAll(() => {
  writeFileSync(join(folder, 'config.json'), JSON.stringify(configOf('  web: {max: 9, base: 1}\n')));
  process.env = {
    ...before,
    HEADSTART_OWNER: '123456789012/eu-west-1/demo/headroom/headstart-demo',
    HEADSTART_ENDPOINT: 'https://127.0.0.1:1',
    HEADSTART_CA: Buffer.from('ca').toString('base64'),
    LAMBDA_TASK_ROOT: folder,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => {
  process.env = before;
});

test.each([
  { name: 'reconcile', handler: reconcile, event: alarmChange, says: 'expected tick, got alarm' },
  { name: 'alarm', handler: alarm, event: heartbeat, says: 'expected alarm, got tick' },
  { name: 'inflate', handler: inflate, event: heartbeat, says: 'expected override, got tick' },
])('$name rejects what is meant for another function', async ({ handler, event, says }) => {
  expect(await handler(event)).toEqual({ rejected: `event is not for this function: ${says}` });
});

test('interruption drops a message that is meant for another function, since no retry would help', async () => {
  const lines: string[] = [];
  jest.mocked(process.stdout.write).mockImplementation((line) => lines.push(String(line)) > 0);
  const answer = await interruption({ Records: [{ messageId: 'a', body: JSON.stringify(heartbeat) }] });
  expect(answer).toEqual({ batchItemFailures: [] });
  expect(lines.join('')).toContain('event is not for this function: expected interruption, got tick');
});
