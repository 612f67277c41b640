import { golden } from '../../golden/golden';
import { fakeTerminal, runCli } from '../run-cli';
import { inFolder, session } from '../session';
import { nodePool, SmallCluster } from '../small-cluster';

const LUNCH = 'schedules: [{name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: 6}]';
const FLOOR = `max: 8, unit: {floor: {cpu: 4, memory: 16Gi}}, ${LUNCH}`;
const POOL = 'pool: {family: [m5], role: nodes}';
const config = (pools: string, region = 'ap-northeast-2') =>
  `cluster: {name: shop, region: ${region}}\nnodePools: {${pools}}`;

const CONFIGS = {
  'unknown NodePool': config(`default: {${FLOOR}}`),
  'pool block': config(`default: {${FLOOR}, ${POOL}}`),
  spot: config(`default: {${FLOOR}, pool: {family: [m5], role: nodes, capacityType: [spot]}}`),
  price: config(`default: {${FLOOR}, ${POOL}, price: 0.1}`),
  slices: config(`default: {max: 8, unit: {slice: {cpu: 1}}, pool: {family: [c6i], role: nodes}, ${LUNCH}}`),
  'nothing fits': config(`default: {max: 8, unit: {node: {cpu: 896}}, ${LUNCH}}`),
  China: config(`default: {${FLOOR}, ${POOL}}`, 'cn-northwest-1'),
  'two NodePools': config(`one: {${FLOOR}, ${POOL}}, two: {${FLOOR}}`),
};
const folder = inFolder({
  ...CONFIGS,
  'more nodes': config(`default: {${FLOOR.replace('desiredReplicas: 6', 'desiredReplicas: 8')}, ${POOL}}`),
});
const said = golden(`${__dirname}/prices.txt`);

/** The commands, and of what they print what it costs. */
async function costs(lines: readonly string[]): Promise<string> {
  const texts = await session(lines, () => fakeTerminal({ width: 200 }));
  return texts
    .split('\n')
    .filter((line) => /^\$|node-hours|slice-hours|^cost/.test(line))
    .join('\n');
}

test('a plan says what it costs, of which list, and how sure that is', async () => {
  said(await costs(Object.keys(CONFIGS).map((name) => `plan "${name}"`)));
});

test('a comparison says what an edit costs', async () => {
  said(await costs(['plan "more nodes" --compare "pool block"']));
});

test('with a kubeconfig, the NodePool of the cluster decides, and one that cannot be reached is an error', async () => {
  const cluster = await SmallCluster.start([], folder);
  const made = nodePool('default');
  const { spec } = made.spec.template;
  const family = { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['r5', 'm6i'] };
  const requirements = [...spec.requirements, family];
  const pool = { ...made, spec: { ...made.spec, template: { spec: { ...spec, requirements } } } };
  cluster.apply(pool);
  said(await costs(['plan "unknown NodePool" --kubeconfig kubeconfig']));
  await cluster.close();
  const gone = await runCli(['plan', 'unknown NodePool', '--kubeconfig', 'kubeconfig']);
  expect(gone).toMatchObject({ code: 2, out: '' });
});
