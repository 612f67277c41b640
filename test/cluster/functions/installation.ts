import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIKE, LIVE } from '../../../infra/bundling/build-entry';
import { configText } from '../../../infra/bundling/bundling';
import { ENVIRONMENT } from '../../../shared/adapters/process/environment';
import { headroomName, runtimeGroup } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { EVENT_QUEUE } from '../../../shared/core/events/delivery-limits';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { clusterObjects, switchesOf } from '../../../shared/core/manifests/cluster-object-manifests';
import { loadedConfig } from '../../fakes/loaded-config';
import type { KubeObject } from '../harness/api-client';
import type { Cluster } from '../harness/cluster';
import { bundleOf, type FunctionName, type FunctionProcess, startFunction } from './function-process';

/** A Deployment as the tests look at it. */
export interface HeadroomObject extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly generation: number };
  readonly spec: {
    readonly replicas: number;
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
    };
  };
  readonly status: { readonly readyReplicas?: number };
}

export interface InstallOptions {
  /** As in `headroom.yaml`. */
  readonly nodePools: Readonly<Record<string, object>>;
  /** Another way to the apiserver. @default straight */
  readonly endpoint?: string;
  readonly cloudwatch?: string;
  /** The stack whose headroom it is. @default a stack like any other */
  readonly stack?: string;
  /** @default one of its own */
  readonly namespace?: string;
  /** PEM of the authority that the endpoint's certificate comes from. @default the cluster's */
  readonly ca?: string;
  /** Its clock is the test's, and how old its tokens are says nothing. @default true */
  readonly ownTime?: boolean;
  /** What else the functions find in their environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether `cluster.liveSchedules` is set. @default false */
  readonly liveSchedules?: boolean;
  /** After this Lambda kills a function. @default as deployed */
  readonly timeoutMs?: number;
  /** The folder with the bundles of another version, as the npm package has it. @default those of this checkout */
  readonly bundles?: string | undefined;
}

/** As the functions are deployed. */
const TIMEOUTS_MS: Readonly<Record<FunctionName, number>> = {
  reconcile: 60_000,
  alarm: 60_000,
  inflate: 60_000,
  interruption: EVENT_QUEUE.functionTimeoutSeconds * 1000,
  announce: EVENT_QUEUE.functionTimeoutSeconds * 1000,
};

/** Headstart as it is deployed on the cluster: its objects, its access, its functions. */
export interface Installation {
  readonly namespace: string;
  readonly config: Config;
  /** Hands an event to the warm process of a function. */
  invoke<T = unknown>(name: FunctionName, event: unknown, at?: number): Promise<T>;
  /** Another process of the function, started and idle. */
  start(name: FunctionName): Promise<FunctionProcess>;
  /** What a function's warm process has logged. */
  linesOf(name: FunctionName): readonly Readonly<Record<string, unknown>>[];
  /** Deploys another config: new processes, as Lambda has it. */
  deploy(nodePools: Readonly<Record<string, object>>, endpoint?: string): Promise<void>;
  headroom(nodePool: string): Promise<HeadroomObject>;
  /** The record that the headroom carries. */
  recordOf(headroom: string): Promise<{
    nodePool?: string;
    alarms: object;
    surges: object;
    override?: object;
    counts?: Readonly<Record<string, { nodes: number }>>;
    requests?: Readonly<Record<string, { at: string; ready?: string; why?: string }>>;
    nodeStarts?: Readonly<Record<string, number>>;
  }>;
  pathOf(nodePool: string): string;
  remove(): Promise<void>;
}

/** A config as a person would have written it. */
export function configOf(
  namespace: string,
  nodePools: Readonly<Record<string, object>>,
  liveSchedules = false,
): Config {
  const cluster = { name: 'proof', region: 'eu-west-1', namespace, liveSchedules };
  return loadedConfig(JSON.stringify({ cluster, nodePools }));
}

