import { nodePoolManifests } from '../../../shared/core/karpenter/node-pools';
import { importText } from './import-text';
import { BETA, PROVISIONER } from './samples';

jest.setTimeout(60_000);

describe('headstart import provisioner', () => {
  test('writes an alpha Provisioner and its template as a pool block', async () => {
    const { code, out, pools } = await importText('provisioner', PROVISIONER, '--region', 'ap-northeast-2');
    expect(code).toBe(0);
    expect(pools).toMatchObject([{ name: 'service', max: 10 }]);
    expect(pools[0]?.pool).toEqual({
      family: ['t3', 't3a'],
      size: ['medium', 'large'],
      zones: ['ap-northeast-2a', 'ap-northeast-2c'],
      capacityType: ['on-demand'],
      requirements: [
        { key: 'eks.amazonaws.com/nodegroup', operator: 'In', values: ['default', 'platform'] },
        { key: 'capacity-spread', operator: 'In', values: ['on-demand-1', 'on-demand-2'] },
      ],
      labels: { team: 'web' },
      weight: 10,
      limits: { cpu: 1000 },
      kubelet: { maxPods: 58 },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
      expireAfter: '604800s',
      subnets: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
      securityGroups: [{ id: 'sg-0a1b' }, { id: 'sg-0c2d' }],
      ami: 'al2@latest',
      instanceProfile: 'KarpenterNodes',
      tags: { team: 'web' },
      blockDeviceMappings: [
        { deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi', volumeType: 'gp3', encrypted: true } },
      ],
      metadataOptions: { httpPutResponseHopLimit: 2 },
    });
    expect(out).toContain('#   spec.kubeletConfiguration.containerRuntime "containerd"');
    expect(out).toContain('#   spec.launchTemplate "old-template": Karpenter v1 has no launch templates');
  });

  test('writes out what alpha defaults meant', async () => {
    const bare =
      'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: default}\nspec: {providerRef: {name: gone}}';
    const { out, pools } = await importText('provisioner', bare);
    expect(pools[0]?.pool).toEqual({
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
      expireAfter: 'Never',
      role: 'KarpenterNodeRole-my-cluster',
    });
    expect(out).toContain('#   spec.providerRef {"name":"gone"}: is not in these files; pass its file too');
  });

  test('writes a beta NodePool and its class as a pool block, with "anything" written out', async () => {
    const { code, pools } = await importText('provisioner', BETA);
    expect(code).toBe(0);
    expect(pools[0]?.pool).toEqual({
      capacityType: ['spot'],
      generation: '> 4',
      arch: ['amd64', 'arm64'],
      requirements: [{ key: 'karpenter.k8s.aws/instance-category', operator: 'Exists' }],
      labels: { purpose: 'cicd' },
      taints: [{ key: 'dedicated', value: 'cicd', effect: 'NoSchedule' }],
      kubelet: { maxPods: 30 },
      limits: { cpu: '100' },
      expireAfter: '720h',
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
      subnets: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
      securityGroups: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
      ami: 'al2023@latest',
      role: 'KarpenterNodeRole-shop',
      metadataOptions: { httpPutResponseHopLimit: 2 },
    });
  });

  test('lists what the config refuses instead of writing it', async () => {
    const { code, out, pools } = await importText('provisioner', PROVISIONER.replace('weight: 10', 'weight: 1000'));
    expect(code).toBe(0);
    expect(pools[0]?.pool?.weight).toBeUndefined();
    expect(out).toContain('#   Provisioner service in input.yaml:18: spec.weight 1000: is 1000; write a whole number');
  });

  const alpha = (requirements: string) =>
    `apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: default}\nspec: {requirements: [${requirements}]}`;
  const keysOf = async (text: string) => {
    const { config } = await importText('provisioner', text);
    const [, nodePool] = config ? nodePoolManifests(config) : [];
    const { requirements } = (
      nodePool as unknown as { spec: { template: { spec: { requirements: { key: string; operator: string }[] } } } }
    ).spec.template.spec;
    return requirements
      .filter(({ key }) => /-(category|generation)$/.test(key))
      .map(({ key, operator }) => `${key.split('-').at(-1)} ${operator}`);
  };

  test.each([
    { name: 'nothing', given: '', keys: ['category In', 'generation Gt'] },
    {
      name: 'sizes alone',
      given: '{key: karpenter.k8s.aws/instance-size, operator: In, values: [large]}',
      keys: ['category In', 'generation Gt'],
    },
    {
      name: 'categories',
      given: '{key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, i]}',
      keys: ['category In'],
    },
    {
      name: 'a generation',
      given: '{key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ["4"]}',
      keys: ['generation Gt', 'category Exists'],
    },
    {
      name: 'families by exclusion',
      given: '{key: karpenter.k8s.aws/instance-family, operator: NotIn, values: [t2]}',
      keys: [],
    },
    { name: 'types', given: '{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large]}', keys: [] },
  ])(
    'an alpha Provisioner that names $name gets the category and generation that Karpenter gave it',
    async ({ given, keys }) => {
      expect((await keysOf(alpha(given))).sort()).toEqual([...keys].sort());
    },
  );

  test('reads region and cluster from zones and tags, and names the role after the cluster', async () => {
    const text = PROVISIONER.replace('  instanceProfile: KarpenterNodes\n', '');
    const read = await importText('provisioner', text);
    expect(read.config?.cluster).toMatchObject({ name: 'shop', region: 'ap-northeast-2' });
    expect(read.out).toContain(
      '# cluster.name: shop, from the discovery tags.\n# cluster.region: ap-northeast-2, from the zones.',
    );
    expect(read.pools[0]?.pool?.role).toBe('KarpenterNodeRole-shop');
    const given = await importText('provisioner', text, '--cluster', 'store');
    expect(given.pools[0]?.pool?.role).toBe('KarpenterNodeRole-store');
    expect(given.out).not.toContain('from the discovery tags');
  });

  const nodeClass = (spec: string) => BETA.replace('  amiFamily: AL2023\n', spec);
  test.each([
    {
      name: 'an AMI that cannot be looked up becomes the newest of its own family, with a remark',
      spec: '  amiFamily: AL2\n  amiSelectorTerms: [{id: "<<AMI>>"}]\n  userData: old\n',
      pool: { ami: 'al2@latest', userData: 'old' },
      says: 'ami: the AMI was pinned, and that could not be carried over',
    },
    {
      name: 'an AMI without terms is that of its family',
      spec: '  amiFamily: AL2\n  amiSelectorTerms: []\n',
      pool: { ami: 'al2@latest' },
      says: 'there are no AL2 images for Kubernetes 1.33',
    },
    {
      name: 'another family is said, and its user data stays behind',
      spec: '  amiFamily: Ubuntu\n  userData: apt install\n',
      pool: { ami: undefined, userData: undefined },
      says: 'ami: al2023@latest, the default, instead of Ubuntu: nodes run another system than before',
    },
    {
      name: 'images of Ubuntu boot like AL2, as Karpenter itself converted them',
      spec: '  amiFamily: Ubuntu\n  amiSelectorTerms: [{name: ubuntu-*, owner: 123456789012}]\n  userData: apt install\n',
      pool: { amiSelector: [{ name: 'ubuntu-*', owner: '123456789012' }], amiFamily: 'AL2', userData: 'apt install' },
      says: 'amiFamily: AL2: how Karpenter v1 boots images of Ubuntu',
    },
    {
      name: 'Custom stays beside an alias',
      spec: '  amiFamily: Custom\n  amiSelectorTerms: [{alias: bottlerocket@v1.40.0}]\n',
      pool: { ami: 'bottlerocket@v1.40.0', amiFamily: 'Custom' },
      says: '',
    },
    {
      name: 'only the tags that Karpenter keeps for itself stay behind',
      spec: '  amiFamily: AL2023\n  tags: {team: web, kubernetes.io/cluster/shop: owned}\n',
      pool: { tags: { team: 'web' } },
      says: `["kubernetes.io/cluster/shop"] "owned": is one of Karpenter's own tags`,
    },
    {
      name: 'fields of newer node classes are handed on',
      spec: '  amiFamily: AL2023\n  capacityReservationSelectorTerms: [{tags: {team: web}}]\n',
      pool: { nodeClass: { capacityReservationSelectorTerms: [{ tags: { team: 'web' } }] } },
      says: '',
    },
  ])('$name', async ({ spec, pool, says }) => {
    const { code, out, pools } = await importText('provisioner', nodeClass(spec));
    expect(code).toBe(0);
    expect({ ami: undefined, userData: undefined, ...pools[0]?.pool }).toMatchObject(pool);
    expect(out).toContain(says);
  });

  test('says what holds where the files do not have the node class', async () => {
    const { out } = await importText('provisioner', BETA.slice(0, BETA.indexOf('---')));
    expect(out).toContain(
      '# ami: al2023@latest, the default of a pool block: the files do not tell what the nodes ran',
    );
    expect(out).toContain('# subnets, securityGroups: by default those tagged karpenter.sh/discovery');
  });

  test('says what holds instead of a value that the config refuses', async () => {
    const { out, pools } = await importText(
      'provisioner',
      BETA.replace('amiFamily: AL2023', 'amiFamily: AL2023\n  securityGroupSelectorTerms: [{id: "<<SG>>"}]').replace(
        / {2}securityGroupSelectorTerms: \[\{tags.*\n/,
        '',
      ),
    );
    expect(pools[0]?.pool?.securityGroups).toBeUndefined();
    expect(out).toMatch(
      /EC2NodeClass cicd in input.yaml:\d+: spec.securityGroupSelectorTerms\[0\].id "<<SG>>": .*Without it: those tagged karpenter.sh\/discovery/,
    );
  });

  const v1 = (requirements: string, nodeClass = '') => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [${requirements}]
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec: {role: Nodes, amiSelectorTerms: [{alias: al2023@latest}]${nodeClass}}
`;
  const capacity = (operator: string, values: string) =>
    `{key: karpenter.sh/capacity-type, operator: ${operator}, values: [${values}]}`;

  test.each([
    { name: 'said twice', given: `${capacity('In', 'spot')}, ${capacity('In', 'spot')}`, types: ['spot'] },
    {
      name: 'said by what is left of two',
      given: `${capacity('In', 'on-demand, spot')}, ${capacity('NotIn', 'spot')}`,
      types: ['on-demand'],
    },
  ])('takes requirements of one key together, as Karpenter does: $name', async ({ given, types }) => {
    const { out, pools } = await importText('provisioner', v1(given));
    expect(pools[0]?.pool?.capacityType).toEqual(types);
    expect(out).not.toContain('Not carried over');
  });

  test('leaves requirements of one key apart that nothing can meet together', async () => {
    const both = `${capacity('In', 'on-demand')}, ${capacity('In', 'spot')}`;
    const { out, pools } = await importText('provisioner', v1(both));
    expect(pools[0]?.pool?.capacityType).toEqual(['on-demand']);
    expect(out).toMatch(/in input.yaml:8: spec.template.spec.requirements\[1\] .*"spot".*has a field of its own/);
  });

  test('leaves a requirement out as a whole, once, where the files have it', async () => {
    const { out, pools } = await importText(
      'provisioner',
      v1('{key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["<<CPU>>"]}'),
    );
    expect(pools[0]?.pool?.requirements).toEqual([{ key: 'karpenter.k8s.aws/instance-category', operator: 'Exists' }]);
    expect(out.match(/instance-cpu/g)).toHaveLength(1);
    expect(out).toContain(
      '# Not carried over:\n#   NodePool default in input.yaml:8: spec.template.spec.requirements[0]',
    );
    expect(out).not.toContain('nodePools.default: ');
  });

  test.each([
    { name: 'no capacity type', given: '' },
    { name: 'a capacity type by exclusion', given: capacity('NotIn', 'spot') },
  ])('keeps the nodes of capacity reservations where the files name $name', async ({ given }) => {
    const { pools } = await importText('provisioner', v1(given, ', capacityReservationSelectorTerms: [{id: cr-123}]'));
    expect(pools[0]?.pool?.capacityType).toContain('reserved');
    const without = await importText('provisioner', v1(given));
    expect(without.pools[0]?.pool?.capacityType).not.toContain('reserved');
  });

  test('replaces a role that is a placeholder by one that is named after the cluster, with a remark', async () => {
    const text = BETA.replace('role: KarpenterNodeRole-shop', 'role: "KarpenterNodeRole-<<CLUSTER>>"');
    const { code, out, pools } = await importText('provisioner', text);
    expect(code).toBe(0);
    expect(pools[0]?.pool?.role).toBe('KarpenterNodeRole-shop');
    expect(out).toContain('#   spec.role "KarpenterNodeRole-<<CLUSTER>>": is not a name that IAM allows');
    expect(out).toContain('# role: edit this: the files name neither a role');
  });

  test('keeps labels that Karpenter allows beside one that it refuses', async () => {
    const { out, pools } = await importText(
      'provisioner',
      PROVISIONER.replace('{team: web}', '{team: web, karpenter.sh/x: y}'),
    );
    expect(pools[0]?.pool?.labels).toEqual({ team: 'web' });
    expect(out).toContain('is not a label that Karpenter lets a NodePool set');
  });

  test('leaves NodePools of other clouds alone', async () => {
    const text = BETA.replace('kind: EC2NodeClass, name: cicd}', 'kind: AKSNodeClass, name: cicd}');
    const { code, err } = await importText('provisioner', text);
    expect(code).toBe(1);
    expect(err).toContain(
      'its node class is AKSNodeClass of karpenter.k8s.aws, and a pool block creates an EC2NodeClass',
    );
  });

  test('leaves the NodePools of EKS Auto Mode alone', async () => {
    const text = BETA.replace(
      '{apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: cicd}',
      '{group: eks.amazonaws.com, kind: NodeClass, name: default}',
    );
    const { code, err } = await importText('provisioner', text);
    expect(code).toBe(1);
    expect(err).toContain('NodePool cicd in input.yaml: is a NodePool of EKS Auto Mode');
  });

  test('writes no anchors where two pools share a class, and no empty maps', async () => {
    const text = `${BETA.replace('labels: {purpose: cicd}', 'labels: {}')}---${BETA.replaceAll('name: cicd}', 'name: other}').replace('kind: EC2NodeClass, name: other', 'kind: EC2NodeClass, name: cicd')}`;
    const { out, pools } = await importText('provisioner', text);
    expect(pools.map(({ name }) => name)).toEqual(['cicd', 'other']);
    expect(out).not.toMatch(/[&*]a\d|\{ *\}|<<:/);
  });

  test('says that a name is not kept', async () => {
    const { out, pools } = await importText(
      'provisioner',
      `${PROVISIONER}---${PROVISIONER.replace('{name: service}', '{name: "Team_pool"}')}`,
    );
    expect(pools.map(({ name }) => name)).toEqual(['service', 'team-pool']);
    expect(out).toContain('# The name Team_pool is not one that a NodePool can have; it is changed.');
  });
});
