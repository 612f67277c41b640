import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeTerminal, runCli } from '../../cli/run-cli';
import { tempFolder } from '../../fakes/temp-folder';
import { installOnePool, type OnePool } from '../functions/one-pool';
import { eventually } from '../harness/process/eventually';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { startWebhook, type Webhook, type WebhookOptions } from '../harness/webhook';
import { type Pod, podsOf } from '../workload/pods';
import { createPool, PATIENCE_MS, type Pool, settled } from '../workload/pool';
import { testTogether } from '../workload/testing-together';

interface AskedPod extends Pod {
  readonly spec: Pod['spec'] & {
    readonly containers: readonly { readonly resources?: { readonly requests?: object } }[];
  };
}

const NODE_POOL = 'admitted';
const FLOOR = { base: 2, max: 5, unit: { floor: { cpu: 2 } } };
const ROOM = { base: 2, max: 5 };

const wantsTeam = ({ metadata }: AskedPod) => metadata.labels?.team === undefined && 'the label team is required';
const wantsRequests = ({ spec }: AskedPod) =>
  spec.containers.some(({ resources }) => resources?.requests === undefined) && 'requests are required';
const refusesDryRuns = (_: AskedPod, dryRun: boolean) => dryRun && 'dry runs are not supported here';

jest.setTimeout(2 * PATIENCE_MS);

describeCluster("the house's rules for pods", () => {
  const home = tempFolder();
  let one: OnePool;
  let webhook: Webhook | undefined;

  afterEach(async () => {
    await webhook?.remove();
    webhook = undefined;
    await one?.headstart.remove();
  });

  async function begin(pool: object, refuse: NonNullable<WebhookOptions<AskedPod>['refuse']>): Promise<void> {
    one = await installOnePool(NODE_POOL, pool);
    webhook = await startWebhook(one.cluster, { resource: 'pods', namespace: one.headstart.namespace, refuse });
    await one.tick(0);
  }

  /** What doctor says of the pause pods, in one line. */
  async function doctor(pool: object): Promise<string> {
    const file = join(home, 'headroom.yaml');
    const { namespace } = one.headstart;
    const cluster = { name: 'proof', region: 'eu-west-1', namespace };
    writeFileSync(file, JSON.stringify({ cluster, nodePools: { [NODE_POOL]: pool } }));
    const { out } = await runCli(
      ['doctor', '-c', file, '--kubeconfig', one.cluster.kubeconfigPath],
      fakeTerminal({ now: Date.now, width: 1000 }),
    );
    return out;
  }

  const pods = () => podsOf(one.cluster, one.headstart.namespace);
  const podsCome = (count: number) =>
    eventually(async () => (await pods()).length === count, { what: `${count} pause pods`, timeoutMs: 60_000 });
  const podsAreRefused = () =>
    eventually(
      async () => {
        const events = await one.cluster.admin.list<{ readonly message?: string } & Pod>(
          `/api/v1/namespaces/${one.headstart.namespace}/events`,
        );
        return events.some(({ message = '' }) => message.includes('denied the request'));
      },
      { what: 'an Event about the refused pods', timeoutMs: 60_000 },
    );

  test('a policy that demands a label: doctor says it, the deploy succeeds without pods, podLabels bring them', async () => {
    await begin(ROOM, wantsTeam);
    await podsAreRefused();
    expect(await pods()).toEqual([]);
    const said = await doctor(ROOM);
    expect(said).toContain(`error: pause pods of ${NODE_POOL} are refused by the cluster`);
    expect(said).toContain('the label team is required');

    const labelled = { ...ROOM, podLabels: { team: 'shop' } };
    expect(await doctor(labelled)).not.toContain('are refused');
    await one.headstart.deploy({ [NODE_POOL]: labelled });
    await one.tick(1);
    await podsCome(2);
  });

  test('a policy that demands requests: room passes, a floor needs the exemption', async () => {
    await begin(FLOOR, wantsRequests);
    await podsAreRefused();
    expect(await pods()).toEqual([]);
    expect(await doctor(FLOOR)).toContain(
      'a floor pod has no requests, so a policy that demands them needs the exemption',
    );
    expect(await doctor(ROOM)).not.toContain('are refused');
  });

  test('a webhook that refuses dry runs: doctor cannot say, and the pods come', async () => {
    await begin(ROOM, refusesDryRuns);
    await podsCome(2);
    const said = await doctor(ROOM);
    expect(said).toContain(`note: pause pods of ${NODE_POOL} could not be tried: a webhook does not support dry runs`);
    expect(said).not.toContain('are refused');
  });
});

describeCluster('labels of pause pods', () => {
  const pools: Pool[] = [];

  afterAll(() => Promise.all(pools.map((pool) => pool.remove())));

  /** New labels, and the same nodes long after. */
  const relabel = (headroom: object) => async () => {
    const pool = await createPool(await sharedCluster(), { headroom: () => headroom });
    pools.push(pool);
    await pool.tick(0);
    await pool.awaitHeadroom(3);
    const names = async () => (await pool.claims()).map(({ metadata }) => metadata.name).sort();
    const before = await settled(names, 20_000);

    const labelled = { ...headroom, podLabels: { team: 'shop' }, podAnnotations: { a: 'b' } };
    await pool.headstart.deploy({ [pool.name]: labelled });
    await pool.tick(1);
    await eventually(
      async () => (await pool.headroomPods()).every(({ metadata }) => metadata.labels?.team === 'shop'),
      { what: 'pods with the new label', timeoutMs: PATIENCE_MS },
    );
    await pool.awaitHeadroom(3);
    expect(await settled(names, 30_000)).toEqual(before);
  };

  testTogether({
    'a change brings room no node more and none less': relabel({ base: 3, max: 5, unit: { node: { cpu: 1 } } }),
    'a change brings a floor no node more and none less': relabel({ base: 3, max: 5, unit: { floor: { cpu: 2 } } }),
  });
});
