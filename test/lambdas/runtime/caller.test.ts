import { logOfInvocation } from '../../../lambdas/runtime/caller';
import { memoryLog } from '../deploy/requests';

test.each([
  { name: 'as an IAM user, whom Lambda does not name', context: { awsRequestId: '8f2c' }, told: '"requestId":"8f2c"}' },
  {
    name: 'through Amazon Cognito',
    context: { awsRequestId: '8f2c', identity: { cognitoIdentityId: 'eu-west-1:1f0a' } },
    told: '"requestId":"8f2c","caller":"eu-west-1:1f0a"}',
  },
  { name: 'by hand, without Lambda', context: undefined, told: '"by":"ana"}' },
])('an override that comes $name is logged with what AWS tells of its caller', ({ context, told }) => {
  const log = memoryLog();
  const { info, warn, error } = logOfInvocation(log, context);
  for (const write of [info, warn, error]) write('override received', { by: 'ana' });
  expect(log.lines).toHaveLength(3);
  for (const line of log.lines) expect(line.endsWith(told)).toBe(true);
});

test('what an override claims never passes for what AWS tells', () => {
  const log = memoryLog();
  logOfInvocation(log, { awsRequestId: '8f2c' }).info('override received', { requestId: 'forged' });
  expect(log.lines).toEqual(['override received {"requestId":"8f2c"}']);
});

test('an invocation without an id adds nothing to the log, not even an empty field', () => {
  const written: unknown[] = [];
  const note = (_message: string, fields: unknown) => void written.push(fields);
  const { info } = logOfInvocation({ info: note, warn: note, error: note }, { identity: {} });
  info('x', { by: 'ana' });
  expect(written).toStrictEqual([{ by: 'ana' }]);
});
