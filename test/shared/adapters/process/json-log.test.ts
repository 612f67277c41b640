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

test('each level writes a line of its own, with the fields in plain sight', () => {
  const lines: string[] = [];
  const { info, warn, error } = jsonLog((line) => lines.push(line));
  for (const write of [info, warn, error]) write('x', { headroom: 'web' });
  expect(lines).toEqual(
    ['info', 'warn', 'error'].map((level) => `{"level":"${level}","message":"x","headroom":"web"}`),
  );
});

test('an error is written with its name and its stack', () => {
  const lines: string[] = [];
  const failure = new TypeError('boom');
  jsonLog((line) => lines.push(line)).warn('x', { cause: failure });
  const { stack } = failure;
  expect(JSON.parse(lines[0] ?? '').cause).toEqual({ name: 'TypeError', message: 'boom', stack });
});

test('lines go to standard output, as they are', () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  jsonLog().info('x', {});
  expect(write.mock.calls).toEqual([['{"level":"info","message":"x"}\n']]);
  write.mockRestore();
});
