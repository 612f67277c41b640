import type { V1Deployment } from '@kubernetes/client-node';
import { stringify } from 'yaml';
import { pauseDeployment } from '../../../../shared/core/manifests/pause-deployment';
import { configOf } from '../../../fakes/fake-runtime';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/pause-deployment.txt`);

function deploymentOf(lines: string, more: { imageVolumes?: boolean; zones?: string[] } = {}): V1Deployment {
  const [pool] = configOf(`  web: {max: 3, ${lines}}\n`).headrooms;
  if (!pool) throw new Error('no pool');
  return pauseDeployment({
    pool,
    namespace: 'headroom',
    replicas: 2,
    annotations: { note: 'x' },
    defaultTolerations: [{ key: 'dedicated', operator: 'Exists' }],
    imageVolumes: true,
    ...more,
  });
}

const podOf = (lines: string) => deploymentOf(lines).spec?.template.spec;

describe('the pause Deployment', () => {
  test('has what Pod Security "restricted" and a quick preemption need, and nothing that was not asked for', () => {
    const { metadata, ...rest } = deploymentOf('unit: {slice: {cpu: 1}}, tolerations: []');
    const { 'headstart.dev/template-hash': hash, ...annotations } = metadata?.annotations ?? {};
    said(stringify({ metadata: { ...metadata, annotations }, ...rest }));
    expect(hash).toEqual(expect.any(String));
  });

  test('labels, annotations and pull secrets of the config stand on the pods only, and never replace our own labels', () => {
    const { metadata, spec } = deploymentOf(
      'podLabels: {team: shop}, podAnnotations: {example.com/owner: shop}, imagePullSecrets: [registry]',
    );
    expect(spec?.template.metadata).toEqual({
      labels: { team: 'shop', 'app.kubernetes.io/managed-by': 'headstart', 'headstart.dev/headroom': 'web' },
      annotations: { 'example.com/owner': 'shop' },
    });
    expect(spec?.template.spec?.imagePullSecrets).toEqual([{ name: 'registry' }]);
    expect(metadata?.labels).not.toHaveProperty('team');
    expect(spec?.selector).toEqual({ matchLabels: { 'headstart.dev/headroom': 'web' } });
  });

  test('the node unit keeps replicas on nodes of their own, the slice unit does not', () => {
    const apart =
      podOf('unit: {node: {cpu: 2}}')?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    expect(apart).toEqual([
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { 'headstart.dev/headroom': 'web' } } },
    ]);
    expect(podOf('unit: {slice: {cpu: 2}}')?.affinity).toBeUndefined();
  });

  test('aims at its NodePool, whatever labels it selects beside it', () => {
    expect(podOf('base: 0')?.nodeSelector).toEqual({ 'karpenter.sh/nodepool': 'web' });
    expect(podOf('nodePool: other')?.nodeSelector).toEqual({ 'karpenter.sh/nodepool': 'other' });
    expect(podOf('nodeSelector: {team: team1}')?.nodeSelector).toEqual({
      team: 'team1',
      'karpenter.sh/nodepool': 'web',
    });
    const aimed = podOf('nodeAffinity: [{key: team, operator: In, values: [team1]}]');
    expect(aimed?.nodeSelector).toEqual({ 'karpenter.sh/nodepool': 'web' });
    expect(aimed?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual({
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'team', operator: 'In', values: ['team1'] }] }],
    });
  });

  test('aims at its NodePool and the spot twin where it selects labels that both may have', () => {
    const both = { key: 'karpenter.sh/nodepool', operator: 'In', values: ['web', 'web-spot'] };
    const aimed = podOf('pool: {role: r, spotTwin: true}, nodeSelector: {team: team1}');
    expect(aimed?.nodeSelector).toEqual({ team: 'team1' });
    expect(aimed?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual({
      nodeSelectorTerms: [{ matchExpressions: [both] }],
    });
    expect(podOf('pool: {role: r, spotTwin: true}')?.nodeSelector).toEqual({ 'karpenter.sh/nodepool': 'web' });
  });

  test('a smallest node becomes requirements that Karpenter reads', () => {
    const terms = podOf('minNode: {cpu: 4, memory: 16Gi}')?.affinity?.nodeAffinity
      ?.requiredDuringSchedulingIgnoredDuringExecution;
    expect(terms?.nodeSelectorTerms[0]?.matchExpressions).toEqual([
      { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['3'] },
      { key: 'karpenter.k8s.aws/instance-memory', operator: 'Gt', values: ['16383'] },
    ]);
  });

  test('GPUs of a floor are required of its nodes, and not requested', () => {
    const pod = podOf('unit: {floor: {gpu: 1}}');
    expect(pod?.containers[0]?.resources ?? {}).toEqual({});
    expect(pod?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual({
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'Gt', values: ['0'] }] },
      ],
    });
  });

  test('extended resources get limits too, as Kubernetes demands', () => {
    expect(podOf('unit: {node: {cpu: 1, nvidia.com/gpu: 1, hugepages-2Mi: 64Mi}}')?.containers[0]?.resources).toEqual({
      requests: { cpu: '1', 'nvidia.com/gpu': '1', 'hugepages-2Mi': '64Mi' },
      limits: { 'nvidia.com/gpu': '1', 'hugepages-2Mi': '64Mi' },
    });
  });

  test('tolerates what it is told to, else what the NodePool is tainted with', () => {
    expect(podOf('base: 0')?.tolerations).toEqual([{ key: 'dedicated', operator: 'Exists' }]);
    expect(podOf('tolerations: [{key: spot, operator: Exists}]')?.tolerations).toEqual([
      { key: 'spot', operator: 'Exists' },
    ]);
    expect(podOf('tolerations: []')?.tolerations).toBeUndefined();
  });

  test('spreads over the zones of its NodePool on request', () => {
    const { spec } = deploymentOf('zones: spread', { zones: ['b', 'a'] }).spec?.template ?? {};
    expect(spec?.topologySpreadConstraints).toEqual([
      {
        topologyKey: 'topology.kubernetes.io/zone',
        maxSkew: 1,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { 'headstart.dev/headroom': 'web' } },
        matchLabelKeys: ['pod-template-hash'],
      },
    ]);
    expect(spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual({
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] }] },
      ],
    });
    expect(podOf('zones: spread')?.affinity?.nodeAffinity).toBeUndefined();
    expect(deploymentOf('base: 0', { zones: ['a'] }).spec?.template.spec?.affinity?.nodeAffinity).toBeUndefined();
  });

  test('pulls images ahead by mounting them, where the cluster can', () => {
    const warm = 'warmImages: ["shop:1", "shop:2"]';
    const spec = podOf(warm);
    expect(spec?.containers[0]?.volumeMounts).toEqual([
      { name: 'warm-0', mountPath: '/warm/0', readOnly: true },
      { name: 'warm-1', mountPath: '/warm/1', readOnly: true },
    ]);
    expect(spec?.volumes).toEqual([
      { name: 'warm-0', image: { reference: 'shop:1', pullPolicy: 'IfNotPresent' } },
      { name: 'warm-1', image: { reference: 'shop:2', pullPolicy: 'IfNotPresent' } },
    ]);
    const older = deploymentOf(warm, { imageVolumes: false }).spec?.template.spec;
    expect(older).not.toHaveProperty('volumes');
    expect(older?.containers[0]).not.toHaveProperty('volumeMounts');
  });

  test('a floor requests nothing, and asks for nodes by their size', () => {
    const spec = podOf('unit: {floor: {cpu: 1, memory: 0}}');
    expect(spec?.containers[0]?.resources).toEqual({});
    expect(spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual({
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['0'] }] },
      ],
    });
    expect(spec?.affinity?.podAntiAffinity).toBeDefined();
  });

  test('a field that the config no longer states changes the template hash', () => {
    const hash = (lines: string) => deploymentOf(lines).metadata?.annotations?.['headstart.dev/template-hash'];
    expect(hash('zones: spread')).not.toBe(hash('base: 0'));
    expect(hash('base: 1')).toBe(hash('base: 0'));
  });
});
