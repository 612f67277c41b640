import { jsonLog } from '../../../../shared/adapters/process/json-log';

test('jsonLog writes one line, with the message of an error', () => {
  const lines: string[] = [];
  jsonLog((line) => lines.push(line)).error('event failed', { error: new Error('boom') });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    message: 'event failed',
    error: { message: 'boom' },
  });
});
