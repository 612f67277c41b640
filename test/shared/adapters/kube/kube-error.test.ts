import { KubeError, orMissing } from '../../../../shared/adapters/kube/kube-error';

const request = { method: 'GET', path: '/apis/x?limit=1' };
const failed = (status: number) => new KubeError(request, status, 'Reason', 'why');

test.each([
  { error: failed(403), says: 'GET /apis/x: 403 Reason: why' },
  { error: failed(0), says: 'GET /apis/x: Reason: why' },
])('an error names the request and what the server said: $says', ({ error, says }) => {
  expect(error).toMatchObject({ name: 'KubeError', message: says, path: '/apis/x', retryAfterSeconds: undefined });
});

test('an error keeps its cause and how long to wait', () => {
  const cause = new Error('cause');
  const error = new KubeError(request, 429, 'Reason', 'why', { cause, retryAfterSeconds: 3 });
  expect([error.cause, error.retryAfterSeconds]).toEqual([cause, 3]);
});

test('what is missing is nothing, and any other failure is thrown', async () => {
  expect(await orMissing(Promise.reject(failed(404)))).toBeUndefined();
  expect(await orMissing(Promise.resolve(3))).toBe(3);
  for (const error of [failed(403), Object.assign(new Error('odd'), { status: 404 })])
    await expect(orMissing(Promise.reject(error))).rejects.toBe(error);
});
