import { join } from 'node:path';
import { parse } from 'yaml';
import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { headroomName } from '../../../shared/core/basics/names';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { folderWith, runCli } from '../../cli/run-cli';
import { SmallCluster } from '../../cli/small-cluster';
import { suggested, traceOf } from './learn-from';

const CONFIG = `cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}
nodePools:
  default:
    max: 40
    leadTime: auto
    unit: { node: { cpu: 2, memory: 4Gi } }
    schedules: [{ name: old, timezone: UTC, start: 0 2 * * *, end: 0 3 * * *, desiredReplicas: 2 }]
`;
const TRACE = traceOf((minute) => (minute >= 540 && minute < 660 ? 25 : 5), { every: 1 });

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default']);
  const folder = folderWith({ 'headroom.yaml': CONFIG, 'order.json': '{"headroom":"default","release":true}' });
  const files = [join(folder, 'order.json'), '-c', join(folder, 'headroom.yaml')];
  await runCli(['handle', ...files, '--stack', 'shop', '--kubeconfig', cluster.kubeconfig]);
});
afterEach(() => cluster.close());

/** Measured nodes in the record, which took so many seconds each. */
function addStarted(count: number, seconds: number): void {
  const deployment = cluster.api.get(DEPLOYMENTS, 'headroom', headroomName('default'));
  const record = JSON.parse(deployment.metadata.annotations?.[ANNOTATIONS.record] ?? '{"v":1}');
  const starts = Array.from({ length: count }, (_, index) => [`2026-11-16T03:00:00Z/${index}`, seconds]);
  const annotations = {
    [ANNOTATIONS.record]: JSON.stringify({ ...record, nodeStarts: Object.fromEntries(starts) }),
  };
  cluster.api.patch(DEPLOYMENTS, deployment, { kind: 'merge', body: { metadata: { annotations } } as never }, {});
}

async function learned(...words: readonly string[]) {
  const { err, out, written } = await suggested(CONFIG, TRACE, '--write', '--json', ...words);
  const { leadMinutes } = JSON.parse(out).nodePools.default;
  return { leadMinutes, err, ...parse(written).nodePools.default };
}

test.each([
  { took: 380, lead: 8 },
  { took: 150, lead: 4 },
])('with leadTime: auto, windows are learned for nodes that took $took s, and are as round as others', async (one) => {
  addStarted(6, one.took);
  const { leadMinutes, schedules, err, leadTime } = await learned('--kubeconfig', cluster.kubeconfig);
  expect({ leadMinutes, leadTime }).toEqual({ leadMinutes: one.lead, leadTime: 'auto' });
  expect(schedules).toEqual([expect.objectContaining({ start: '0 9 * * *', desiredReplicas: 20 })]);
  expect(schedules[0].end).toMatch(/^(0|15|30|45) 9 /);
  expect(err).toContain(
    `95 % of 6 nodes took up to ${one.lead - 1} min, so windows of up to 40 nodes are learned for ${one.lead} min`,
  );
});

test('with too few measured nodes, or no way to the cluster, the start value is used and said', async () => {
  addStarted(2, 380);
  const [few, none] = [await learned('--kubeconfig', cluster.kubeconfig), await learned()];
  expect([few.leadMinutes, none.leadMinutes]).toEqual([6, 6]);
  expect(few.err).toContain('too few nodes were measured (2), so windows are learned for its start value, 6 min');
  expect(none.err).toContain(
    'default: leadTime is auto; windows are learned for its start value, 6 min; add --kubeconfig FILE or --function NAME',
  );
});
