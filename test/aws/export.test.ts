import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, CreateStackCommand, DeleteStackCommand } from '@aws-sdk/client-cloudformation';
import { runCli } from '../cli/run-cli';
import { runCommand } from '../cluster/harness/process/run-command';
import { tempFolder } from '../fakes/temp-folder';
import { createCluster } from './harness/aws-clients';
import { deployedStack } from './harness/deployed-stack';
import { type EmulatedAccount, startAccount } from './harness/emulated-account';
import { CREDENTIALS, REGION } from './harness/emulator';
import { describeAws, installation } from './harness/shared-installation';

process.env.CDK_VALIDATION = 'false';
const BUCKET = 'my-artifacts';
const STACK = 'platform-headroom';
const CONFIG = `
cluster: {name: shop, region: ${REGION}}
nodePools:
  default:
    max: 12
    base: 2
    alarms: [{alarmName: p95-high, add: 3, hold: 10m}]
    interruptions: {surge: 1, max: 4, hold: 10m}
    events: [{name: sale, pattern: {source: [shop]}, cancel: {source: [shop.cms]}, desiredReplicas: 4, hold: 1h}]
    schedules: [{name: leap-day, timezone: Asia/Seoul, start: 30 11 29 2 *, end: 30 13 29 2 *, desiredReplicas: 6}]
`;

describeAws('an exported stack, in an account that was never bootstrapped,', () => {
  const folder = tempFolder();
  const out = join(folder, 'dist');
  let account: EmulatedAccount;
  let { world, host, emulator, aws }: EmulatedAccount = {} as EmulatedAccount;
  let cloudFormation: CloudFormationClient;

  beforeAll(async () => {
    account = await startAccount();
    ({ world, host, emulator, aws } = account);
    cloudFormation = new CloudFormationClient({ region: REGION, endpoint: emulator.url, credentials: CREDENTIALS });
    writeFileSync(join(folder, 'headroom.yaml'), CONFIG);
    const { code, err } = await runCli(['export', '-c', join(folder, 'headroom.yaml'), '--out', out]);
    if (code !== 0) throw new Error(err);
  });
  afterAll(async () => {
    await account?.stop();
  });

  test('passes cfn-lint', async () => {
    const args = ['--non-zero-exit-code', 'error', '--regions', REGION, '--', 'headstart.template.json'];
    await runCommand({ program: installation().cfnLint, args, cwd: out });
  });

  test('is created from the bucket, its functions answer, and it leaves nothing when it is deleted', async () => {
    await createCluster(aws.eks, 'shop');
    await put('');
    for (const file of readdirSync(join(out, 'assets')))
      await put(`/headstart/${file}`, readFileSync(join(out, 'assets', file)));
    await put('/headstart/template.json', readFileSync(join(out, 'headstart.template.json')));
    await cloudFormation.send(
      new CreateStackCommand({
        StackName: STACK,
        TemplateURL: `${emulator.url}/${BUCKET}/headstart/template.json`,
        Parameters: [{ ParameterKey: 'AssetsBucket', ParameterValue: BUCKET }],
        Capabilities: ['CAPABILITY_NAMED_IAM'],
      }),
    );

    const { made } = await deployedStack(emulator, STACK);
    const functions = /"Type": "AWS::Lambda::Function"/g;
    const template = readFileSync(join(out, 'headstart.template.json'), 'utf8');
    expect(made['AWS::Lambda::Function']).toBe([...template.matchAll(functions)].length);
    expect(host.ran).toEqual(expect.arrayContaining(['Create Custom::HeadstartDeployReconcile']));
    expect(host.notRun).toEqual([]);
    expect(world.find('Deployment', 'headroom-default')?.spec).toMatchObject({ replicas: 2 });

    const override = { headroom: 'default', atLeast: 9, for: '10m', by: 'ana' };
    const answer = await account.invoke('headstart-shop-inflate', override);
    expect(answer).toMatchObject({ decisions: [{ replicas: 9 }] });
    expect(world.find('Deployment', 'headroom-default')?.spec).toMatchObject({ replicas: 9 });

    await cloudFormation.send(new DeleteStackCommand({ StackName: STACK }));
    expect(world.names()).toEqual([]);
  });

  /** Makes the bucket, or an object in it. */
  async function put(key: string, body?: Buffer): Promise<void> {
    const authorization = `AWS4-HMAC-SHA256 Credential=testing/20261116/${REGION}/s3/aws4_request`;
    const place = `<CreateBucketConfiguration><LocationConstraint>${REGION}</LocationConstraint></CreateBucketConfiguration>`;
    const answer = await fetch(`${emulator.url}/${BUCKET}${key}`, {
      method: 'PUT',
      headers: { authorization },
      body: body ? new Uint8Array(body) : place,
    });
    if (!answer.ok) throw new Error(`${key}: ${answer.status} ${await answer.text()}`);
  }
});
