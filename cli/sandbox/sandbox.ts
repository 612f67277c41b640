import { serveConsole } from '../../console/server/server';
import { foldersOf } from '../../console/server/static-files';
import type { StartedSource } from '../../console/sources/console-source';
import { startRealCluster } from '../../console/sources/start-real-cluster';
import { startSimulation } from '../../console/sources/start-simulation';
import { configPaths, loadConfigFiles } from '../../shared/adapters/files/config-files';
import type { Connection } from '../../shared/adapters/kube/connection';
import { kubeCluster } from '../../shared/adapters/kube/kube-cluster';
import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import type { Config } from '../../shared/core/config/config';
import { formatProblem } from '../../shared/core/config/yaml/problem';
import { openConnection } from '../access/cluster-access';
import { kubeconfigCluster } from '../access/kubeconfig-cluster';
import { clusterMismatch, foundOwners } from '../access/same-cluster';
import { loadOrFail } from '../input/load-config';
import { EXIT, InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { watchFiles } from './config-watch';
import { runHeadless } from './headless';
import { readOptions, type SandboxOptions, type StartOptions } from './options';

/** Runs the sandbox: its console until Ctrl-C, or one headless run. */
export async function sandbox(given: SandboxOptions, terminal: Terminal, root: string): Promise<number> {
  const options = readOptions(given, terminal.now());
  const config = loadOrFail(options, terminal);
  if (options.headless) terminal.out(await runHeadless(config, options, terminal.width));
  else await runConsole(config, options, terminal, root);
  return EXIT.ok;
}

async function runConsole(config: Config, options: StartOptions, terminal: Terminal, root: string): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    // Only once, so that a second Ctrl-C ends the process immediately.
    const stopListening = terminal.onInterrupt(() => {
      stopListening();
      resolve();
    });
  });
  const started = await start(config, options);
  const { source } = started;
  try {
    const server = await serveConsole(source, {
      folders: foldersOf(root),
      ...(options.port !== undefined && { port: options.port }),
    });
    const paths = configPaths(options.config, options.env);
    const watching = watchFiles(paths, () => reload(options, started));
    terminal.out(
      [
        started.greeting,
        `  console    ${server.url}`,
        ...started.lines.map((line) => `  ${line}`),
        `  config     ${paths.join(' + ')}, read again whenever it changes`,
        '',
        'Stop it with Ctrl-C.\n',
      ].join('\n'),
    );
    await interrupted;
    await watching.close();
    await server.close();
  } finally {
    await started.stop();
  }
}

async function start(config: Config, options: StartOptions): Promise<StartedSource> {
  if (options.kubeconfig === undefined) return startSimulation(config, options);
  const connection = await openConnection(options.kubeconfig);
  return startRealCluster(connection, config, {
    act: options.act === true,
    mismatch: await mismatchOf(connection, config, options),
  });
}

/** What says that the kubeconfig is for another cluster; a console that acts is refused then. */
async function mismatchOf(connection: Connection, config: Config, { kubeconfig = '', act }: StartOptions) {
  const cluster = kubeCluster(kubeTransport(connection, { maxTries: 1 }), config.cluster.namespace);
  const mismatch = clusterMismatch(config.cluster, await kubeconfigCluster(kubeconfig), await foundOwners(cluster));
  if (mismatch !== undefined && act)
    throw new InputError(`${mismatch}; nothing was changed: pass the config of that cluster with -c, or remove --act`);
  return mismatch;
}

/** Deploys a changed config; if it is invalid, the console shows its problems instead. */
async function reload({ config, env }: StartOptions, { source }: StartedSource): Promise<void> {
  const loaded = loadConfigFiles(config, env);
  source.configProblems = loaded.ok ? [] : loaded.problems.map(formatProblem);
  if (loaded.ok) await source.useConfig(loaded.config);
}
