import type { V1Deployment } from '@kubernetes/client-node';
import { clusterObjects } from '../../../../shared/core/manifests/cluster-objects';
import { pauseDeployment } from '../../../../shared/core/manifests/pause-deployment';
import { configOf } from '../../../fakes/fake-service';

function deploymentOf(lines: string, more: { imageVolumes?: boolean } = {}): V1Deployment {
  const [pool] = configOf(`  web: {max: 3, ${lines}}\n`).nodePools;
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
  test('has everything that Pod Security "restricted" and a quick preemption need', () => {
    expect(deploymentOf('base: 0')).toMatchObject({
      metadata: {
        name: 'headroom-web',
        namespace: 'headroom',
        labels: { 'app.kubernetes.io/managed-by': 'headstart' },
      },
      spec: {
        replicas: 2,
        strategy: { rollingUpdate: { maxSurge: 0 } },
        template: {
          spec: {
            priorityClassName: 'headstart-headroom',
            terminationGracePeriodSeconds: 0,
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                image: 'registry.k8s.io/pause:3.10',
                resources: { requests: { cpu: '1' } },
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ['ALL'] },
                },
              },
            ],
          },
        },
      },
    });
  });

  test('labels, annotations and pull secrets of the config stand on the pods only, and never replace our own labels', () => {
    const { metadata, spec } = deploymentOf(
      'podLabels: {team: shop}, podAnnotations: {example.com/owner: shop}, imagePullSecrets: [registry]',
    );
    expect(spec?.template.metadata).toEqual({
      labels: { team: 'shop', 'app.kubernetes.io/managed-by': 'headstart', 'headstart.dev/nodepool': 'web' },
      annotations: { 'example.com/owner': 'shop' },
    });
    expect(spec?.template.spec?.imagePullSecrets).toEqual([{ name: 'registry' }]);
    expect(metadata?.labels).not.toHaveProperty('team');
    expect(spec?.selector).toEqual({ matchLabels: { 'headstart.dev/nodepool': 'web' } });
  });

  test('the node unit keeps replicas on nodes of their own, the slice unit does not', () => {
    const apart =
      podOf('unit: {node: {cpu: 2}}')?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    expect(apart).toEqual([
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { 'headstart.dev/nodepool': 'web' } } },
    ]);
    expect(podOf('unit: {slice: {cpu: 2}}')?.affinity).toBeUndefined();
  });

  test('aims at its NodePool by default, at labels where they are given', () => {
    expect(podOf('base: 0')?.nodeSelector).toEqual({ 'karpenter.sh/nodepool': 'web' });
    expect(podOf('nodeSelector: {team: team1}')?.nodeSelector).toEqual({ team: 'team1' });
    const aimed = podOf('nodeAffinity: [{key: team, operator: In, values: [team1]}]');
    expect(aimed?.nodeSelector).toBeUndefined();
    expect(aimed?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual({
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'team', operator: 'In', values: ['team1'] }] }],
    });
  });

  test('a smallest node becomes requirements that Karpenter reads', () => {
    const terms = podOf('minNode: {cpu: 4, memory: 16Gi}')?.affinity?.nodeAffinity
      ?.requiredDuringSchedulingIgnoredDuringExecution;
    expect(terms?.nodeSelectorTerms[0]?.matchExpressions).toEqual([
      { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['3'] },
      { key: 'karpenter.k8s.aws/instance-memory', operator: 'Gt', values: ['16383'] },
    ]);
  });

  test('extended resources get limits too, as Kubernetes demands', () => {
    expect(podOf('unit: {node: {cpu: 1, nvidia.com/gpu: 1}}')?.containers[0]?.resources).toEqual({
      requests: { cpu: '1', 'nvidia.com/gpu': '1' },
      limits: { 'nvidia.com/gpu': '1' },
    });
  });

  test('tolerates what it is told to, else what the NodePool is tainted with', () => {
    expect(podOf('base: 0')?.tolerations).toEqual([{ key: 'dedicated', operator: 'Exists' }]);
    expect(podOf('tolerations: [{key: spot, operator: Exists}]')?.tolerations).toEqual([
      { key: 'spot', operator: 'Exists' },
    ]);
    expect(podOf('tolerations: []')?.tolerations).toBeUndefined();
  });

  test('spreads over zones on request', () => {
    expect(podOf('zones: spread')?.topologySpreadConstraints).toMatchObject([
      { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' },
    ]);
  });

  test('a field that the config no longer states changes the template hash', () => {
    const hash = (lines: string) => deploymentOf(lines).metadata?.annotations?.['headstart.dev/template-hash'];
    expect(hash('zones: spread')).not.toBe(hash('base: 0'));
    expect(hash('base: 1')).toBe(hash('base: 0'));
  });
});

describe('the objects of a default deploy', () => {
  const objects = clusterObjects('headroom');

  test('all carry our label', () => {
    expect(objects.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/managed-by'])).toEqual(
      objects.map(() => 'headstart'),
    );
  });

  test('the PriorityClass preempts nobody and is preempted by any normal pod', () => {
    expect(objects.find(({ kind }) => kind === 'PriorityClass')).toMatchObject({
      value: -10,
      preemptionPolicy: 'Never',
    });
    expect(objects.find(({ kind }) => kind === 'PriorityClass')).not.toHaveProperty('globalDefault');
  });

  test('a NetworkPolicy lets no pod of the namespace send or receive anything', () => {
    expect(objects.find(({ kind }) => kind === 'NetworkPolicy')).toMatchObject({
      apiVersion: 'networking.k8s.io/v1',
      metadata: { name: 'headstart-no-network', namespace: 'headroom' },
      // Every pod, and no rule that allows anything.
      spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
    });
  });

  test('the functions may read what they use, and no nodes', () => {
    const resources = objects.flatMap(({ rules = [] }) =>
      (rules as { resources: string[] }[]).flatMap((r) => r.resources),
    );
    expect(resources.sort()).toEqual(['deployments', 'events', 'nodeclaims', 'nodepools']);
  });

  test('RBAC grants no wildcard and no write outside the namespace', () => {
    const rules = objects
      .filter(({ kind }) => kind === 'ClusterRole')
      .flatMap(({ rules: r }) => r as { verbs: string[] }[]);
    expect(new Set(rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(['get', 'list']));
    expect(JSON.stringify(objects)).not.toContain('*');
  });
});
