import { randomUUID } from 'node:crypto';
import { tcpProxy } from '../fakes/tcp-proxy';
import type { KubeObject } from './harness/api-client';
import { connect } from './harness/api-client';
import { type Cluster, startCluster } from './harness/cluster';
import { eventually } from './harness/eventually';
import { ask } from './harness/http';
import { nodePool } from './harness/manifests';
import { isAlive } from './harness/process-identity';
import { describeCluster, sharedCluster } from './harness/shared-cluster';
import { VERSIONS } from './harness/versions';
import { followPods } from './workload/followed-pods';
import { openApiserver, type WatchEvent } from './workload/open-apiserver';
import { isRunning, workDeployment, workPod } from './workload/pods';

const CONTROL_PLANE = ['etcd', 'authenticator', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
const NAMESPACES = '/api/v1/namespaces';
const CONFIG_MAPS = `${NAMESPACES}/default/configmaps`;
const PODS = `${NAMESPACES}/default/pods`;

/** A name of our own, since all files share one cluster. */
function uniqueName(): string {
  return `harness-${randomUUID().slice(0, 8)}`;
}

function configMap(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { fact: 'kept' } };
}

function newAccessKeyId(): string {
  return `AKIA${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`;
}

function eksToken(accessKeyId: string, { action = 'GetCallerIdentity', at = Date.now() } = {}): string {
  const signedAt = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  const query = new URLSearchParams({
    Action: action,
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${signedAt.slice(0, 8)}/eu-west-1/sts/aws4_request`,
    'X-Amz-Date': signedAt,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
    'X-Amz-Signature': '0'.repeat(64),
  });
  return `k8s-aws-v1.${Buffer.from(`https://sts.eu-west-1.amazonaws.com/?${query}`).toString('base64url')}`;
}

describeCluster('the harness', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  test.each([...CONTROL_PLANE, 'kwok', 'karpenter'])('%s runs', (part) => {
    expect(cluster.parts).toContain(part);
    expect(cluster.processOf(part)).toBeDefined();
  });

  test('the apiserver has the pinned version', async () => {
    const { gitVersion } = await cluster.admin.send<{ gitVersion: string }>('GET', '/version');
    expect(gitVersion.split('.').slice(0, 2).join('.')).toBe(
      `v${VERSIONS.kubernetes.split('.').slice(0, 2).join('.')}`,
    );
  });

  test('who shows no certificate and no token is refused', async () => {
    const stranger = connect(cluster.server, { ca: cluster.ca });
    expect((await stranger.request('GET', PODS)).status).toBe(401);
  });

  test('a user whom no role names is known and refused', async () => {
    const { api } = await cluster.issueClient(uniqueName(), ['strangers']);
    expect(await api.request('GET', PODS)).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
    expect((await api.request('GET', '/api/v1/nodes')).status).toBe(403);
  });

  test('a role gives its group what it names and nothing else', async () => {
    const name = uniqueName();
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    await cluster.admin.send('POST', `${rbac}/roles`, {
      metadata: { name },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    });
    await cluster.admin.send('POST', `${rbac}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name }],
    });
    const { api } = await cluster.issueClient('somebody', [name]);
    await eventually(async () => (await api.request('GET', CONFIG_MAPS)).status === 200);
    expect((await api.request('POST', CONFIG_MAPS, configMap(name))).status).toBe(403);
    expect((await api.request('GET', `${NAMESPACES}/kube-system/configmaps`)).status).toBe(403);
  });

  test("EKS' token of a known access key stands for the user of its access entry", async () => {
    const accessKeyId = newAccessKeyId();
    cluster.addAccessEntry(accessKeyId, { username: 'the-function', groups: ['system:masters'] });
    const api = connect(cluster.server, { ca: cluster.ca, token: eksToken(accessKeyId) });
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const self = await api.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review);
    expect(self).toMatchObject({
      status: { userInfo: { username: 'the-function', groups: expect.arrayContaining(['system:masters']) } },
    });
  });

  test.each([
    { name: 'of an access key without access entry', token: eksToken('AKIAUNKNOWN') },
    { name: 'for another call', token: eksToken('AKIAUNKNOWN', { action: 'GetSessionToken' }) },
    { name: 'of another kind', token: 'not-a-token' },
  ])('a token $name is refused', async ({ token }) => {
    const api = connect(cluster.server, { ca: cluster.ca, token });
    expect((await api.request('GET', PODS)).status).toBe(401);
  });

  test.each([
    { name: 'signed 14 minutes ago is accepted', signedAgo: 14, ownTime: false, status: 200 },
    { name: 'signed 16 minutes ago has expired', signedAgo: 16, ownTime: false, status: 401 },
    {
      name: 'signed 16 minutes ago is accepted of who lives by a time of its own',
      signedAgo: 16,
      ownTime: true,
      status: 200,
    },
  ])('a token $name', async ({ signedAgo, ownTime, status }) => {
    const accessKeyId = newAccessKeyId();
    cluster.addAccessEntry(accessKeyId, { username: 'the-function', groups: ['system:masters'], ownTime });
    const token = eksToken(accessKeyId, { at: Date.now() - signedAgo * 60_000 });
    const api = connect(cluster.server, { ca: cluster.ca, token });
    expect((await api.request('GET', PODS)).status).toBe(status);
  });

  test('a pod gets a node from Karpenter and runs on it', async () => {
    const name = uniqueName();
    const pool = nodePool({ name, instanceTypes: ['c-2x-amd64-linux'] });
    // Of a Deployment, because a pod of its own does not come back: one was seen to vanish while it waited for its node.
    const work = workDeployment(name, name, { cpu: '1' });
    const pods = followPods(cluster, 'default', `work=${name}`);
    await cluster.admin.apply(pool);
    try {
      await cluster.admin.apply({ ...work, metadata: { ...work.metadata, namespace: 'default' } });
      const running = async () => (await pods.list()).find(isRunning);
      const patience = { what: 'the pod to run', timeoutMs: 120_000, explain: pods.explain };
      const { spec } = await eventually(running, patience);
      const node = await cluster.admin.send('GET', `/api/v1/nodes/${spec.nodeName}`);
      expect(node.metadata.labels).toMatchObject({ 'karpenter.sh/nodepool': name });
    } finally {
      await cluster.admin.remove(`/apis/apps/v1/namespaces/default/deployments/${name}`);
      await cluster.admin.remove(await cluster.admin.pathOf(pool));
    }
    const gone = async () => {
      const claims = await cluster.admin.list('/apis/karpenter.sh/v1/nodeclaims');
      return !claims.some(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === name);
    };
    await eventually(gone, { what: "the end of the pool's nodes", timeoutMs: 120_000 });
  });

  test('a wait for a pod that vanished says how it was last seen, what happened to it and who deleted it', async () => {
    const [name, user] = [uniqueName(), uniqueName()];
    const pods = followPods(cluster, 'default', `work=${name}`);
    const pod = workPod(name, 'no-such-pool', { cpu: '1' });
    await cluster.admin.apply({ ...pod, metadata: { ...pod.metadata, labels: { work: name } } });
    const { api } = await cluster.issueClient(user, ['system:masters']);
    await eventually(async () => (await pods.explain()).includes(`FailedScheduling Pod ${name}`));
    expect(await pods.list()).toHaveLength(1);
    await api.send('DELETE', `${PODS}/${name}`);
    await eventually(async () => (await pods.list()).length === 0);

    const never = async () => (await pods.list()).find(isRunning);
    const wait = eventually(never, { what: 'the pod to run', timeoutMs: 1000, explain: pods.explain });
    const { message } = await wait.then(
      () => new Error('it ran'),
      (error: Error) => error,
    );

    expect(message).toMatch(/^waited 1 s in vain for the pod to run\n/);
    expect(message).toMatch(new RegExp(`last seen:\\n .*"name":"${name}".*"phase":"Pending"`));
    expect(message).toMatch(new RegExp(`FailedScheduling Pod ${name}: `));
    expect(message).toMatch(new RegExp(`delete ${name} by ${user} \\(.*\\): 200`));
  });

  test('a restarted apiserver is another process with the same objects', async () => {
    const name = uniqueName();
    const before = cluster.processOf('kube-apiserver');
    await cluster.admin.apply(configMap(name));
    await cluster.restartApiserver();
    expect(cluster.processOf('kube-apiserver')).not.toEqual(before);
    expect(await cluster.admin.find(`${CONFIG_MAPS}/${name}`)).toMatchObject({ data: { fact: 'kept' } });
  });

  test('a watch goes on when the apiserver restarts, and begins when one that has just started refuses it', async () => {
    const [name, seen] = [uniqueName(), new Set<string>()];
    const apiserver = await openApiserver(cluster);
    const note = ({ object }: WatchEvent<KubeObject>) => void seen.add(object.metadata.name);
    try {
      apiserver.watch(`${CONFIG_MAPS}?watch=true`, note);
      await cluster.restartApiserver();
      await cluster.admin.apply(configMap(name));
      await eventually(() => seen.has(name), { what: 'the watched object' });
    } finally {
      apiserver.close();
    }
  });

  test('a paused apiserver answers nothing until it is resumed', async () => {
    const { cert, key } = await cluster.issueClient('patient', ['system:masters']);
    const question = { method: 'GET', url: `${cluster.server}/readyz` };
    cluster.pauseApiserver();
    try {
      const refusal = ask({ ...question, timeoutMs: 1000 }, { ca: cluster.ca, cert, key });
      await expect(refusal).rejects.toThrow('aborted');
    } finally {
      cluster.resumeApiserver();
    }
    await eventually(async () => (await ask(question, { ca: cluster.ca, cert, key })).status === 200);
  });

  test('a slow proxy passes on what the apiserver answers', async () => {
    const proxy = await tcpProxy(cluster.server);
    try {
      proxy.delay(50);
      const { cert, key } = await cluster.issueClient('patient', ['system:masters']);
      const api = connect(proxy.url, { ca: cluster.ca, cert, key });
      expect((await api.request('GET', '/version')).status).toBe(200);
    } finally {
      await proxy.close();
    }
  });

  test('a second cluster runs beside the first and knows nothing of it', async () => {
    const name = uniqueName();
    await cluster.admin.apply(configMap(name));
    const second = await startCluster({ karpenter: false });
    try {
      expect(second.server).not.toBe(cluster.server);
      expect(await second.admin.find(`${CONFIG_MAPS}/${name}`)).toBeUndefined();
      for (const part of CONTROL_PLANE) {
        expect(second.processOf(part)).toBeDefined();
        expect(second.processOf(part)).not.toEqual(cluster.processOf(part));
      }
      await expect(connect(second.server, { ca: cluster.ca }).request('GET', PODS)).rejects.toThrow('certificate');
    } finally {
      const processes = CONTROL_PLANE.flatMap((part) => second.processOf(part) ?? []);
      await second.stop();
      expect(processes.filter(isAlive)).toEqual([]);
    }
    for (const part of CONTROL_PLANE) expect(cluster.processOf(part)).toBeDefined();
  });
});
