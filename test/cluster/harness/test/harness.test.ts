import { randomUUID } from 'node:crypto';
import { openApiserver, type WatchEvent } from '../../workload/open-apiserver';
import { isRunning, podsOf, workDeployment } from '../../workload/pods';
import type { KubeObject } from '../api-client';
import { connect } from '../api-client';
import type { Cluster } from '../cluster';
import { nodePool } from '../manifests';
import { eventually } from '../process/eventually';
import { describeCluster, sharedCluster } from '../shared-cluster';

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
    await cluster.admin.apply(pool);
    try {
      await cluster.admin.apply({ ...work, metadata: { ...work.metadata, namespace: 'default' } });
      const running = async () => (await podsOf(cluster, 'default', `work=${name}`)).find(isRunning);
      const { spec } = await eventually(running, { what: 'the pod to run', timeoutMs: 120_000 });
      const node = await cluster.admin.send('GET', `/api/v1/nodes/${spec.nodeName}`);
      expect(node.metadata.labels).toMatchObject({ 'karpenter.sh/nodepool': name });
    } finally {
      await cluster.admin.remove(`/apis/apps/v1/namespaces/default/deployments/${name}`);
      await cluster.admin.remove(await cluster.admin.pathOf(pool));
    }
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
});
