import { join } from 'node:path';
import { fakeTerminal, folderWith, runCli } from '../run-cli';
import { nodePool, SmallCluster } from '../small-cluster';

// Generous: the machine may be busy.
jest.setTimeout(60_000);

const LUNCH = 'schedules: [{name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: 6}]';
const FLOOR = `max: 8, unit: {floor: {cpu: 4, memory: 16Gi}}, ${LUNCH}`;
const NOTE = 'cost: us-east-1 list price, 2026-07-06';
const WHY = 'a range over the usual instance families where the NodePool is not known: --kubeconfig reads it';

function configWith(pools: string, region = 'ap-northeast-2'): string {
  const text = `cluster: {name: shop, region: ${region}}\nnodePools: {${pools}}`;
  return join(folderWith({ 'headroom.yaml': text }), 'headroom.yaml');
}

/** The last lines of the plan: what it costs. */
async function costLines(config: string, ...more: readonly string[]): Promise<readonly string[]> {
  const { out } = await runCli(['plan', '-c', config, ...more], fakeTerminal({ width: 200 }));
  return out.split('\n').filter((line) => /node-hours|slice-hours|^cost/.test(line));
}

const POOL = 'pool: {family: [m5], role: nodes}';

describe('what the plan costs', () => {
  test.each([
    [
      'a NodePool that nobody knows',
      `default: {${FLOOR}}`,
      'at most 12 node-hours, $1.61–5.17; holding the peak of 6 all the time: 144 node-hours, $19–62',
      `${NOTE}; ${WHY}`,
    ],
    [
      'a pool block',
      `default: {${FLOOR}, ${POOL}}`,
      'at most 12 node-hours, $2.30 (m5.xlarge); holding the peak of 6 all the time: 144 node-hours, $27.65',
      NOTE,
    ],
    [
      'spot',
      `default: {${FLOOR}, pool: {family: [m5], role: nodes, capacityType: [spot]}}`,
      'at most 12 node-hours, at most $2.30 (m5.xlarge); holding the peak of 6 all the time: 144 node-hours, at most $27.65',
      NOTE,
    ],
    [
      'a price',
      `default: {${FLOOR}, ${POOL}, price: 0.1}`,
      'at most 12 node-hours, $1.20; holding the peak of 6 all the time: 144 node-hours, $14.40',
      undefined,
    ],
    [
      'slices',
      `default: {max: 8, unit: {slice: {cpu: 1}}, pool: {family: [c6a], role: nodes}, ${LUNCH}}`,
      '12 slice-hours, $0.61, peak 6 (set minNode to count nodes)',
      NOTE,
    ],
    [
      'nothing of the list fits',
      `default: {max: 8, unit: {node: {cpu: 5000}}, ${LUNCH}}`,
      'at most 12 node-hours; holding the peak of 6 all the time: 144 node-hours',
      undefined,
    ],
  ])('%s', async (_, pools, usage, note) => {
    expect(await costLines(configWith(pools))).toEqual([`  ${usage}`, ...(note === undefined ? [] : [note])]);
  });

  test('China pays in yuan', async () => {
    expect(await costLines(configWith(`default: {${FLOOR}, ${POOL}}`, 'cn-northwest-1'))).toEqual([
      '  at most 12 node-hours, ¥24.31 (m5.xlarge); holding the peak of 6 all the time: 144 node-hours, ¥291.74',
      'cost: cn-north-1 list price, 2024-11-06',
    ]);
  });

  test('the list is named once, and the sum adds up', async () => {
    const config = configWith(`one: {${FLOOR}, ${POOL}}, two: {${FLOOR}}`);
    expect((await costLines(config)).slice(2)).toEqual([
      'all NodePools: 24 node-hours, $3.92–7.48 in 24 h',
      `${NOTE}; ${WHY}`,
    ]);
  });

  test('with a kubeconfig, the NodePool of the cluster decides, and another cluster is named', async () => {
    const cluster = await SmallCluster.start([]);
    const made = nodePool('default');
    const { spec } = made.spec.template;
    const requirements = [
      ...spec.requirements,
      { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['r5', 'm6i'] },
    ];
    const pool = { ...made, spec: { ...made.spec, template: { spec: { ...spec, requirements } } } };
    cluster.apply(pool);
    const config = configWith(`default: {${FLOOR}}`);
    expect((await costLines(config, '--kubeconfig', cluster.kubeconfig))[0]).toContain('$2.30 (m6i.xlarge)');
    await cluster.close();
    const gone = await runCli(['plan', '-c', config, '--kubeconfig', cluster.kubeconfig]);
    expect([gone.code, gone.out]).toEqual([expect.any(Number), '']);
    expect(gone.code).not.toBe(0);
  });

  test('a comparison says what an edit costs', async () => {
    const before = configWith(`default: {${FLOOR}, ${POOL}}`);
    const after = configWith(`default: {${FLOOR.replace('desiredReplicas: 6', 'desiredReplicas: 8')}, ${POOL}}`);
    expect(await costLines(after, '--compare', before)).toEqual([
      '  12 → 16 node-hours (+4), $2.30 → $3.07 (+$0.77)',
      NOTE,
    ]);
  });
});
