import { join } from 'node:path';
import { kubeconfigFor } from '../../../lab/simulator/kube/rest/kubeconfig';
import type { LoopbackServer } from '../../fakes/loopback-server';
import { type CliRun, fakeTerminal, folderWith, NOW, runCli } from '../run-cli';
import { FAULTS, type Loose, slowNodes } from './faults';
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

async function doctor(
  cluster: CannedCluster,
  config = HEALTHY_CONFIG,
  ...more: string[]
): Promise<CliRun & { readonly file: string }> {
  const served = await serveCanned(cluster);
  server = served.server;
  const file = join(folderWith({ 'headroom.yaml': config }), 'headroom.yaml');
  const terminal = fakeTerminal({ now: () => NOW, width: 200 });
  const run = await runCli(['doctor', '-c', file, '--kubeconfig', served.kubeconfig, ...more], terminal);
  return { ...run, file };
}

describe('headstart doctor', () => {
  test('finds nothing on a healthy cluster', async () => {
    const { code, out, err } = await doctor(healthyCluster());
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replace(/http:\S+/, 'SERVER')).toBe(
      [
        'fine: config, access, permissions of the functions, clock, PriorityClasses, Karpenter, NodePools, namespace, lead times, pause images, admission of pause pods, headroom',
        'seen: SERVER Karpenter 1.14.1, gates on: CapacityBuffer',
        'not checked: the AWS account; add --aws',
        'no problems found in what was checked',
        '',
      ].join('\n'),
    );
  });

  test.each([
    {
      name: 'a policy that refuses them',
      refusal: {
        status: 403,
        reason: 'Forbidden',
        message: 'admission webhook "labels.example.com" denied the request: the label team is required',
      },
      says: [
        'error: pause pods of default are refused by the cluster',
        'the label team is required',
        'write what it demands as podLabels, podAnnotations or imagePullSecrets, or exempt the namespace headroom from the policy',
      ],
      code: 2,
    },
    {
      name: 'a webhook that is down',
      refusal: {
        status: 422,
        reason: 'Invalid',
        message: 'failed calling webhook "labels.example.com": connection refused',
      },
      says: ['error: pause pods of default are refused by the cluster'],
      code: 2,
    },
    {
      name: 'a webhook that does not support dry runs',
      refusal: {
        status: 400,
        reason: 'BadRequest',
        message: 'admission webhook "labels.example.com" does not support dry run',
      },
      says: ['note: pause pods of default could not be tried: a webhook does not support dry runs'],
      code: 0,
    },
    {
      name: "the person's own missing right",
      refusal: {
        status: 403,
        reason: 'Forbidden',
        message:
          'pods is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "headroom"',
      },
      says: ['could not check admission of pause pods: your credentials may not create pods in headroom'],
      code: 0,
    },
    {
      name: 'a PriorityClass that is not there, which another check reports',
      refusal: {
        status: 403,
        reason: 'Forbidden',
        message: 'pods "headroom-default-x" is forbidden: no PriorityClass with name headstart-headroom was found',
      },
      says: ['admission of pause pods, headroom'],
      code: 0,
    },
  ])('tries the pause pods by a dry run: $name', async ({ refusal, says, code }) => {
    const run = await doctor({ ...healthyCluster(), refusal });
    for (const text of says) expect(run.out.replace(/\s+/g, ' ')).toContain(text);
    expect(run.code).toBe(code);
  });

  test('no text of the cluster hides what follows, or begins a line of its own', async () => {
    const message = 'x\u001b[8m `no problems found` \u202e';
    const cluster = healthyCluster();
    const [pool, karpenter, headroom] = [PATHS.nodePools, PATHS.deployments, PATHS.headrooms].map(
      (path) => cluster.lists[path]?.[0] as Loose,
    );
    pool.status.conditions = [{ type: 'Ready', status: 'False', message }];
    karpenter.spec.template.spec.containers[0].image = `karpenter:${message}`;
    headroom.metadata.annotations['headstart.dev/unreadable-record'] = message;
    cluster.refusal = { status: 403, reason: 'Forbidden', message };
    const served = await serveCanned(cluster);
    server = served.server;
    const file = join(folderWith({ 'headroom.yaml': HEALTHY_CONFIG }), 'headroom.yaml');
    const terminal = fakeTerminal({ width: 400, colours: true });
    const { out } = await runCli(['doctor', '-c', file, '--kubeconfig', served.kubeconfig], terminal);
    expect(out.match(/no problems found/g)).toHaveLength(4);
    expect(out).not.toMatch(/^ *no problems found$/m);
    expect(out).not.toContain('\u001b[8m');
    expect(out).not.toContain('\u202e');
  });

  test('says that a floor has no requests, where a policy demands them', async () => {
    const message = 'admission webhook "requests.example.com" denied the request: requests are required';
    const cluster = { ...healthyCluster(), refusal: { status: 403, reason: 'Forbidden', message } };
    const { out } = await doctor(cluster, FLOOR_CONFIG);
    expect(out.replace(/\s+/g, ' ')).toContain(
      'a floor pod has no requests, so a policy that demands them needs the exemption',
    );
  });

  test.each([
    { name: 'nodes that leave a minute for the schedule', config: HEALTHY_CONFIG, nodes: slowNodes(6, 240) },
    { name: 'too few nodes to know', config: HEALTHY_CONFIG, nodes: slowNodes(4, 900) },
    {
      name: 'a learned lead time',
      config: HEALTHY_CONFIG.replace('leadTime: 5m', 'leadTime: auto'),
      nodes: slowNodes(6, 900),
    },
  ])('has nothing to say about the lead time with $name', async ({ config, nodes }) => {
    const cluster = healthyCluster();
    cluster.lists[PATHS.nodeClaims] = nodes;
    const { out } = await doctor(cluster, config);
    expect(out).toContain('no problems found');
  });

  test('says which lead time would do', async () => {
    const cluster = healthyCluster();
    cluster.lists[PATHS.nodeClaims] = slowNodes(6, 290);
    expect((await doctor(cluster)).out).toContain('write leadTime: auto, or leadTime: 6m');
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
    expect({ code, last: out.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      last: 'no problems found in what was checked',
    });
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
    cluster.refused.add('list nodepools');
    const { out, file } = await doctor(cluster);
    expect(out).toContain(
      [
        'error: group headstart:headroom lacks permissions that the functions need',
        '  seen  not allowed: list nodepools.karpenter.sh',
        '  fix   run',
        `        npx cdk deploy --all -c config=${file}`,
        '        to restore the RBAC objects; with access: manual, apply the manifests again',
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

  test('names every NodePool that does not exist, also those that only a selector names', async () => {
    const config = `${HEALTHY_CONFIG}
  batch: {max: 2}
  gpu: {max: 2, nodeSelector: {karpenter.sh/nodepool: gpus}}
  mixed: {max: 2, nodeAffinity: [{key: karpenter.sh/nodepool, operator: In, values: [default, spare]}]}
  other: {max: 2, nodeSelector: {team: a}}
`;
    const { code, out } = await doctor(healthyCluster(), config, '--json');
    const pools = JSON.parse(out).findings.filter(({ area }: { area: string }) => area === 'NodePools');
    expect(pools.map((finding: Loose) => `${finding.severity}: ${finding.about} ${finding.problem}`)).toEqual([
      'error: NodePool batch does not exist, so the headroom of batch never gets a node from it',
      'error: NodePool gpus does not exist, so the headroom of gpu never gets a node from it',
      'error: NodePool spare does not exist, so the headroom of mixed never gets a node from it',
      'warning: NodePool other does not exist; its headroom selects nodes by other labels',
    ]);
    expect(code).toBe(2);
  });

  test('finds a kubeconfig of another cluster, and says how to get the right one', async () => {
    const served = await serveCanned(healthyCluster());
    server = served.server;
    const kubeconfig = kubeconfigFor(server.url, 'arn:aws:eks:us-east-1:123456789012:cluster/prod');
    const folder = folderWith({ 'headroom.yaml': HEALTHY_CONFIG, kubeconfig });
    const argv = ['doctor', '-c', join(folder, 'headroom.yaml'), '--kubeconfig', join(folder, 'kubeconfig')];
    const { code, out } = await runCli(argv, fakeTerminal({ width: 200 }));
    expect(code).toBe(2);
    expect(out).toContain(
      [
        'error: kubeconfig is not for the cluster shop of the config, so everything below is about another cluster',
        '  seen  the kubeconfig is for prod in us-east-1 of account 123456789012; the config is for shop in ap-northeast-2',
        '  fix   run',
        '        aws eks update-kubeconfig --name shop --region ap-northeast-2',
        '        or correct cluster in the config',
      ].join('\n'),
    );
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

describe('on EKS Auto Mode', () => {
  const autoMode = (name: string) => {
    const cluster = healthyCluster();
    const [pool] = cluster.lists[PATHS.nodePools] as Loose[];
    pool.metadata.name = name;
    pool.spec.template = {
      spec: {
        ...pool.spec.template?.spec,
        nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' },
      },
    };
    cluster.lists[PATHS.deployments] = [];
    return { cluster, pool };
  };
  const configFor = (name: string) => HEALTHY_CONFIG.replace('  default:', `  ${name}:`);

  test('no controller in the cluster is no problem, and it says who runs Karpenter', async () => {
    const { cluster } = autoMode('general-purpose');
    const { out } = await doctor(cluster, configFor('general-purpose'));
    expect(out).toContain('EKS Auto Mode: AWS runs Karpenter and owns the NodeClaims of general-purpose');
    expect(out).not.toContain('is not installed');
  });

  test('a built-in NodePool that consolidates at once cannot be changed, so the fix is another one', async () => {
    const { cluster, pool } = autoMode('general-purpose');
    pool.spec.disruption.consolidateAfter = '30s';
    const { out } = await doctor(cluster, configFor('general-purpose'));
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'fix the built-in NodePools of EKS Auto Mode cannot be changed: create a NodePool of your own with consolidateAfter 5m, or use unit: {floor: ...}',
    );
  });

  test('a built-in NodePool that is off can be turned on, not created', async () => {
    const { cluster } = autoMode('system');
    const { out } = await doctor(cluster, configFor('general-purpose'));
    expect(out.replaceAll(/\s+/g, ' ')).toContain('fix it comes with EKS Auto Mode: turn it on');
  });

  test('prerequisites that nobody needs are pointed out', async () => {
    const { cluster } = autoMode('default');
    const { out } = await doctor(cluster, `${HEALTHY_CONFIG}karpenter: {manage: true}\n`);
    expect(out).toContain('runs Karpenter for you, and the config asks for its prerequisites too');
  });
});
