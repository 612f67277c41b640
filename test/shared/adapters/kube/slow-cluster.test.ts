import { DEPLOYMENTS, NODE_CLAIMS, NODE_POOLS } from '../../../../lab/simulator/kube/kinds';
import { respond } from '../../../../lab/simulator/kube/rest/rest-response';
import { type HttpResponse, NoResponseError } from '../../../../shared/adapters/http/http-request';
import { loopbackConnection } from '../../../../shared/adapters/kube/connection';
import { kubeCluster } from '../../../../shared/adapters/kube/kube-cluster';
import { kubeTransport, type TransportOptions } from '../../../../shared/adapters/kube/kube-transport';
import { ROWS_PER_PAGE } from '../../../../shared/adapters/kube/list-in-pages';
import { readAhead } from '../../../../shared/adapters/kube/read-ahead';
import type { KubeRequest } from '../../../../shared/adapters/kube/send';
import { EVENT_QUEUE } from '../../../../shared/core/events/delivery-limits';
import { heartbeat, tickEvent } from '../../../../shared/core/events/heartbeat-and-edges';
import { type EventResponse, handleEvent } from '../../../../shared/core/handle';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { readRecord } from '../../../../shared/core/record/record-codec';
import { batch, spotWarning } from '../../../cluster/functions/events';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { emptyApi } from '../../../lab/simulator/kube/serve-store';

const NOON = Date.parse('2026-11-16T03:00:00Z');
const config = configOf('  web: {max: 9, base: 1, interruptions: {}}\n');
const [NAME, PATH] = ['headroom-web', '/apis/apps/v1/namespaces/headroom/deployments/headroom-web'];

let api: ReturnType<typeof emptyApi>;
let sent: KubeRequest[] = [];
let perCallMs: number;

