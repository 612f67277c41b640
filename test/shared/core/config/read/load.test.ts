import { CLUSTER, load, pool, problemsIn } from '../config-text';

describe('loadConfig', () => {
  test('fills in every default', () => {
    const { config } = load(pool('max: 2'));
    expect(config).toEqual({
      cluster: { name: 'demo', region: 'ap-northeast-2', namespace: 'headroom', access: 'entry' },
      heartbeatSeconds: 60,
      nodePools: [
        {
          name: 'web',
          unit: { kind: 'node', requests: { cpu: '1' } },
          base: 0,
          max: 2,
          leadMinutes: 0,
          image: 'registry.k8s.io/pause:3.10',
          nodeAffinity: [],
          nodeSelector: { 'karpenter.sh/nodepool': 'web' },
          spreadZones: false,
          warmImages: [],
          windows: [],
          alarms: [],
        },
      ],
    });
  });

  test('takes desiredReplicas as text, as KEDA has it', () => {
    const { config } = load(
      pool('max: 9', 'schedules: [{timezone: Asia/Seoul, start: 03 * * * *, end: 10 * * * *, desiredReplicas: "5"}]'),
    );
    expect(config.nodePools[0]?.windows[0]).toMatchObject({ name: 'window-1', replicas: 5 });
  });

  test('what a NodePool does not set comes from defaults, windows by name', () => {
    const { config } = load(
      [
        CLUSTER,
        'defaults:',
        '  max: 5',
        '  unit: {node: {cpu: 2}}',
        '  schedules: [{name: lunch, timezone: UTC, start: 0 11 * * *, end: 0 13 * * *, desiredReplicas: 2}]',
        'nodePools:',
        '  web: {schedules: [{name: lunch, desiredReplicas: 4}]}',
        '  batch: {unit: {slice: {memory: 1Gi}}}',
        '  plain:',
      ].join('\n'),
    );
    const [web, batch, plain] = config.nodePools;
    expect(web).toMatchObject({ max: 5, unit: { kind: 'node', requests: { cpu: '2' } } });
    expect(web?.windows).toMatchObject([{ name: 'lunch', timezone: 'UTC', replicas: 4 }]);
    expect(batch?.unit).toEqual({ kind: 'slice', requests: { memory: '1Gi' } });
    expect(plain?.windows).toMatchObject([{ replicas: 2 }]);
  });

  test('takes the resources, operators and tolerations that Kubernetes takes', () => {
    const lines = [
      'max: 2',
      'unit: {node: {cpu: 1, memory: 1Gi, ephemeral-storage: 1Gi, hugepages-2Mi: 4Mi, nvidia.com/gpu: 1}}',
      'nodeAffinity: [{key: a, operator: Exists}, {key: b, operator: Gt, values: [4]}, {key: c, operator: NotIn, values: [x]}]',
      'tolerations: [{operator: Exists}, {key: dedicated, value: ci}]',
      'interruptions: {max: 500}',
    ];
    expect(problemsIn(pool(...lines))).toEqual([]);
  });

  test('anchors and merge keys work', () => {
    const { config } = load(`${CLUSTER}nodePools:\n  a: &a {max: 3, base: 1}\n  b: {<<: *a, base: 2}\n`);
    expect(config.nodePools.map(({ max, base }) => [max, base])).toEqual([
      [3, 1],
      [3, 2],
    ]);
  });

  test('resolved configs survive JSON, as the functions read them', () => {
    const { config } = load(
      pool('max: 9', 'schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 5}]'),
    );
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
  });
});
