import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../../shared/core/config/load';
import { folderWith, runCli } from '../run-cli';
import { BETA, CODECENTRIC, DELIVERYHERO, INFLATE, KEDA_SAMPLE, KEDA_TARGET, PROVISIONER } from './samples';

jest.setTimeout(60_000);

async function importText(source: string, text: string, ...more: string[]) {
  const file = join(folderWith({ 'input.yaml': text }), 'input.yaml');
  const run = await runCli(['import', source, file, ...more]);
  const loaded = run.code === 0 ? loadConfig([{ file: 'headroom.yaml', text: run.out }]) : undefined;
  const config = loaded?.ok ? loaded.config : undefined;
  return { ...run, file, config, pools: config?.nodePools ?? [] };
}

describe('headstart import keda', () => {
  test('proposes a floor for a workload that starts its own pods, with the same windows, and says why', async () => {
    const { code, err, out, pools } = await importText('keda', `${KEDA_SAMPLE}---${KEDA_TARGET}`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    // Four pods of 750m fit on a node: 8, 10 and 38 pods come on top of the two that always run.
    expect(pools).toMatchObject([
      {
        name: 'service',
        base: 0,
        max: 10,
        leadMinutes: 5,
        unit: { kind: 'floor', requests: {} },
        minNode: { cpu: 4, memoryMiB: 16_384 },
        tolerations: [{ key: 'dedicated', operator: 'Exists' }],
        windows: [
          {
            name: 'office-hours-1',
            timezone: 'Asia/Kolkata',
            startText: '0 6 * * *',
            endText: '0 20 * * *',
            replicas: 2,
            relative: true,
          },
          {
            name: 'half-past',
            timezone: 'Asia/Kolkata',
            startText: '30 * * * *',
            endText: '45 * * * *',
            replicas: 3,
            relative: true,
          },
        ],
      },
    ]);
    expect(out).toContain('# a floor, nodes that exist: the target is a workload that starts its own pods.');
    expect(out).toContain('# nodes for 40 pods above the 2 pods that always run, 4 to a node');
    expect(out).toContain('#   spec.minReplicaCount 2: these pods run anyway');
    expect(out).toContain('#   spec.pollingInterval 30: Headstart acts on the edges of a window');
    expect(out).toContain('#   spec.triggers[2] {"type":"aws-sqs-queue"');
    expect(out).toContain('eks.amazonaws.com/nodegroup"] "old": names a node group');
    expect(out).toContain('metadata.labels, spec.replicas, spec.template.spec.containers[0].name');
  });

  test('carries cron triggers over as the same windows of room where the target is not given', async () => {
    const { code, out, pools } = await importText('keda', KEDA_SAMPLE);
    expect(code).toBe(0);
    expect(pools).toMatchObject([
      {
        name: 'default',
        base: 2,
        max: 40,
        unit: { kind: 'slice', requests: { cpu: '1', memory: '1Gi' } },
        windows: [
          { name: 'office-hours-1', startText: '0 6 * * *', endText: '0 20 * * *', replicas: 10 },
          { name: 'half-past', startText: '30 * * * *', endText: '45 * * * *', replicas: 12 },
        ],
      },
    ]);
    expect(out).toContain('the target was not given; pass its file too');
  });

  const requests = (text: string) => KEDA_TARGET.replace('{cpu: 500m, memory: 512Mi}', text);
  test.each([
    {
      name: 'a pod that needs a larger node gets one',
      target: requests('{cpu: 6, memory: 1Gi}'),
      is: {
        unit: { kind: 'floor' },
        minNode: { cpu: 8, memoryMiB: 32_768 },
        windows: [{ replicas: 8 }, { replicas: 10 }],
      },
    },
    {
      name: 'memory decides where it is scarcer',
      target: requests('{cpu: 100m, memory: 6Gi}'),
      is: { minNode: { cpu: 4 }, windows: [{ replicas: 4 }, { replicas: 5 }] },
    },
    {
      name: 'pods that keep apart need a node each',
      target: KEDA_TARGET.replace(
        '      containers:',
        '      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname}]}}\n      containers:',
      ),
      is: { unit: { kind: 'floor' }, max: 38, windows: [{ replicas: 8 }, { replicas: 10 }] },
    },
    {
      name: 'pods without requests are taken for small ones',
      target: KEDA_TARGET.replace(/, resources: .*\}\}/g, '}'),
      is: { unit: { kind: 'floor' }, windows: [{ replicas: 3 }, { replicas: 4 }] },
    },
    {
      name: 'a floor cannot count GPUs, so they stay room',
      target: requests('{cpu: 1, nvidia.com/gpu: 1}'),
      is: {
        unit: { kind: 'slice', requests: { 'nvidia.com/gpu': '1' } },
        max: 40,
        windows: [{ replicas: 10 }, { replicas: 12 }],
      },
    },
    {
      name: 'pods of a negative priority hold a place for others, so they stay room',
      target: KEDA_TARGET.replace('    spec:\n', '    spec:\n      priority: -5\n'),
      is: { unit: { kind: 'slice' }, base: 2, windows: [{ replicas: 10 }, { replicas: 12 }] },
    },
    {
      name: 'pods of an overprovisioning class stay room',
      target: KEDA_TARGET.replace('    spec:\n', '    spec:\n      priorityClassName: overprovisioning\n'),
      is: { unit: { kind: 'slice' }, base: 2, windows: [{ replicas: 10 }, { replicas: 12 }] },
    },
  ])('$name', async ({ target, is }) => {
    const { code, pools } = await importText('keda', `${KEDA_SAMPLE}---${target}`);
    expect(code).toBe(0);
    expect(pools).toMatchObject([is]);
  });

  test('lists a trigger that asks a workload for no more pods than always run', async () => {
    const { out, pools } = await importText('keda', `${KEDA_SAMPLE.replace('"10"', '"2"')}---${KEDA_TARGET}`);
    expect(pools[0]?.windows).toMatchObject([{ name: 'half-past', replicas: 3 }]);
    expect(out).toContain('asks for no more pods than minReplicaCount 2, which run anyway');
  });

  test('says that floors on the same nodes do not add up', async () => {
    const second = KEDA_SAMPLE.replace('office-hours', 'evening');
    const { out } = await importText('keda', `${KEDA_SAMPLE}---${second}---${KEDA_TARGET}`);
    expect(out).toContain('# floors on the same nodes do not add up: if the peaks come together');
  });

  test('makes headroom of a pause Deployment that is inflated by the clock', async () => {
    const { pools } = await importText('keda', INFLATE);
    expect(pools).toMatchObject([
      {
        base: 1,
        max: 5,
        unit: { kind: 'node', requests: { cpu: '1' } },
        nodeAffinity: [{ key: 'team', operator: 'In', values: ['team1'] }],
        windows: [{ name: 'inflate', startText: '03 * * * *', endText: '10 * * * *', replicas: 5 }],
      },
    ]);
  });

  test('plans the same windows that KEDA had', async () => {
    const { out } = await importText('keda', KEDA_SAMPLE.replace('"12"', '"0"'));
    const file = join(folderWith({ 'headroom.yaml': out }), 'headroom.yaml');
    const planned = await runCli(['plan', '-c', file, '--from', '2026-11-16T00:00', '--json']);
    const { steps } = JSON.parse(planned.out).nodePools.default;
    // 06:00 and 20:00 in Kolkata are 00:30Z and 14:30Z; five minutes of lead time come first.
    expect(steps.map(({ at, replicas }: { at: string; replicas: number }) => [at.slice(11, 16), replicas])).toEqual([
      ['00:00', 2],
      ['00:25', 10],
      ['14:30', 2],
    ]);
  });

  test('gives each ScaledObject of one NodePool an entry of its own', async () => {
    const second = KEDA_SAMPLE.replace('office-hours', 'evening');
    const { pools } = await importText('keda', `${KEDA_SAMPLE}---${second}`, '--nodepool', 'web');
    expect(pools.map(({ name, nodeSelector }) => [name, nodeSelector])).toEqual([
      ['web', { 'karpenter.sh/nodepool': 'web' }],
      ['evening', { 'karpenter.sh/nodepool': 'web' }],
    ]);
  });

  test.each([
    {
      name: 'a zone that is none',
      change: ['Asia/Kolkata, start: 0 6', 'Local, start: 0 6'],
      says: 'timezone "Local" is not an IANA time zone',
    },
    { name: 'a cron of six fields', change: ['start: 0 6 * * *', 'start: 0 0 6 * * *'], says: 'has 6 fields' },
    { name: 'a start that is the end', change: ['start: 0 6', 'start: 0 20'], says: 'start and end are the same' },
    {
      name: 'no replicas',
      change: ['desiredReplicas: "10"', 'desiredReplicas: "0"'],
      says: 'desiredReplicas "0" is not a whole number',
    },
  ])('lists a trigger with $name', async ({ change: [from = '', to = ''], says }) => {
    const { code, out, pools } = await importText('keda', KEDA_SAMPLE.replace(from, to));
    expect(code).toBe(0);
    expect(pools[0]?.windows).toHaveLength(1);
    expect(out).toContain(says);
  });

  test('cuts a window at maxReplicaCount as KEDA does, and says so', async () => {
    const { out, pools } = await importText('keda', KEDA_SAMPLE.replace('maxReplicaCount: 40', 'maxReplicaCount: 8'));
    expect(pools[0]).toMatchObject({ max: 8, windows: [{ replicas: 8 }, { replicas: 8 }] });
    expect(out).toContain('KEDA cut desiredReplicas 12 of half-past to maxReplicaCount 8');
  });
});

