import { readFileSync } from 'node:fs';
import { DescribeTagsCommand } from '@aws-sdk/client-ec2';
import { CALM } from '../deploys/account';
import { OTHERS, retagged } from '../deploys/retagged';
import type { Template } from '../deploys/template';
import { type StackName, variants } from '../deploys/variants';
import { deployWorld } from '../deploys/world';
import { type BundleHost, startBundleHost } from './biting/bundle-host';
import { deployingIn, type Ended, RESOURCES, type ResourceName, SITUATIONS, type Situation } from './biting/situations';
import { awsClients } from './harness/aws-clients';
import { createNetworkedCluster } from './harness/networked-cluster';
import { describeAws } from './harness/shared-installation';

/** What one custom resource was asked and answered, in a few words. */
const WORDS: Readonly<Record<string, string>> = {
  'Create SUCCESS': 'created',
  'Create FAILED': 'fails',
  Create: 'no answer',
  'Update SUCCESS': 'updated',
  'Update FAILED': 'fails',
  Update: 'no answer',
  'Delete SUCCESS': 'deleted',
  'Delete FAILED': 'deletion fails',
  Delete: 'no answer',
};

describeAws('the bundles of the custom resources, on an AWS that bites,', () => {
  let bundles: BundleHost;
  let deploys: ReturnType<typeof variants>;
  beforeAll(async () => {
    bundles = await startBundleHost();
    await createNetworkedCluster(awsClients(bundles.emulator), 'demo', 1);
    deploys = variants();
  });
  afterAll(() => bundles?.stop());

  const tagged = async () => {
    const Filters = [{ Name: 'key', Values: ['karpenter.sh/discovery'] }];
    const { Tags = [] } = await awsClients(bundles.emulator).ec2.send(new DescribeTagsCommand({ Filters }));
    return Tags.length;
  };

  /** Acts in a new world; gives what was seen, and destroys everything again. */
  async function seen({ before, act }: Situation, resource: ResourceName) {
    const asked = new Map<string, string[]>();
    let isSeen = false;
    const world = deployWorld({
      ...bundles,
      host: (props) => {
        const { answer, call } = bundles.host(props);
        return {
          call,
          answer: async (event) => {
            const found = await answer(event);
            const type = event.ResourceType.replace('Custom::Headstart', '');
            const word = WORDS[`${event.RequestType} ${found?.Status ?? ''}`.trim()] ?? 'unknown';
            if (isSeen) asked.set(type, [...(asked.get(type) ?? []), word]);
            return found;
          },
        };
      },
    });
    const deploying = deployingIn(world, deploys);
    if (before) await deploying.deploy(before);
    isSeen = true;
    const ended = await act(deploying, resource);
    isSeen = false;
    const left = leftOf(ended, world.account.cluster?.status === 'ACTIVE' ? world.names() : [], await tagged());
    const admins = world.admins();
    world.account.temper = CALM;
    world.plan.mishap = () => undefined;
    // A cluster that was being deleted is gone by now, and another one may have its name.
    if (world.account.cluster?.status !== 'ACTIVE') world.createCluster();
    const destroyed = await deploying.destroy();
    expect(destroyed).toEqual({ headroom: 'DELETE_COMPLETE', karpenter: 'DELETE_COMPLETE' });
    return { asked, ended, left, admins, after: { objects: world.names().filter(isNoPool), tags: await tagged() } };
  }

  const rows: string[] = [];
  type Seen = Awaited<ReturnType<typeof seen>>;
  const cell = (words: readonly string[] = []) => [...new Set(words)].join(', ') || '–';
  const cellsOf = ({ asked }: Seen, resource: ResourceName | undefined) =>
    (resource ? [resource] : RESOURCES).map((one) => cell(asked.get(one)));

  test.each(SITUATIONS)('$name', async (situation) => {
    const found: { readonly resource: ResourceName | undefined; readonly one: Seen }[] = [];
    for (const resource of situation.each ? RESOURCES : [undefined])
      found.push({ resource, one: await seen(situation, resource ?? 'ClusterEndpoint') });
    for (const { resource, one } of found)
      expect({ resource, admins: one.admins, ...one.after }).toEqual({
        resource,
        admins: [],
        objects: [],
        tags: 0,
      });
    const ends = [...new Set(found.flatMap(({ one }) => Object.values(one.ended)))];
    expect(ends.filter((status) => status.includes('FAILED'))).toEqual([]);
    const cells = found.flatMap(({ resource, one }) => cellsOf(one, resource));
    const left = found.some(({ one }) => one.left)
      ? [...new Set(found.flatMap(({ one }) => one.left ?? []))].join(', ') || 'nothing'
      : '–';
    rows.push(`| ${situation.name} | ${cells.join(' | ')} | ${ends.map((end) => `\`${end}\``).join(', ')} | ${left} |`);
  });

  test('docs/reliability.md has this table', () => {
    const page = readFileSync('docs/reliability.md', 'utf8');
    if (rows.some((row) => !page.includes(row))) console.log(rows.join('\n'));
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });

  test('drop cluster admin a day after an update of tags associated it again, and nothing else', async () => {
    const found = await retagged(deployWorld(bundles), deploys);
    expect(found).toMatchObject({ before: OTHERS, within: found.after, later: OTHERS, stripped: [] });
    expect(found.after).toHaveLength(OTHERS.length + 3);
  });

  test.each([
    { name: 'a statement is missing', change: () => undefined },
    {
      name: 'its condition names another policy',
      change: (statement: object) => ({
        ...statement,
        Condition: { ArnEquals: { 'eks:policyArn': 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy' } },
      }),
    },
  ])('are refused where $name: IAM is evaluated', async ({ change }) => {
    const world = deployWorld(bundles);
    const outcome = await world.stacks.headroom.deploy(
      withStatement(deploys.headroom.first, 'eks:DisassociateAccessPolicy', change),
    );
    expect(outcome).toEqual({
      status: 'ROLLBACK_COMPLETE',
      reason: expect.stringMatching(
        /may still be cluster admin: .* is not authorized to perform eks:DisassociateAccessPolicy/,
      ),
    });
    expect(world.names()).toEqual([]);
  });
});

function withStatement(
  template: Template,
  action: string,
  change: (statement: object) => object | undefined,
): Template {
  const entries = Object.entries(template).map(([id, resource]) => {
    const statements = resource.Properties?.PolicyDocument?.Statement;
    if (resource.Type !== 'AWS::IAM::Policy') return [id, resource] as const;
    const Statement = statements.flatMap((one: { Action: unknown }) =>
      one.Action === action ? (change(one) ?? []) : [one],
    );
    return [id, { ...resource, Properties: { ...resource.Properties, PolicyDocument: { Statement } } }] as const;
  });
  return Object.fromEntries(entries);
}

function isNoPool(name: string): boolean {
  return !/^(NodePool|EC2NodeClass) /.test(name);
}

/** What is there of a stack that is not; `undefined` if both are. */
function leftOf(ended: Ended, names: readonly string[], tags: number): readonly string[] | undefined {
  const isGone = (name: StackName) => /^(ROLLBACK|DELETE)_COMPLETE$/.test(ended[name]);
  if (!isGone('karpenter') && !isGone('headroom')) return undefined;
  const objects = names.filter(isNoPool).filter((one) => isGone(one.includes('node-pools') ? 'karpenter' : 'headroom'));
  if (!isGone('karpenter')) return objects;
  return [
    ...objects,
    ...(tags > 0 ? ['discovery tags'] : []),
    ...(names.some((one) => !isNoPool(one)) ? ['NodePools'] : []),
  ];
}
