import { loadConfig } from '../../../../../shared/core/config/read/load';

const HEAD = 'cluster: {name: shop, region: us-east-1}\n';
const pool = (text: string) => `${HEAD}nodePools: {a: {max: 3, pool: {role: nodes, ${text}}}}`;

function warningsOf(text: string): readonly string[] {
  const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!loaded.ok) throw new Error(loaded.problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
  return loaded.warnings.map(({ path, message }) => `${path} ${message}`);
}

describe('values that can hardly be meant are warnings', () => {
  test.each([
    {
      name: 'a family',
      text: 'family: [t3, t33]',
      says: /^nodePools\.a\.pool\.family\[1\] is "t33".*did you mean t3\?$/,
    },
    { name: 'a size', text: 'size: [mediun]', says: /size\[0\] is "mediun".*did you mean medium\?$/ },
    { name: 'a category', text: 'category: [c, q]', says: /category\[1\] is "q", which is not an instance category/ },
    { name: 'the size of a type', text: 'instanceTypes: [m5.larg]', says: /did you mean m5\.large\?$/ },
    { name: 'a type that is none', text: 'instanceTypes: [m5large]', says: /is "m5large", not an instance type/ },
    {
      name: 'a value of a requirement',
      text: 'requirements: [{key: karpenter.k8s.aws/instance-family, operator: NotIn, values: [m77]}]',
      says: /requirements\[0\]\.values\[0\] is "m77"/,
    },
    { name: 'a version of an AMI', text: 'ami: al2023@lates', says: /write al2023@latest or al2023@v20260801$/ },
    {
      name: 'a placeholder of a shell',
      text: `tags: {team: "\${TEAM}"}`,
      says: /tags\.team is "\$\{TEAM\}", a placeholder/,
    },
    {
      name: 'a placeholder of a workshop',
      text: 'subnets: [{tags: {karpenter.sh/discovery: <<CLUSTER>>}}]',
      says: /is "<<CLUSTER>>", a placeholder; write the value itself$/,
    },
    {
      name: 'a placeholder with the dollar inside',
      text: 'tags: {team: "{$USER}-team"}',
      says: /is "\{\$USER\}-team", a placeholder/,
    },
    {
      name: 'a placeholder in words',
      text: 'tags: {cluster: YOUR_CLUSTER_NAME}',
      says: /is "YOUR_CLUSTER_NAME", a plac/,
    },
    { name: 'a placeholder of one word', text: 'tags: {from: SNAPSHOT}', says: /is "SNAPSHOT", a placeholder/ },
    { name: 'a placeholder in a name', text: `tags: {"team/\${TEAM}": a}`, says: /has a placeholder in its name/ },
  ])('$name', ({ text, says }) => {
    expect(warningsOf(pool(text))).toEqual([expect.stringMatching(says)]);
  });

  test.each([
    {
      name: 'names that AWS has',
      text: 'family: [t3a, m7i-flex], size: [metal-24xl], instanceTypes: [u7i-12tb.224xlarge]',
    },
    { name: 'pinned AMIs', text: 'ami: bottlerocket@v1.40.0' },
    { name: 'a dated AMI', text: 'ami: al2023@v20260801' },
    { name: 'words in capitals', text: 'tags: {stage: PROD, team: TEAM_A, owned: "YES", your: yours}' },
    { name: 'the variables of a script', text: `userData: "echo \${HOME} <<EOF>>"` },
  ])('$name are not', ({ text }) => {
    expect(warningsOf(pool(text))).toEqual([]);
  });

  test('what defaults say is said once, not for every NodePool', () => {
    const text = `${HEAD}defaults: {max: 2, pool: {role: nodes, tags: {team: "\${TEAM}"}, family: [t33]}}\nnodePools: {a: {}, b: {}}`;
    expect(warningsOf(text)).toHaveLength(2);
  });
});
