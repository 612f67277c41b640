import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEPLOYMENTS, NAMESPACES } from '../../lab/simulator/kube/kinds';
import type { KubeServer } from '../../lab/simulator/kube/rest/http-server';
import { serveKube } from '../../lab/simulator/kube/rest/http-server';
import { kubeconfigFor } from '../../lab/simulator/kube/rest/kubeconfig';
import { tempFolder } from '../fakes/temp-folder';
import { SECOND, smallCluster } from '../lab/simulator/engine/small-cluster';
import { locateProgram } from './harness/build/binaries';
import { describeCluster } from './harness/shared-cluster';

describeCluster("kubectl against the simulator's API", () => {
  const cluster = smallCluster();
  const folder = tempFolder();
  const kubeconfig = join(folder, 'config');
  let server: KubeServer;
  let program: string;

  beforeAll(async () => {
    program = locateProgram('kubectl');
    server = await serveKube(cluster.api, { basePath: '/k-secret' });
    writeFileSync(kubeconfig, kubeconfigFor(server.url));
    cluster.pool('default');
    cluster.node('system-0', { cpu: '4' });
    cluster.deploy('web', 3);
    cluster.run(10 * SECOND);
  });

  afterAll(async () => {
    await server.close();
  });

  function kubectl(...args: string[]): Promise<{ code: number; out: string }> {
    const env = { PATH: process.env.PATH ?? '', HOME: folder, KUBECONFIG: kubeconfig };
    return new Promise((resolve) => {
      execFile(program, args, { env, timeout: 60_000 }, (error, stdout, stderr) => {
        resolve({ code: error ? 1 : 0, out: `${stdout}${stderr}` });
      });
    });
  }

  const EXAMPLES: { name: string; args: string[]; says: RegExp }[] = [
    { name: 'gets nodes', args: ['get', 'nodes', '-o', 'wide'], says: /NAME +STATUS[\s\S]*system-0 +Ready/ },
    {
      name: 'gets pods',
      args: ['get', 'po', '-n', 'shop', '-o', 'wide'],
      says: /web-\w+-\w+ +1\/1 +Running[\s\S]*system-0/,
    },
    { name: 'gets Deployments', args: ['get', 'deploy', '-A', '-o', 'wide'], says: /shop +web +3\/3 +3 +3/ },
    {
      name: 'gets one by name',
      args: ['get', 'deploy', 'web', '-n', 'shop', '-o', 'name'],
      says: /deployment.apps\/web/,
    },
    {
      name: 'gets by label',
      args: ['get', 'po', '-A', '-l', 'app in (web)', '-o', 'name'],
      says: /(pod\/web[\s\S]*){3}/,
    },
    { name: 'gets NodePools', args: ['get', 'nodepools'], says: /default +default +0 +True/ },
    { name: 'gets NodeClaims', args: ['get', 'nodeclaims'], says: /No resources found/ },
    { name: 'gets PriorityClasses', args: ['get', 'pc'], says: /headroom +-10 +false/ },
    {
      name: 'describes a Deployment',
      args: ['describe', 'deploy', 'web', '-n', 'shop'],
      says: /3 desired[\s\S]*NewReplicaSet: +web-/,
    },
    { name: 'describes a node', args: ['describe', 'node', 'system-0'], says: /Allocated resources[\s\S]*cpu +3/ },
    { name: 'says what is missing', args: ['get', 'deploy', 'nobody'], says: /deployments.apps "nobody" not found/ },
    { name: 'says what it does not know', args: ['get', 'unicorns'], says: /doesn't have a resource type "unicorns"/ },
  ];

  test.each(EXAMPLES)('$name', async ({ args, says }) => {
    expect((await kubectl(...args)).out).toMatch(says);
  });

  test('scales a Deployment, and is the manager of its replicas', async () => {
    expect((await kubectl('scale', 'deploy', 'web', '-n', 'shop', '--replicas=2')).out).toContain('scaled');
    const deployment = cluster.api.get(DEPLOYMENTS, 'shop', 'web');
    expect(deployment.spec.replicas).toBe(2);
    const managers = cluster.store.managersOf(DEPLOYMENTS, deployment);
    expect(managers.map(({ manager, subresource }) => [manager, subresource])).toContainEqual(['kubectl', 'scale']);
    cluster.run(5 * SECOND);
    expect(cluster.pods('web')).toHaveLength(2);
  });

  test('annotates and labels', async () => {
    await kubectl('annotate', 'deploy', 'web', '-n', 'shop', 'example.com/note=hello');
    await kubectl('label', 'deploy', 'web', '-n', 'shop', 'tier=front');
    const { metadata } = cluster.api.get(DEPLOYMENTS, 'shop', 'web');
    expect([metadata.annotations, metadata.labels]).toMatchObject([{ 'example.com/note': 'hello' }, { tier: 'front' }]);
  });

  test('applies a manifest when it is told not to look for a schema', async () => {
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, 'apiVersion: v1\nkind: Namespace\nmetadata: {name: mine}\n');
    expect((await kubectl('apply', '--server-side', '--validate=false', '-f', file)).out).toContain(
      'serverside-applied',
    );
    expect((await kubectl('get', 'ns', 'mine', '-o', 'name')).out).toContain('namespace/mine');
  });

  test('deletes', async () => {
    cluster.api.create(NAMESPACES, undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gone' } });
    expect((await kubectl('delete', 'ns', 'gone', '--wait=false')).out).toContain('deleted');
    expect((await kubectl('get', 'ns', 'gone')).code).toBe(1);
  });
});