describe('headstart import overprovisioner', () => {
  test('carries the default values of deliveryhero over', async () => {
    const { code, out, pools } = await importText('overprovisioner', DELIVERYHERO);
    expect(code).toBe(0);
    expect(pools).toMatchObject([
      {
        name: 'default',
        base: 3,
        max: 3,
        unit: { kind: 'slice', requests: { cpu: '1', memory: '1000Mi' } },
        windows: [],
      },
    ]);
    for (const path of [
      'priorityClassOverprovision',
      'terminationGracePeriodSeconds 0',
      'image.pullPolicy',
      'serviceAccount',
    ])
      expect(out).toContain(`#   ${path}`);
  });

  test('carries the default values of codecentric over, by the highest step of the ladder', async () => {
    const { code, out, pools } = await importText('overprovisioner', CODECENTRIC);
    expect(code).toBe(0);
    expect(pools).toMatchObject([{ name: 'default', base: 2, max: 2, windows: [] }]);
    expect(out).toContain('the highest step of a ladder of 1, 2, 0 by the number of nodes');
    expect(out).toContain('op.image.repository "k8s.gcr.io/pause": the registry k8s.gcr.io is frozen');
  });

  test('makes windows of schedules that follow each other', async () => {
    const schedules = `schedules:
  - {name: night, cronTimeExpression: "0 18 * * 1-5", timeZone: Europe/Berlin, config: {ladder: {nodesToReplicas: [[0, 1]]}}}
  - {name: day, cronTimeExpression: "0 8 * * 1-5", timeZone: Europe/Berlin, config: {ladder: {nodesToReplicas: [[0, 4]]}}}`;
    const { pools } = await importText('overprovisioner', CODECENTRIC.replace('schedules: []', schedules));
    expect(pools).toMatchObject([
      {
        base: 1,
        max: 4,
        windows: [
          { name: 'day', timezone: 'Europe/Berlin', startText: '0 8 * * 1-5', endText: '0 18 * * 1-5', replicas: 4 },
        ],
      },
    ]);
  });

  test('lists a schedule that has no single end', async () => {
    const one = (name: string, cron: string, replicas: number) =>
      `  - {name: ${name}, cronTimeExpression: "${cron}", config: {ladder: {nodesToReplicas: [[0, ${replicas}]]}}}`;
    const schedules = [
      'schedules:',
      one('low', '0 0 * * 1', 0),
      one('noon', '0 12 * * *', 4),
      one('late', '0 18 * * 1,2', 2),
    ];
    const { out, pools } = await importText(
      'overprovisioner',
      CODECENTRIC.replace('schedules: []', schedules.join('\n')),
    );
    expect(pools[0]?.windows.map(({ name }) => name)).not.toContain('noon');
    expect(out).toContain('#   schedules[1] {"name":"noon"');
  });

  test('refuses values of another chart', async () => {
    const { code, err } = await importText('overprovisioner', 'replicaCount: 3');
    expect(code).toBe(1);
    expect(err).toContain('not the values of the deliveryhero cluster-overprovisioner chart (deployments) or');
  });
});