beforeEach(async () => {
  jest.useFakeTimers({ now: NOON });
  api = emptyApi(['headroom']);
  const metadata = { name: 'web', labels: { 'karpenter.sh/nodepool': 'web' } };
  const spec = { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' }, requirements: [] };
  const [apiVersion, template] = ['karpenter.sh/v1', { spec }];
  api.create(NODE_POOLS, undefined, { apiVersion, kind: 'NodePool', metadata, spec: { template } });
  const claim = { apiVersion, kind: 'NodeClaim', metadata, spec };
  const { resourceVersion } = api.create(NODE_CLAIMS, undefined, claim).metadata;
  const status = { providerID: 'aws:///ap-northeast-2a/i-1' };
  const launched = { ...claim, metadata: { ...metadata, resourceVersion }, status };
  api.replace(NODE_CLAIMS, api.get(NODE_CLAIMS, undefined, 'web'), launched, {
    subresource: 'status',
    fieldManager: 'k',
  });
  perCallMs = 0;
  await invoke(tickEvent(heartbeat, new Date(NOON).toISOString()));
  sent = [];
});
afterEach(() => jest.useRealTimers());

/** Answers after a while; a write takes effect on the way, whether anybody still waits for the answer or not. */
const send: Required<TransportOptions>['send'] = (_connection, request, { timeoutMs, listenMs = 0 }) => {
  sent.push(request);
  const { method, body = '', contentType = '', accept = '' } = request;
  const { pathname, searchParams } = new URL(request.path, 'http://127.0.0.1');
  const answered = wait(perCallMs / 2).then(async (): Promise<HttpResponse> => {
    const asked = { method, path: pathname, query: searchParams, contentType, accept, userAgent: '', body };
    const response = respond(api, asked);
    await wait(perCallMs / 2);
    return { status: response.status, headers: {}, body: JSON.stringify(response.body) };
  });
  const late = Promise.race([answered, wait(timeoutMs + listenMs).then(() => Promise.reject(new Error('gone')))]);
  late.catch(() => {});
  const timedOut = wait(timeoutMs).then(() =>
    Promise.reject(new NoResponseError(new Error('late'), false, true, late)),
  );
  timedOut.catch(() => {});
  return Promise.race([answered, timedOut]);
};

const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** One invocation as deployed, with the time that Lambda leaves for its calls. */
async function invoke(event: unknown, callsMs = (EVENT_QUEUE.functionTimeoutSeconds - 2) * 1_000) {
  const began = Date.now();
  const service = new FakeRuntime(config, began);
  const transport = kubeTransport(loopbackConnection('http://127.0.0.1:1'), { deadline: began + callsMs, send });
  const cluster = readAhead(kubeCluster(transport, 'headroom'));
  const result = handleEvent(event, {
    config,
    owner: service.owner,
    now: Date.now,
    ports: { ...service.ports, cluster },
  });
  let tookMs: number | undefined;
  const ended: { answer?: EventResponse; error?: Error } = {};
  result
    .then(
      (answer) => Object.assign(ended, { answer }),
      (error: Error) => Object.assign(ended, { error }),
    )
    .finally(() => {
      tookMs = Date.now() - began;
    });
  while (tookMs === undefined && Date.now() - began < 60_000) await jest.advanceTimersByTimeAsync(50);
  return { ...ended, tookMs, errors: service.logged.filter(({ level }) => level === 'error') };
}

const notice = () => invoke(batch(spotWarning('i-1', NOON)));
const surges = () => {
  const text = api.get(DEPLOYMENTS, 'headroom', NAME).metadata.annotations?.[ANNOTATIONS.record];
  return Object.keys(readRecord(text).record.surges);
};
const HANDLED = { answer: { batchItemFailures: [] }, errors: [] };

test.each([0.1, 4.9, 5.1, 8])(
  'a cluster that takes %d s for each call handles a notice in one invocation, and repeats no request',
  async (s) => {
    perCallMs = s * 1_000;
    expect(await notice()).toMatchObject(HANDLED);
    expect(surges()).toEqual(['i-1']);
    expect(sent.map(({ method }) => method).sort()).toEqual(['GET', 'GET', 'GET', 'PATCH']);
  },
);

test.each([
  { name: 'reads one list from a quick cluster', seconds: 0.1, lists: 1 },
  { name: 'has read the others, too, when a slow cluster answers', seconds: 4.9, lists: 3 },
])('a notice of a foreign node $name', async ({ seconds, lists }) => {
  perCallMs = seconds * 1_000;
  expect(await invoke(batch(spotWarning('i-foreign', NOON)))).toMatchObject(HANDLED);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveLength(lists);
});

test('a large cluster that answers quickly reads its headroom last, because others write it meanwhile', async () => {
  const { metadata, ...claim } = api.get(NODE_CLAIMS, undefined, 'web');
  for (let index = 0; index < 3 * ROWS_PER_PAGE; index += 1)
    api.create(NODE_CLAIMS, undefined, { ...claim, metadata: { name: `web-${index}`, labels: metadata.labels } });
  perCallMs = 200;
  expect(await notice()).toMatchObject(HANDLED);
  const paths = sent.map(({ path }) => path.replace(/\?.*/, '').replace(/.*\//, ''));
  expect(paths).toEqual([...Array(4).fill('nodeclaims'), 'deployments', 'nodepools', NAME]);
});

test('at 14 s for each call the log says that the cluster is too slow, and how slow it is', async () => {
  perCallMs = 14_000;
  const { answer, tookMs, errors } = await notice();
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
  expect(tookMs).toBeLessThanOrEqual(18_000);
  expect(errors).toEqual([
    expect.objectContaining({
      message: 'processing failed',
      fields: {
        reason: `headroom web: PATCH ${PATH}: TooSlow: http://127.0.0.1:1 is too slow: no response within 3.5 s; its slowest response took 14.0 s`,
      },
    }),
  ]);
});

test('a write that timed out and took effect is found by the next delivery, which writes nothing', async () => {
  perCallMs = 14_000;
  await notice();
  await jest.advanceTimersByTimeAsync(EVENT_QUEUE.visibilitySeconds * 1_000);
  expect(surges()).toEqual(['i-1']);
  perCallMs = 8_000;
  sent = [];
  expect(await notice()).toMatchObject(HANDLED);
  expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a cluster that answers nobody in time says for how long nobody was answered', async () => {
  perCallMs = 40_000;
  const { errors } = await notice();
  expect(errors[0]?.fields).toEqual({
    reason: expect.stringMatching(
      /^reading the NodeClaims: GET \/apis\/karpenter\.sh\/v1\/nodeclaims: TooSlow: .* is too slow: no response within 1[67]\.\d s$/,
    ),
  });
});
