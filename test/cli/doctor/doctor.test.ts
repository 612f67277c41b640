import { join } from 'node:path';
import type { LoopbackServer } from '../../fakes/loopback-server';
import { type CliRun, fakeTerminal, folderWith, NOW, runCli } from '../run-cli';
import { FAULTS, type Loose } from './faults';
import {
  type CannedCluster,
  FLOOR_CONFIG,
  floorNode,
  HEALTHY_CONFIG,
  healthyCluster,
  PATHS,
  podOn,
  serveCanned,
} from './healthy-cluster';

// Generous: the machine may be busy.
jest.setTimeout(60_000);

let server: LoopbackServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function doctor(cluster: CannedCluster, config = HEALTHY_CONFIG, ...more: string[]): Promise<CliRun> {
  const served = await serveCanned(cluster);
  server = served.server;
  const file = join(folderWith({ 'headroom.yaml': config }), 'headroom.yaml');
  const terminal = fakeTerminal({ now: () => NOW, width: 200 });
  return runCli(['doctor', '-c', file, '--kubeconfig', served.kubeconfig, ...more], terminal);
}

describe('headstart doctor', () => {
  test('finds nothing on a healthy cluster', async () => {
    const { code, out, err } = await doctor(healthyCluster());
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replace(/http:\S+/, 'SERVER')).toBe(
      [
        'fine: config, access, permissions of the functions, clock, PriorityClasses, Karpenter, NodePools, namespace, pause images, headroom',
        'seen: SERVER Karpenter 1.14.1, gates on: CapacityBuffer',
        'not checked: the AWS account: add --aws',
        'no problems found',
        '',
      ].join('\n'),
    );
  });

  test.each([
    { name: 'no node yet', plant: () => {} },
    {
      name: 'a free pod slot on each node, beside pods that have ended',
      plant: ({ lists }: CannedCluster) => {
        lists[PATHS.nodes]?.push(floorNode('a'));
        lists[PATHS.allPods]?.push(podOn('a'), podOn('a'), podOn('a', 'Succeeded'), podOn('a', 'Failed'));
      },
    },
    {
      name: 'small and full nodes of another NodePool',
      plant: ({ lists }: CannedCluster) => {
        const labels = { 'karpenter.sh/nodepool': 'other', 'karpenter.k8s.aws/instance-cpu': '1' };
        lists[PATHS.nodes]?.push({ metadata: { name: 'o', labels }, status: { allocatable: { pods: '1' } } });
        lists[PATHS.allPods]?.push(podOn('o'));
      },
    },
    {
      name: 'a LimitRange that gives nothing',
      plant: ({ lists }: CannedCluster) =>
        lists[PATHS.limitRanges]?.push({
          metadata: { name: 'm' },
          spec: { limits: [{ type: 'Pod', max: { cpu: '8' } }] },
        }),
    },
    {
      name: 'consolidation at once',
      plant: ({ lists }: CannedCluster) => {
        const [pool] = lists[PATHS.nodePools] as Loose[];
        pool.spec.disruption.consolidateAfter = '0s';
      },
    },
  ])('finds nothing on a healthy floor: $name', async ({ plant }) => {
    const cluster = healthyCluster();
    plant(cluster);
    const { code, out } = await doctor(cluster, FLOOR_CONFIG);
    expect({ code, last: out.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'no problems found' });
    expect(out).toMatch(/^fine: .*, headroom, floors$/m);
  });

  test('says that floors cannot be checked where pods may not be listed', async () => {
    const cluster = healthyCluster();
    cluster.forbidden.add(PATHS.allPods);
    const { code, out } = await doctor(cluster, FLOOR_CONFIG);
    expect(code).toBe(0);
    expect(out).toContain('could not check floors: GET /api/v1/pods: 403');
  });

  test.each(FAULTS)('finds $name, and nothing else', async ({ plant, config, severity, about, evidence }) => {
    const cluster = healthyCluster();
    plant?.(cluster, (path, name) => {
      const items = (cluster.lists[path] ?? []) as Loose[];
      return name === undefined ? items[0] : items.find(({ metadata }) => metadata.name === name);
    });
    const { code, out } = await doctor(cluster, config, '--json');
    const { findings } = JSON.parse(out);
    expect(findings).toMatchObject([{ severity, about, evidence }]);
    expect(findings[0].fix).toMatch(/\w/);
    expect(code).toBe(severity === 'error' ? 2 : 0);
  });

  test('draws a finding with what it saw and the fix', async () => {
    const cluster = healthyCluster();
    cluster.refused.add('list nodes');
    const { out } = await doctor(cluster);
    expect(out).toContain(
      [
        'error: group headstart:headroom lacks permissions that the functions need',
        '  seen  not allowed: list nodes',
        '  fix   run npx cdk deploy to restore the RBAC objects; with access: manual, apply the manifests again',
        '',
      ].join('\n'),
    );
    expect(out.trimEnd().split('\n').at(-1)).toBe('1 error found');
  });

  test('says what it may not read instead of calling it fine', async () => {
    const cluster = healthyCluster();
    cluster.forbidden.add(PATHS.priorityClasses).add('/apis/authorization.k8s.io/v1/subjectaccessreviews');
    const { code, out } = await doctor(cluster);
    expect(code).toBe(0);
    expect(out).toContain('could not check PriorityClasses: GET /apis/scheduling.k8s.io/v1/priorityclasses: 403');
    expect(out).toContain('could not check permissions of the functions: POST');
    expect(out).not.toMatch(/fine: .*PriorityClasses/);
  });

  test('reports a broken config and an unreachable cluster with their exit codes', async () => {
    const broken = await doctor(healthyCluster(), HEALTHY_CONFIG.replace('max: 10', 'max: -1'));
    expect(broken.code).toBe(1);
    expect(broken.out).toContain('error: config nodePools.default.max');
    await server?.close();
    const { server: gone, kubeconfig } = await serveCanned(healthyCluster());
    await gone.close();
    const file = join(folderWith({ 'headroom.yaml': HEALTHY_CONFIG }), 'headroom.yaml');
    const away = await runCli(['doctor', '-c', file, '--kubeconfig', kubeconfig]);
    expect(away.code).toBe(2);
    expect(away.out).toContain('cannot be reached');
    server = undefined;
  });
});
