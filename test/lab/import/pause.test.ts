import { importText } from './import-text';
import { HEADROOM } from './samples';

jest.setTimeout(60_000);

const CLASS = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: spare}\nvalue: -50\n---\n';

/** A pause Deployment with a part of its own. */
const deployment = (name: string, pod: string, replicas = 'replicas: 4') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: spare}
spec:
  ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      ${pod}
      containers:
        - {name: p, image: "registry.k8s.io/pause:3.9", resources: {requests: {cpu: 700m, memory: 1500Mi}}}
`;
const apart = (app: string, kind = 'required') => {
  const term = `topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: ${app}}}`;
  return kind === 'required'
    ? `podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{${term}}]}`
    : `podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, podAffinityTerm: {${term}}}]}`;
};
const onPool = (pool: string) =>
  `nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: karpenter.sh/nodepool, operator: In, values: [${pool}]}]}]}}`;

describe('headstart import pause', () => {
  test('makes room of pause pods that work preempts', async () => {
    const { code, err, out, pools } = await importText(
      'pause',
      CLASS + deployment('buffer', 'priorityClassName: spare'),
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(pools).toMatchObject([
      {
        name: 'default',
        base: 4,
        max: 4,
        image: 'registry.k8s.io/pause:3.9',
        unit: { kind: 'slice', requests: { cpu: '700m', memory: '1500Mi' } },
        nodeSelector: { 'karpenter.sh/nodepool': 'default' },
      },
    ]);
    expect(out).toContain(
      'priorityClassName "spare": Headstart has its own PriorityClass, with value -10, instead of -50',
    );
    expect(out).toContain(
      '# The files name no NodePool: those pods could run on any node, and this headroom runs on nodes of default',
    );
  });

  test.each([
    {
      name: 'the inflate that pins a NodePool becomes a floor of nodes that exist',
      pod: `affinity: {${apart('inflate')}, ${onPool('web')}}`,
      is: { name: 'web', base: 4, unit: { kind: 'floor' }, minNode: { cpu: 1, memoryMiB: 2048 } },
      says: 'a floor, nodes that exist: those pods pin the NodePool, one per node, and nothing preempts them.',
    },
    {
      name: 'the same pods stay room where work preempts them',
      pod: `priority: -1\n      affinity: {${apart('inflate')}, ${onPool('web')}}`,
      is: { name: 'web', base: 4, unit: { kind: 'node' } },
      says: 'Headstart has its own PriorityClass',
    },
    {
      name: 'the same pods stay room where their class is not among the files',
      pod: `priorityClassName: filler\n      affinity: {${apart('inflate')}, ${onPool('web')}}`,
      is: { name: 'web', base: 4, unit: { kind: 'node' } },
      says: 'the PriorityClass filler is not among the files; pass the output of `kubectl get priorityclasses filler -o yaml` too',
    },
    {
      name: 'pods that keep apart without a NodePool are room, one per node',
      pod: `affinity: {${apart('inflate')}}`,
      is: { name: 'default', unit: { kind: 'node' } },
      says: 'those pods had no lower priority than work, so nothing preempted them',
    },
    {
      name: 'a preference to keep apart is said to become a requirement',
      pod: `affinity: {${apart('inflate', 'preferred')}}`,
      is: { unit: { kind: 'node' } },
      says: 'one per node: those pods only preferred to keep apart',
    },
    {
      name: 'pods that keep away from others are not kept apart',
      pod: `affinity: {${apart('web')}}`,
      is: { unit: { kind: 'slice' } },
      says: 'keeps away from other pods than its own',
    },
    {
      name: 'a NodePool beside other labels stays a condition',
      pod: `nodeSelector: {team: web, karpenter.sh/provisioner-name: web}`,
      is: { name: 'web', nodeSelector: { team: 'web', 'karpenter.sh/nodepool': 'web' } },
      says: 'nodeSelector: { team: web',
    },
    {
      name: 'a NodePool beside other expressions stays a condition',
      pod: `affinity: {${onPool('web').replace('values: [web]}', 'values: [web]}, {key: karpenter.sh/capacity-type, operator: In, values: [spot]}')}}`,
      is: { name: 'web', nodeSelector: { 'karpenter.sh/nodepool': 'web' }, nodeAffinity: [{ values: ['spot'] }] },
      says: 'nodeAffinity',
    },
    {
      name: 'labels that are not of a NodePool choose the nodes',
      pod: 'nodeSelector: {intent: apps}',
      is: { name: 'default', nodeSelector: { intent: 'apps' } },
      says: '# The files name no NodePool: the labels below choose the nodes',
    },
    {
      name: 'a spread that is not over zones is said',
      pod: 'topologySpreadConstraints: [{topologyKey: capacity-spread, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]',
      is: { spreadZones: false },
      says: 'headroom spreads over zones only',
    },
  ])('$name', async ({ pod, is, says }) => {
    const { code, out, pools } = await importText('pause', deployment('inflate', pod));
    expect(code).toBe(0);
    expect(pools).toMatchObject([is]);
    expect(out).toContain(says);
  });

  test.each([
    {
      replicas: 'replicas: 0',
      is: { base: 0, max: 1 },
      says: '# edit this: replicas is 0, so the file does not say how many you need; nothing is held until you set base or a window\n',
    },
    { replicas: 'paused: false', is: { base: 1, max: 1 }, says: 'no replicas, so 1' },
  ])('a Deployment with $replicas holds $is.base', async ({ replicas, is, says }) => {
    const { out, pools } = await importText('pause', deployment('inflate', 'hostNetwork: false', replicas));
    expect(pools).toMatchObject([is]);
    expect(out).toContain(says);
  });

  test.each([
    { image: 'k8s.gcr.io/pause:3.2', says: 'the registry k8s.gcr.io is frozen' },
    { image: 'registry.k8s.io/pause', says: 'has no tag' },
    { image: 'bash:5', says: 'headroom runs a pause image, which does nothing' },
  ])('the image $image is replaced, with a word', async ({ image, says }) => {
    const { out, pools } = await importText(
      'pause',
      deployment('inflate', '', 'replicas: 1').replace('registry.k8s.io/pause:3.9', image),
    );
    expect(pools).toMatchObject([{ image: 'registry.k8s.io/pause:3.10' }]);
    expect(out).toContain(says);
  });

  test('makes room of a Headroom of OpenFaaS', async () => {
    const { out, pools } = await importText('pause', HEADROOM);
    expect(pools).toMatchObject([
      {
        base: 3,
        unit: { kind: 'slice', requests: { cpu: '250m', memory: '300Mi' } },
        tolerations: [{ key: 'dedicated' }],
        spreadZones: true,
      },
    ]);
    expect(out).toContain('#   spec.priorityClassName "headroom"');
  });

  test('gives several on one NodePool an entry each', async () => {
    const { pools } = await importText('pause', `${deployment('inflate', '')}---\n${deployment('pause-pods', '')}`);
    expect(pools.map(({ name, nodeSelector }) => [name, nodeSelector])).toEqual([
      ['default', { 'karpenter.sh/nodepool': 'default' }],
      ['pause-pods', { 'karpenter.sh/nodepool': 'default' }],
    ]);
  });

  test('does not take work for headroom because its class is not among the files, whatever the class is called', async () => {
    const web = deployment('web', 'priorityClassName: low-latency').replace('registry.k8s.io/pause:3.9', 'nginx:1');
    const { out, pools } = await importText(undefined, `${deployment('inflate', '')}---\n${web}`);
    expect(pools).toHaveLength(1);
    expect(out).toContain('pass the output of `kubectl get priorityclasses low-latency -o yaml` too');
  });

  test('lists what does work of its own, and what has no counterpart', async () => {
    const web = deployment('web', '').replace('registry.k8s.io/pause:3.9', 'nginx:1');
    const job = 'kind: CronJob\nmetadata: {name: scale}\nspec: {schedule: 0 6 * * *}';
    const { out, pools } = await importText('pause', `${deployment('inflate', '')}---\n${web}---\n${job}`);
    expect(pools).toHaveLength(1);
    expect(out).toContain('its pods do work of their own');
    expect(out).toContain('if it changes the number of pause pods, write its times as windows under schedules');
  });
});
