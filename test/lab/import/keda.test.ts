import { join } from 'node:path';
import { folderWith, runCli } from '../../cli/run-cli';
import { importText } from './import-text';
import { INFLATE, KEDA_SAMPLE, KEDA_TARGET } from './samples';

jest.setTimeout(60_000);

const ON_WEB = '{key: karpenter.sh/nodepool, operator: In, values: [web]}';
const PASS_FILLER =
  'the PriorityClass filler is not among the files; pass the output of `kubectl get priorityclasses filler -o yaml` too';

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

  test('takes a target that is not given for a workload, and never makes a base of its minReplicaCount', async () => {
    const { code, out, pools } = await importText(
      'keda',
      KEDA_SAMPLE.replace('minReplicaCount: 2', 'minReplicaCount: 9'),
    );
    expect(code).toBe(0);
    // One and three pods above the nine that always run; three pods of 1 cpu fit on a node.
    expect(pools).toMatchObject([
      {
        name: 'default',
        base: 0,
        max: 11,
        unit: { kind: 'floor' },
        windows: [
          { name: 'office-hours-1', startText: '0 6 * * *', endText: '0 20 * * *', replicas: 1, relative: true },
          { name: 'half-past', startText: '30 * * * *', endText: '45 * * * *', replicas: 1, relative: true },
        ],
      },
    ]);
    expect(out).toContain('the target Deployment web was not given, and is taken for a workload; pass its file too');
    expect(out).toContain('#   spec.minReplicaCount 9: these pods run anyway');
  });

  test('takes a target that is not given for pause pods where its name says so', async () => {
    const { out, pools } = await importText('keda', KEDA_SAMPLE.replace('name: web', 'name: inflate'));
    expect(pools).toMatchObject([
      { base: 2, max: 40, unit: { kind: 'slice' }, windows: [{ replicas: 10 }, { replicas: 12 }] },
    ]);
    expect(out).toContain('the target Deployment inflate was not given, and its name suggests pause pods');
  });

  test('holds what KEDA runs while no trigger is active, and the minimum only while one is', async () => {
    const idle = INFLATE.replace('minReplicaCount: 1', 'minReplicaCount: 7\n  idleReplicaCount: 0');
    const { out, pools } = await importText('keda', idle);
    expect(pools).toMatchObject([{ base: 0, windows: [{ replicas: 7 }] }]);
    expect(out).toContain('KEDA raised desiredReplicas 5 of inflate to minReplicaCount 7');
  });

  test.each([
    {
      name: 'two ends follow each other',
      change: ['end: 0 20 * * *', 'end: "0 20,22 * * *"'],
      says: 'office-hours-1: where two ends follow each other, KEDA stays open between them',
    },
    {
      name: 'two starts follow each other',
      change: ['start: 0 6 * * *', 'start: "0 6,7 * * *"'],
      says: 'office-hours-1: where two starts follow each other, KEDA is closed between them',
    },
    {
      name: 'a day is 7',
      change: ['start: 0 6 * * *, end: 0 20 * * *', 'start: 0 6 * * 7, end: 0 20 * * 7'],
      says: 'office-hours-1: KEDA refuses day-of-week 7; here it is Sunday',
    },
    {
      name: 'the object is paused',
      change: ['namespace: shop', 'namespace: shop\n  annotations: {autoscaling.keda.sh/paused: "true"}'],
      says: 'KEDA was paused by it; here the windows open',
    },
    {
      name: 'a formula combines the triggers',
      change: ['advanced: {', 'advanced: {scalingModifiers: {formula: a + b}, '],
      says: 'its formula combined the triggers; here the highest open window counts',
    },
  ])('says that it differs from KEDA where $name', async ({ change: [from = '', to = ''], says }) => {
    const { code, out } = await importText('keda', KEDA_SAMPLE.replace(from, to));
    expect(code).toBe(0);
    expect(out).toContain(says);
  });

  test('says nothing of a difference where starts and ends take turns', async () => {
    const { out } = await importText('keda', KEDA_SAMPLE);
    expect(out).not.toContain('follow each other');
  });

  test('makes a floor of an inflate Deployment that pins a NodePool by the clock', async () => {
    const pinned = INFLATE.replace('{key: team, operator: In, values: [team1]}', ON_WEB);
    const { pools } = await importText('keda', pinned);
    expect(pools).toMatchObject([
      { name: 'web', base: 1, unit: { kind: 'floor' }, minNode: { cpu: 2 }, windows: [{ replicas: 5 }] },
    ]);
    expect(pools[0]?.windows[0]).not.toHaveProperty('relative');
  });

  test.each([
    { name: 'is room where its class is not among the files', className: 'filler', kind: 'node', says: PASS_FILLER },
    {
      name: 'is room where its class is negative',
      className: 'filler',
      more: '---\nkind: PriorityClass\nmetadata: {name: filler}\nvalue: -10\n',
      kind: 'node',
      says: 'Headstart has its own PriorityClass, with value -10',
    },
    {
      name: 'is a floor where its class is above that of work',
      className: 'filler',
      more: '---\nkind: PriorityClass\nmetadata: {name: filler}\nvalue: 10\n',
      kind: 'floor',
      says: 'nothing preempts them',
    },
    {
      name: 'is a floor where every cluster has its class',
      className: 'system-node-critical',
      kind: 'floor',
      says: 'nothing preempts them',
    },
    { name: 'is a floor where it has no class', kind: 'floor', says: 'nothing preempts them' },
  ])('an inflate Deployment that pins a NodePool $name', async ({ className, more = '', kind, says }) => {
    const pinned = INFLATE.replace('{key: team, operator: In, values: [team1]}', ON_WEB).replace(
      '      containers:',
      `${className === undefined ? '' : `      priorityClassName: ${className}\n`}      containers:`,
    );
    const { out, pools } = await importText('keda', pinned + more);
    expect(pools).toMatchObject([{ name: 'web', unit: { kind } }]);
    expect(out).toContain(says);
  });

  test('counts sidecars and the largest init container as the scheduler does', async () => {
    const inits = `      initContainers:
        - {name: proxy, image: proxy:1, restartPolicy: Always, resources: {requests: {cpu: 1}}}
        - {name: load, image: load:1, resources: {requests: {memory: 9Gi}}}
      containers:`;
    const { pools } = await importText('keda', `${KEDA_SAMPLE}---${KEDA_TARGET.replace('      containers:', inits)}`);
    // 1.75 cpus and 9Gi each: one to a node of 16Gi.
    expect(pools).toMatchObject([{ windows: [{ replicas: 8 }, { replicas: 10 }] }]);
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
        '    spec:\n',
        '    metadata: {labels: {app: web}}\n    spec:\n      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}\n',
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
    {
      name: 'pods of a class that is not among the files are taken for room',
      target: KEDA_TARGET.replace('    spec:\n', '    spec:\n      priorityClassName: filler\n'),
      is: { unit: { kind: 'slice' }, base: 2, windows: [{ replicas: 10 }, { replicas: 12 }] },
    },
    {
      name: 'pods of a class above 0 are a workload, whatever the class is called',
      target: `${KEDA_TARGET.replace('    spec:\n', '    spec:\n      priorityClassName: low-latency\n')}---\nkind: PriorityClass\nmetadata: {name: low-latency}\nvalue: 1000\n`,
      is: { unit: { kind: 'floor' }, base: 0 },
    },
    {
      name: 'pods of a class that every cluster has are a workload',
      target: KEDA_TARGET.replace('    spec:\n', '    spec:\n      priorityClassName: system-cluster-critical\n'),
      is: { unit: { kind: 'floor' }, base: 0 },
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
    const { out, pools } = await importText('keda', INFLATE);
    expect(out).toContain('those pods had no lower priority than work');
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
    const inflated = KEDA_SAMPLE.replace('"12"', '"0"').replace('name: web', 'name: inflate');
    const { out } = await importText('keda', inflated);
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
      name: 'no zone',
      change: ['timezone: Asia/Kolkata, start: 0 6', 'start: 0 6'],
      says: 'timezone is missing; write the window by hand',
    },
    {
      name: 'no replicas',
      change: ['desiredReplicas: "10"', 'desiredReplicas: "0"'],
      says: 'asks for 0 pods, and KEDA refuses that; outside of the windows there is no headroom anyway',
    },
    {
      name: 'replicas that are none',
      change: ['desiredReplicas: "10"', 'desiredReplicas: some'],
      says: 'desiredReplicas "some" is not a whole number',
    },
  ])('lists a trigger with $name', async ({ change: [from = '', to = ''], says }) => {
    const { code, out, pools } = await importText('keda', KEDA_SAMPLE.replace(from, to));
    expect(code).toBe(0);
    expect(pools[0]?.windows).toHaveLength(1);
    expect(out).toContain(says);
  });

  test('cuts a window at maxReplicaCount as KEDA does, and says so', async () => {
    const cut = KEDA_SAMPLE.replace('maxReplicaCount: 40', 'maxReplicaCount: 8').replace('name: web', 'name: inflate');
    const { out, pools } = await importText('keda', cut);
    expect(pools[0]).toMatchObject({ max: 8, windows: [{ replicas: 8 }, { replicas: 8 }] });
    expect(out).toContain('KEDA cut desiredReplicas 12 of half-past to maxReplicaCount 8');
  });
});
