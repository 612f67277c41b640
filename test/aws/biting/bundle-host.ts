import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTagsCommand } from '@aws-sdk/client-ec2';
import { BUNDLE_HANDLER, bundleTo } from '../../../infra/bundling/bundling';
import { hashText } from '../../../shared/core/basics/names';
import type { InProcessProps } from '../../deploys/in-process';
import type { CustomAnswer, CustomEvent, DeployedFunction } from '../../deploys/providers';
import { deployConfig } from '../../deploys/variants';
import { apiRequest, json, loopbackServer, TEST_CA } from '../../fakes/loopback-server';
import { type AnswerDesk, openAnswerDesk } from '../harness/answer-desk';
import { awsClients } from '../harness/aws-clients';
import { type Emulator, REGION, startEmulator } from '../harness/emulator';
import { type LambdaProcess, startLambda } from '../harness/lambda-process';
import { startBitingAws } from './biting-aws';
import { startPolicyEvaluator } from './policy-evaluator';

/** The file in `lambdas/` of the functions whose ids contain these texts, the first that fits. */
const ENTRIES = [
  ['ObjectsChange', 'deploy/change-objects'],
  ['Objects', 'deploy/cluster-objects'],
  ['ClusterEndpoint', 'deploy/cluster-endpoint'],
  ['DeployReconcile', 'deploy/deploy-reconcile'],
  ['Discovery', 'deploy/set-discovery-tags'],
  ['HelmCheckFront', 'deploy/relay'],
  ['HelmCheck', 'deploy/karpenter-check'],
  ['HelmNarrow', 'deploy/drop-admin'],
  ['Reconcile', 'runtime/reconcile'],
] as const;
/** A function's waits are skipped and its clock moves on, over all runs of its process; Lambda must not end any. */
const NO_TIMEOUT_MS = 1_000 * 3_600_000;

/** Runs the bundles of deployed functions, in front of an emulated AWS that bites and a cluster that lets in whom EKS lets in. */
export async function startBundleHost() {
  const folder = mkdtempSync(join(tmpdir(), 'headstart-bundles-'));
  const processes = new Map<string, Promise<LambdaProcess>>();
  let current: InProcessProps | undefined;
  const world = () => {
    if (!current) throw new Error('nothing is deployed yet');
    return current;
  };
  const functionOf = (key: string) => [...world().functions.values()].find(({ id }) => keyOf(id) === key);
  const evaluator = startPolicyEvaluator();
  const desk: AnswerDesk = await openAnswerDesk();
  const cluster = await loopbackServer((seen, response) => {
    const { account, clock } = world();
    // Time passes for the cluster by what it is asked.
    void clock.sleep(1_000);
    const running = account.cluster;
    if (!running || (running.status !== 'ACTIVE' && running.status !== 'UPDATING')) return response.destroy();
    const token = /^Bearer k8s-aws-v1\.(.+)$/.exec(seen.headers.authorization ?? '')?.[1] ?? '';
    const url = new URL(Buffer.from(token, 'base64url').toString());
    const key = url.searchParams.get('X-Amz-Credential')?.split('/')[0] ?? '';
    const entry = running.entries.get(functionOf(key)?.roleArn ?? '');
    const delayed = clock.now() - account.temper.entryDelayMs;
    const { status, body } = running.door.respond(entry, delayed, apiRequest(seen));
    json(response, status, body);
  }, true);
  const emulator: Emulator = await startEmulator({
    kube: { url: cluster.url, caBase64: TEST_CA.toString('base64') },
  });
  const { ec2 } = awsClients(emulator);
  const tagsOf = async (id: string) => {
    const { Tags = [] } = await ec2.send(new DescribeTagsCommand({ Filters: [{ Name: 'resource-id', Values: [id] }] }));
    return Object.fromEntries(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));
  };
  const layer = await startBitingAws({
    emulator,
    tagsOf,
    account: () => world().account,
    roleOf: (key) => functionOf(key)?.roleArn ?? '',
    invoke: async (arn, event) => (await processOf(arn)).run(event),
  });

  /** As Lambda does, one process serves many requests. */
  function processOf(arn: string): Promise<LambdaProcess> {
    const found = world().functions.get(arn);
    if (!found) throw new Error(`Function not found: ${arn}`);
    const key = hashText(JSON.stringify([found.id, found.code, found.environment]));
    const made = processes.get(key) ?? start(found, key);
    processes.set(key, made);
    return made;
  }

  function start({ id, code, environment }: DeployedFunction, key: string): Promise<LambdaProcess> {
    const entry = ENTRIES.find(([part]) => id.includes(part))?.[1] ?? 'runtime/reconcile';
    const bundle = join(folder, key);
    const files = entry === 'deploy/change-objects' ? { 'objects.json': JSON.stringify(code) } : {};
    if (!existsSync(bundle))
      bundleTo(bundle, entry, { files, ...(entry.startsWith('runtime') && { config: deployConfig(String(code)) }) });
    return startLambda({
      folder: bundle,
      handler: BUNDLE_HANDLER,
      timeoutMs: NO_TIMEOUT_MS,
      environment: {
        ...emulator.environment,
        ...environment,
        AWS_ENDPOINT_URL: layer.url,
        AWS_ACCESS_KEY_ID: keyOf(id),
        AWS_REGION: REGION,
        NODE_OPTIONS: `--require ${join(__dirname, 'skipping-clock.cjs')}`,
      },
    });
  }

  return {
    emulator,
    evaluate: evaluator.allows,
    /** Takes over the functions of a new world. */
    host: (props: InProcessProps) => {
      current = props;
      return {
        answer: async (event: CustomEvent): Promise<CustomAnswer | undefined> => {
          const lambda = await processOf(event.ServiceToken);
          return desk.ask(event, lambda.run);
        },
        call: async (arn: string, event: unknown): Promise<void> => {
          const { failed, payload } = await (await processOf(arn)).run(event);
          if (failed) throw new Error(JSON.stringify(payload));
        },
      };
    },
    stop: async () => {
      for (const lambda of processes.values()) await (await lambda).stop();
      await Promise.all([evaluator.stop(), emulator.stop(), layer.close(), cluster.close(), desk.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type BundleHost = Awaited<ReturnType<typeof startBundleHost>>;

/** The access key of a function: it stands for whatever role the function has. */
function keyOf(id: string): string {
  return `AKIA${hashText(id).toUpperCase()}`;
}
