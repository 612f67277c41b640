import { functionError } from '../../../../shared/adapters/aws/invoke-function';
import { causesOf, clusterErrorType, withClusterErrorType } from '../../../../shared/adapters/kube/cluster-error';
import { KubeError } from '../../../../shared/adapters/kube/kube-error';

const kubeError = (status: number, path = '/apis/apps/v1/deployments', reason = 'Reason') =>
  new KubeError({ method: 'GET', path }, status, reason, 'message');
const wrapped = (cause: unknown) => new Error('reading the headroom', { cause });

test.each([
  { name: 'no answer', error: kubeError(0), type: 'ClusterUnreachable' },
  { name: 'no answer in time', error: kubeError(0, '/x', 'TooSlow'), type: 'ClusterTooSlow' },
  ...['ENOTFOUND', 'ECONNREFUSED', 'ETIMEDOUT'].map((code) => ({
    name: code,
    error: Object.assign(new Error(), { code }),
    type: 'ClusterUnreachable',
  })),
  { name: 'another code', error: Object.assign(new Error(), { code: 'EPIPE' }), type: undefined },
  { name: 'a code of no text', error: Object.assign(new Error(), { code: '' }), type: undefined },
  { name: 'any other status', error: kubeError(500), type: undefined },
  { name: '401', error: kubeError(401), type: 'ClusterUnauthenticated' },
  { name: '403', error: kubeError(403), type: 'ClusterForbidden' },
  {
    name: "404 of Karpenter's API",
    error: kubeError(404, '/apis/karpenter.sh/v1/nodepools'),
    type: 'KarpenterNotServed',
  },
  { name: '404 of anything else', error: kubeError(404), type: undefined },
  { name: 'a message that only looks like it', error: new Error('GET /x: 401 Unauthorized'), type: undefined },
  { name: 'what caused an error', error: wrapped(wrapped(kubeError(403))), type: 'ClusterForbidden' },
  {
    name: 'the worst of several',
    error: new AggregateError([wrapped(kubeError(403)), kubeError(401), kubeError(409)]),
    type: 'ClusterUnauthenticated',
  },
  { name: 'no error at all', error: 'text', type: undefined },
])('the type of $name is $type', ({ error, type }) => {
  expect(clusterErrorType(error)).toBe(type);
});

test('the type survives the way through Lambda, which carries only name and message', () => {
  const error = wrapped(kubeError(401));
  const { name, message, cause } = withClusterErrorType(error) as Error;
  expect(cause).toBe(error);
  const received = functionError(JSON.stringify({ errorType: name, errorMessage: message, trace: [] }));
  expect([clusterErrorType(received), received.message]).toEqual(['ClusterUnauthenticated', 'reading the headroom']);
});

test('an error of another kind keeps its name', () => {
  const error = new TypeError('x is not a function');
  expect(withClusterErrorType(error)).toBe(error);
});

test('the causes of an error are those that it has', () => {
  const [first, second] = [new Error('first'), new Error('second')];
  expect(causesOf(first)).toEqual([first]);
  const all = Object.assign(new AggregateError([second, 'text']), { cause: first });
  expect(causesOf(all)).toEqual([all, first, second]);
});
