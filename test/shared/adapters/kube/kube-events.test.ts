import { clusterEvents } from '../../../../shared/adapters/kube/kube-events';
import { kubeTransport } from '../../../../shared/adapters/kube/kube-transport';
import type { KubeRequest } from '../../../../shared/adapters/kube/send';

const NOW = Date.parse('2026-11-17T12:00:00Z');
const CONNECTION = { server: () => 'https://cluster', tls: () => ({}), authorize: async () => ({}) };
const EVENT = {
  regarding: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'headroom-web', uid: 'uid-1' },
  type: 'Normal' as const,
  reason: 'HeadroomResized',
  note: 'from 0 to 6 replicas: lunch opens 12:00: 6',
};

/** Events over a wire that answers with a status; and what was sent. */
function over(status: number, deadline = Number.POSITIVE_INFINITY) {
  const sent: KubeRequest[] = [];
  const transport = kubeTransport(CONNECTION, {
    now: () => NOW,
    deadline,
    maxTries: 1,
    budgetMs: 2_000,
    send: async (_connection, request) => {
      sent.push(request);
      return { status, headers: {}, body: '{}' };
    },
  });
  return { sent, emit: clusterEvents(transport, 'headroom').emit };
}

/** The Event as it was sent. */
async function created(change: Partial<typeof EVENT> = {}, now = NOW) {
  const { sent, emit } = over(201);
  await emit({ ...EVENT, ...change }, now);
  return JSON.parse(sent[0]?.body ?? '');
}

test('an Event is what kubectl describe shows for its object', async () => {
  const { sent, emit } = over(201);
  await emit(EVENT, NOW);
  expect(sent).toMatchObject([{ method: 'POST', path: '/apis/events.k8s.io/v1/namespaces/headroom/events' }]);
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: expect.stringMatching(/^headroom-web\.\w+$/), namespace: 'headroom' },
    eventTime: '2026-11-17T12:00:00.000000Z',
    reportingController: 'headstart.dev/headstart',
    reportingInstance: 'headstart',
    action: 'Reconcile',
    regarding: { ...EVENT.regarding, namespace: 'headroom' },
    type: 'Normal',
    reason: 'HeadroomResized',
    note: EVENT.note,
  });
});

test('the same text has the same name for an hour, and any other text, reason, object or hour another', async () => {
  const nameOf = async (change?: Partial<typeof EVENT>, now?: number) => (await created(change, now)).metadata.name;
  const name = await nameOf();
  expect(await nameOf({}, NOW + 59 * 60_000)).toBe(name);
  const others = [
    await nameOf({ note: 'another' }),
    await nameOf({ reason: 'HeadroomReady' }),
    await nameOf({ regarding: { ...EVENT.regarding, name: 'headroom-ci' } }),
    await nameOf({}, NOW + 60 * 60_000),
  ];
  expect(new Set([name, ...others]).size).toBe(5);
});

test('one that is there already is no failure', async () => {
  const { emit } = over(409);
  await expect(emit(EVENT, NOW)).resolves.toBeUndefined();
});

test.each([403, 404, 500])('%d is tried once and thrown, for a log line', async (status) => {
  const { emit, sent } = over(status);
  await expect(emit(EVENT, NOW)).rejects.toThrow(`${status}`);
  expect(sent).toHaveLength(1);
});

test('without time left none is sent', async () => {
  const { emit, sent } = over(201, NOW);
  await expect(emit(EVENT, NOW)).rejects.toThrow('no time is left');
  expect(sent).toEqual([]);
});

test('a long note is cut to what the API accepts', async () => {
  const { note } = await created({ note: 'ä'.repeat(2_000) });
  expect(new TextEncoder().encode(note).length).toBeLessThanOrEqual(1_024);
  expect(note).toMatch(/ä\.\.\.$/);
});