/** The bundles that a deploy of this config takes. */
function variantOf({ cluster, headrooms }: Config): string {
  return `${cluster.liveSchedules ? LIVE : ''}${headrooms.some(({ like }) => like) ? LIKE : ''}`;
}

/** Puts Headstart on the cluster, in a namespace of its own, with the identity and the rights that a deploy gives. */
export async function install(cluster: Cluster, options: InstallOptions): Promise<Installation> {
  const { namespace = `headroom-${randomUUID().slice(0, 8)}`, stack = 'headstart-test' } = options;
  const accessKeyId = `AKIA${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`;
  cluster.addAccessEntry(accessKeyId, {
    username: `headstart-${namespace}`,
    groups: [runtimeGroup(namespace)],
    ownTime: options.ownTime ?? true,
  });

  const folder = join(cluster.folder, 'configs', namespace, stack);
  mkdirSync(folder, { recursive: true });
  const running = new Map<FunctionName, Promise<FunctionProcess>>();
  const others: FunctionProcess[] = [];
  let config = configOf(namespace, options.nodePools, options.liveSchedules);
  const applyObjects = async () => {
    for (const manifest of clusterObjects(namespace, switchesOf(config))) await cluster.admin.apply(manifest);
  };
  await applyObjects();
  let endpoint = options.endpoint ?? cluster.server;
  writeConfig();

  function writeConfig(): void {
    writeFileSync(join(folder, 'config.json'), configText(config));
  }
  const startProcess = (name: FunctionName) =>
    startFunction(bundleOf(cluster, name, options.bundles, variantOf(config)), {
      timeoutMs: options.timeoutMs ?? TIMEOUTS_MS[name],
      environment: {
        [ENVIRONMENT.endpoint]: endpoint,
        [ENVIRONMENT.certificateAuthority]: Buffer.from(options.ca ?? cluster.ca).toString('base64'),
        [ENVIRONMENT.owner]: `123456789012/eu-west-1/proof/${namespace}/${stack}`,
        [ENVIRONMENT.configFile]: join(folder, 'config.json'),
        ...(options.cloudwatch !== undefined && { [ENVIRONMENT.cloudwatchEndpoint]: options.cloudwatch }),
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_REGION: 'eu-west-1',
        ...options.environment,
      },
    });
  const warm = (name: FunctionName) => {
    const known = running.get(name) ?? startProcess(name);
    running.set(name, known);
    return known;
  };
  const latest = new Map<FunctionName, FunctionProcess>();
  const stopAll = async () => {
    const all = [...(await Promise.all(running.values())), ...others.splice(0)];
    running.clear();
    await Promise.all(all.map((one) => one.stop()));
  };
  const pathOf = (nodePool: string) => `/apis/apps/v1/namespaces/${namespace}/deployments/${headroomName(nodePool)}`;
  const headroom = (nodePool: string) => cluster.admin.send<HeadroomObject>('GET', pathOf(nodePool));
  return {
    namespace,
    get config() {
      return config;
    },
    invoke: async <T>(name: FunctionName, event: unknown, at?: number) => {
      const process = await warm(name);
      latest.set(name, process);
      return (await process.invoke<T>(event, at)).value;
    },
    start: async (name) => {
      const process = await startProcess(name);
      others.push(process);
      return process;
    },
    linesOf: (name) => latest.get(name)?.lines ?? [],
    deploy: async (nodePools, through = endpoint) => {
      await stopAll();
      endpoint = through;
      config = configOf(namespace, nodePools, options.liveSchedules);
      await applyObjects();
      writeConfig();
    },
    headroom,
    recordOf: async (nodePool) =>
      JSON.parse((await headroom(nodePool)).metadata.annotations?.[ANNOTATIONS.record] ?? ''),
    pathOf,
    remove: async () => {
      await stopAll();
      await cluster.heal();
      await cluster.admin.remove(`/api/v1/namespaces/${namespace}`);
    },
  };
}
