import { golden } from '../../golden/golden';
import { inFolder, typed } from '../session';
import { nodePool, SmallCluster } from '../small-cluster';

const folder = inFolder({
  'headroom.yaml': `
cluster: { name: shop, region: eu-west-1 }
nodePools:
  checkout:
    nodePool: web
    max: 60
    unit: { like: shop/checkout }
    base: 20%
    schedules:
      - { name: lunch, timezone: Europe/Dublin, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, desiredReplicas: 50% }
`,
});
const said = golden(`${__dirname}/shares.txt`);
const PLAN = 'plan --from 2026-11-23 --to 24h';

const container = { name: 'app', image: 'shop/checkout:1', resources: { requests: { cpu: '500m', memory: '1Gi' } } };
const workload = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'checkout', namespace: 'shop' },
  spec: {
    replicas: 40,
    selector: { matchLabels: { app: 'checkout' } },
    template: { metadata: { labels: { app: 'checkout' } }, spec: { containers: [container] } },
  },
};

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start([], folder);
  cluster.apply(nodePool('web'));
});
afterEach(() => cluster.close());

test('without a cluster a plan says shares in words, and gives no figure for them', async () => {
  said(await typed(PLAN));
});

test('with a kubeconfig a plan shows the pods, nodes and dollars that the shares are today', async () => {
  cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } as never);
  cluster.apply(workload as never);
  said(await typed(`${PLAN} --kubeconfig kubeconfig`));
});

test('a workload that is not there is named, and its shares stay words', async () => {
  said(await typed(`${PLAN} --kubeconfig kubeconfig`));
});
