import { runtimeConfig } from '../../../../../shared/core/config/config';
import { loadConfig } from '../../../../../shared/core/config/read/load';
import { golden } from '../../../../golden/golden';
import { CLUSTER, load, pool, problemsIn } from '../config-text';

const said = golden(`${__dirname}/resolved.txt`);

describe('loadConfig', () => {
  // What comes of them is in resolved.txt.
  test('fills in every default', () => {
    said(JSON.stringify(load(pool('max: 2')).config, null, 1));
  });

  test('turns all that may be written into what the functions read', () => {
    const metric = { namespace: 'n', name: 'm', dimensions: { d: 'v' }, statistic: 'p95', period: '5m' };
    const written = {
      cluster: {
        ...{ name: 'demo', region: 'eu-west-1', account: '123456789012', namespace: 'hr', access: 'manual' },
        liveSchedules: true,
        vpc: { subnetIds: ['subnet-1'], securityGroupIds: ['sg-1'], admitSecurityGroups: true },
      },
      heartbeat: '5m',
      calendars: { kr: ['2026-12-25', '2027-01-01'] },
      karpenter: { manage: false },
      stack: { dashboard: true },
      nodePools: {
        web: {
          ...{ unit: { floor: { cpu: '3500m', memory: '15.5Gi' } }, base: 1, max: 20, leadTime: '10m', image: 'i' },
          ...{ imagePullSecrets: ['s'], podLabels: { a: 'b' }, podAnnotations: { c: 'd' }, price: 0 },
          tolerations: [{ key: 'k', operator: 'Exists' }],
          nodeAffinity: [
            { key: 'x', operator: 'Exists' },
            { key: 'y', operator: 'In', values: ['z'] },
          ],
          ...{ zones: 'spread', warmImages: ['w'], interruptions: { surge: 2, max: 6, hold: '1h', on: ['spot'] } },
          schedules: [
            {
              name: 'a',
              timezone: 'asia/seoul',
              start: '0 9 * * *',
              end: '0 10 * * *',
              addNodes: '2',
              excludeDates: ['kr', '2026-12-31', '2026-12-25'],
            },
            { name: 'b', timezone: 'UTC', from: '2026-11-27 08:00', to: '2026-11-27T09:00', desiredReplicas: 3 },
          ],
          alarms: [
            { alarmName: 'x', name: 'y', add: 1, hold: '1h' },
            { alarmName: 'z', add: 2 },
            { name: 'made', metric: { ...metric, evaluationPeriods: 3 }, threshold: '<= -1.5', add: 3 },
            { name: 'plain', metric: { namespace: 'n', name: 'm' }, threshold: '> 1', add: 4 },
          ],
          events: [
            {
              name: 'e',
              pattern: { source: ['s'] },
              cancel: { source: ['t'] },
              from: '$.a',
              to: '$.b',
              key: '$.c',
              addNodes: 1,
              bus: 'shop',
            },
            { name: 'f', pattern: { source: ['s'] }, hold: '30m', desiredReplicas: 2 },
          ],
          pool: { role: 'r', spotTwin: true },
        },
        ci: {
          max: 3,
          unit: { slice: { cpu: 1 } },
          minNode: { cpu: 1 },
          nodeSelector: { a: 'b' },
          interruptions: {},
          leadTime: 'auto',
        },
        own: {
          max: 3,
          leadTime: 'auto',
          events: [{ name: 'g', pattern: { source: ['s'] }, hold: '30m', desiredReplicas: 2 }],
        },
      },
    };
    said(JSON.stringify(load(JSON.stringify(written)).config, null, 1));
  });

  test('hands the calendars to functions that read live schedules, and only to these', () => {
    const text = (more: string) =>
      `cluster: {name: a, region: eu-west-1${more}}\ncalendars: {kr: [2026-12-25]}\nnodePools: {a: {max: 1}}`;
    const calendarsOf = (more: string) => runtimeConfig(load(text(more)).config).calendars;
    expect([calendarsOf(', liveSchedules: true'), calendarsOf('')]).toEqual([{ kr: ['2026-12-25'] }, undefined]);
  });

  test('says which lists of dates are all past, if it is told the time', () => {
    const window = (dates: string) =>
      `{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 1, excludeDates: [${dates}]}`;
    const windows = ['2026-11-16, kr', 'kr', '2026-11-01, 2026-11-17'].map(window).join(', ');
    const text = `calendars: {kr: [2026-11-01], jp: [2026-12-25], none: []}\n${pool('max: 2', 'unit: {slice: {cpu: 1}}', `schedules: [${windows}]`)}`;
    const said = (time?: number) => {
      const loaded = loadConfig([{ file: 'h.yaml', text }], time);
      return loaded.ok && loaded.warnings.map(({ path, message }) => `${path} ${message}`);
    };
    expect([said(), said(Date.parse('2026-10-31T00:00Z'))]).toEqual([[], []]);
    expect(said(Date.parse('2026-11-19T00:00Z'))).toEqual([
      'calendars.kr are all past, the last on 2026-11-01; write the next ones, or leave them out',
      'nodePools.web.schedules[0].excludeDates are all past, the last on 2026-11-16; write the next ones, or leave them out',
      'nodePools.web.schedules[2].excludeDates are all past, the last on 2026-11-17; write the next ones, or leave them out',
    ]);
  });

  test('reads plain subnets, and refuses to read nothing', () => {
    const vpc = 'cluster: {name: a, region: eu-west-1, vpc: {subnetIds: [subnet-1]}}\nnodePools: {a: {max: 1}}';
    expect(load(vpc).config.cluster.vpc).toStrictEqual({ subnetIds: ['subnet-1'], securityGroupIds: [] });
    expect(() => loadConfig([])).toThrow('loadConfig needs at least one file');
    const empty = load(pool('max: 2'), '');
    expect([empty.config.headrooms[0]?.max, empty.warnings]).toEqual([2, []]);
  });

  test('takes desiredReplicas as text, as KEDA has it', () => {
    const { config } = load(
      pool('max: 9', 'schedules: [{timezone: Asia/Seoul, start: 03 * * * *, end: 10 * * * *, desiredReplicas: "5"}]'),
    );
    expect(config.headrooms[0]?.windows[0]).toMatchObject({ name: 'window-1', replicas: 5 });
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
    const [web, batch, plain] = config.headrooms;
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
    expect(config.headrooms.map(({ max, base }) => [max, base])).toEqual([
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
