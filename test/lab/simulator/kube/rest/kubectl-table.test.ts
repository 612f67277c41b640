import { EVENTS, type Kind, NODE_CLAIMS, NODES, PODS, PRIORITY_CLASSES } from '../../../../../lab/simulator/kube/kinds';
import { cellOf, columnsOf } from '../../../../../lab/simulator/kube/rest/kubectl-table';

const AT = '2026-11-17T08:00:00Z';
const NOW = Date.parse('2026-11-17T08:03:20Z');

test.each<{ kind: Kind; object: object; cells: unknown[] }>([
  {
    kind: PODS,
    object: {
      spec: { containers: [{}, {}], nodeName: 'a' },
      status: { phase: 'Running', podIP: '10.0.0.1', containerStatuses: [{ ready: true, restartCount: 2 }] },
    },
    cells: ['x', '1/2', 'Running', 2, '3m20s', '10.0.0.1', 'a', '<none>'],
  },
  {
    kind: PODS,
    object: { spec: { containers: [{}], nodeName: 'a' }, status: { phase: 'Pending' } },
    cells: ['x', '0/1', 'ContainerCreating', 0, '3m20s', '<none>', 'a', '<none>'],
  },
  {
    kind: NODES,
    object: {
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        nodeInfo: { kubeletVersion: 'v1', osImage: 'Linux' },
        addresses: [
          { type: 'Hostname', address: 'a' },
          { type: 'InternalIP', address: '10.0.0.1' },
        ],
      },
    },
    cells: ['x', 'Ready,SchedulingDisabled', '3m20s', 'v1', '10.0.0.1', 'Linux', '<none>', '<none>'],
  },
  { kind: PRIORITY_CLASSES, object: { value: -10 }, cells: ['x', -10, 'false', '3m20s', '<none>'] },
  {
    kind: NODE_CLAIMS,
    object: {
      metadata: {
        name: 'x',
        creationTimestamp: AT,
        labels: { 'node.kubernetes.io/instance-type': 'm6i.large', 'topology.kubernetes.io/zone': 'us-east-1a' },
      },
      status: { providerID: 'aws:///us-east-1a/i-1', conditions: [{ type: 'Ready', status: 'Unknown' }] },
    },
    cells: ['x', 'm6i.large', null, 'us-east-1a', null, 'Unknown', '3m20s', null, 'aws:///us-east-1a/i-1', null, null],
  },
  {
    kind: EVENTS,
    object: { lastTimestamp: AT, type: 'Normal', reason: 'Up', involvedObject: { kind: 'Pod', name: 'a' }, count: 3 },
    cells: ['3m20s', 'Normal', 'Up', 'pod/a', '<none>', '<none>', 3, 'x'],
  },
])('kubectl get shows a $kind.kind', ({ kind, object, cells }) => {
  const metadata = { name: 'x', creationTimestamp: AT, uid: '', resourceVersion: '' };
  const shown = { apiVersion: '', kind: kind.kind, metadata, ...object };
  expect(columnsOf(kind).map((column) => cellOf(kind, column, shown, NOW))).toEqual(cells);
});