describe('headstart import provisioner', () => {
  test('writes an alpha Provisioner and its template as a pool block', async () => {
    const { code, out, pools } = await importText('provisioner', PROVISIONER, '--region', 'ap-northeast-2');
    expect(code).toBe(0);
    expect(pools).toMatchObject([{ name: 'service', max: 10 }]);
    expect(pools[0]?.pool).toEqual({
      family: ['t3', 't3a'],
      size: ['medium', 'large'],
      zones: ['ap-northeast-2a', 'ap-northeast-2c'],
      capacityType: ['on-demand'],
      requirements: [
        { key: 'eks.amazonaws.com/nodegroup', operator: 'In', values: ['default', 'platform'] },
        { key: 'capacity-spread', operator: 'In', values: ['on-demand-1', 'on-demand-2'] },
      ],
      labels: { team: 'web' },
      weight: 10,
      limits: { cpu: 1000 },
      kubelet: { maxPods: 58 },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
      expireAfter: '604800s',
      subnets: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
      securityGroups: [{ id: 'sg-0a1b' }, { id: 'sg-0c2d' }],
      ami: 'al2@latest',
      instanceProfile: 'KarpenterNodes',
      tags: { team: 'web' },
      blockDeviceMappings: [
        { deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi', volumeType: 'gp3', encrypted: true } },
      ],
      metadataOptions: { httpPutResponseHopLimit: 2 },
    });
    expect(out).toContain('#   spec.kubeletConfiguration.containerRuntime "containerd"');
    expect(out).toContain('#   spec.launchTemplate "old-template": Karpenter v1 has no launch templates');
  });

  test('writes out what alpha defaults meant', async () => {
    const bare =
      'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: default}\nspec: {providerRef: {name: gone}}';
    const { out, pools } = await importText('provisioner', bare);
    expect(pools[0]?.pool).toEqual({
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
      expireAfter: 'Never',
      role: 'KarpenterNodeRole-my-cluster',
    });
    expect(out).toContain('#   spec.providerRef {"name":"gone"}: is not in these files; pass its file too');
  });

  test('writes a beta NodePool and its class as a pool block, with "anything" written out', async () => {
    const { code, pools } = await importText('provisioner', BETA);
    expect(code).toBe(0);
    expect(pools[0]?.pool).toEqual({
      capacityType: ['spot'],
      generation: '> 4',
      arch: ['amd64', 'arm64'],
      requirements: [{ key: 'karpenter.k8s.aws/instance-category', operator: 'Exists' }],
      labels: { purpose: 'cicd' },
      taints: [{ key: 'dedicated', value: 'cicd', effect: 'NoSchedule' }],
      kubelet: { maxPods: 30 },
      limits: { cpu: '100' },
      expireAfter: '720h',
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
      subnets: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
      securityGroups: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
      ami: 'al2023@latest',
      role: 'KarpenterNodeRole-shop',
      metadataOptions: { httpPutResponseHopLimit: 2 },
    });
  });

  test('lists what the config refuses instead of writing it', async () => {
    const { code, out, pools } = await importText('provisioner', PROVISIONER.replace('weight: 10', 'weight: 1000'));
    expect(code).toBe(0);
    expect(pools[0]?.pool?.weight).toBeUndefined();
    expect(out).toContain('nodePools.service: pool.weight 1000: ');
  });
});

describe('headstart import', () => {
  test('writes a file, does not replace one by accident, and says what is next', async () => {
    const folder = folderWith({ 'input.yaml': KEDA_SAMPLE });
    const [input, out] = [join(folder, 'input.yaml'), join(folder, 'headroom.yaml')];
    const first = await runCli(['import', 'keda', input, '--out', out, '--cluster', 'shop', '--region', 'eu-west-1']);
    expect(first.out).toMatch(
      /wrote .*headroom.yaml: 1 NodePool, \d+ settings not carried over \(see the comments\); next: run headstart plan -c/,
    );
    expect(readFileSync(out, 'utf8')).toContain('name: shop');
    const again = await runCli(['import', 'keda', input, '--out', out]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already exists; add --force') });
    expect((await runCli(['import', 'keda', input, '--out', out, '--force'])).code).toBe(0);
    expect(existsSync(out)).toBe(true);
  });

  test.each([
    { name: 'a file that is not there', text: undefined, says: 'does not exist; pass a YAML file' },
    {
      name: 'a template',
      text: 'a: {{ .Values.x }}\n b: {{ y }}',
      says: 'is a Helm template; run helm template and import the output',
    },
    { name: 'broken YAML', text: 'a: [', says: 'is not YAML' },
    {
      name: 'nothing to carry over',
      text: 'kind: Service\nmetadata: {name: web}',
      says: 'Service web in input.yaml: is neither a ScaledObject nor the target of one',
    },
  ])('refuses $name', async ({ text, says }) => {
    const folder = folderWith(text === undefined ? {} : { 'input.yaml': text });
    const { code, out, err } = await runCli(['import', 'keda', join(folder, 'input.yaml')]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(says);
  });
});
