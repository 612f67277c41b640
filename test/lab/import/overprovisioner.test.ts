import { importText } from './import-text';
import { CODECENTRIC, DELIVERYHERO } from './samples';

jest.setTimeout(60_000);

const indented = (text: string, by: number) => text.replace(/^/gm, ' '.repeat(by));

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
    expect(out).toContain('the highest step of a ladder: 1 from 0 nodes, 2 from 5 nodes, 0 from 10 nodes');
    expect(out).toContain('op.image.repository "k8s.gcr.io/pause": the registry k8s.gcr.io is frozen');
  });

  test('keeps the names of the deployments, and binds each to its NodePool', async () => {
    const two = `deployments:
  - {name: web-buffer, replicaCount: 1, resources: {requests: {cpu: 1}}}
  - {name: gpu-buffer, replicaCount: 2, resources: {requests: {cpu: 1}}, nodeSelector: {karpenter.sh/nodepool: gpu}}`;
    const { pools } = await importText('overprovisioner', two, '--nodepool', 'web');
    expect(pools.map(({ name, base, nodeSelector }) => [name, base, nodeSelector])).toEqual([
      ['web-buffer', 1, { 'karpenter.sh/nodepool': 'web' }],
      ['gpu-buffer', 2, { 'karpenter.sh/nodepool': 'gpu' }],
    ]);
  });

  test.each([
    {
      name: 'under the name of the chart',
      wrap: (values: string) => `cluster-overprovisioner:\n${indented(values, 2)}`,
    },
    {
      name: 'in a HelmRelease',
      wrap: (values: string) => `kind: HelmRelease\nmetadata: {name: op}\nspec:\n  values:\n${indented(values, 4)}`,
    },
    {
      name: 'in an Application',
      wrap: (values: string) =>
        `kind: Application\nmetadata: {name: op}\nspec: {source: {helm: {values: ${JSON.stringify(values)}}}}`,
    },
  ])('finds values $name', async ({ wrap }) => {
    const { pools } = await importText('overprovisioner', wrap(DELIVERYHERO.trim()));
    expect(pools).toMatchObject([{ name: 'default', base: 3, unit: { kind: 'slice', requests: { cpu: '1' } } }]);
  });

  test('imports what the chart has by default where the values have no deployments', async () => {
    const { out, pools } = await importText('overprovisioner', 'priorityClassOverprovision: {value: -5}');
    expect(pools).toMatchObject([{ name: 'default', base: 3, unit: { requests: { cpu: '1', memory: '1000Mi' } } }]);
    expect(out).toContain('The values have no deployments: this is the one that the chart has by default.');
  });

  test('imports nothing where the pause pods are switched off', async () => {
    const { code, err } = await importText('overprovisioner', CODECENTRIC.replace('enabled: true', 'enabled: false'));
    expect(code).toBe(1);
    expect(err).toContain('op: is not enabled, so the release has no pause pods');
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

  test('says where a size of 0 comes from, although nothing is written for it', async () => {
    const schedules = `schedules:
  - {name: night, cronTimeExpression: 0 18 * * *, config: {ladder: {nodesToReplicas: [[0, 0]]}}}
  - {name: day, cronTimeExpression: 0 8 * * *, config: {ladder: {nodesToReplicas: [[0, 4]]}}}`;
    const { out, pools } = await importText('overprovisioner', CODECENTRIC.replace('schedules: []', schedules));
    expect(pools).toMatchObject([{ base: 0, windows: [{ name: 'day', replicas: 4 }] }]);
    expect(out).toContain('# base: night: the highest step of a ladder: 0 from 0 nodes');
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
