import { sendOverride } from '../../cli/functions/access';
import { clusterAccess } from '../../cli/functions/kubeconfig-access';
import { type ConfigOptions, loadOrFail } from '../../cli/input/load-or-fail';
import { openConnection } from '../../cli/kube/open-cluster';
import { EXIT } from '../../cli/terminal/exit';
import type { Terminal } from '../../cli/terminal/terminal';
import { configPaths, loadConfigFiles } from '../../shared/adapters/files/config-files';
import { count } from '../../shared/core/basics/count';
import type { Config } from '../../shared/core/config/config';
import { formatProblem } from '../../shared/core/config/yaml/problem';
import { serveConsole } from '../console/server/server';
import { foldersOf } from '../console/server/static-files';
import type { StartedSource } from '../console/sources/console-source';
import { startRealCluster } from '../console/sources/start-real-cluster';
import { startSimulation } from '../console/sources/start-simulation';
import { watchFiles } from './config-watch';
import { DEMO, demoInsteadOf, demoNote } from './demo';
import { runHeadless } from './headless';
import { readOptions, type SandboxOptions, type StartOptions } from './sandbox-options';

export async function sandbox(given: SandboxOptions, terminal: Terminal, root: string): Promise<number> {
  const options = readOptions(given, terminal.now());
  if (options.headless) terminal.out(await runHeadless(loadOrFail(options, terminal), options, terminal.width));
  else await runConsole(options, terminal, root);
  return EXIT.ok;
}

async function runConsole(options: StartOptions, terminal: Terminal, root: string): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    // Only once, so that a second Ctrl-C ends the process immediately.
    const stopListening = terminal.onInterrupt(() => {
      stopListening();
      resolve();
    });
  });
  const { files, notes } = shownFiles(options, root);
  const config = loadOrFail({ ...options, ...files }, terminal);
  const started = await start(config, options, terminal);
  const { source } = started;
  source.notes = notes;
  try {
    const server = await serveConsole(source, {
      folders: foldersOf(root),
      ...(options.port !== undefined && { port: options.port }),
    });
    const paths = configPaths(options.config, options.env);
    const watching = watchFiles(paths, () => reload(options, started, root));
    terminal.out(
      [
        started.greeting,
        `  console    ${server.url}`,
        ...started.lines.map((line) => `  ${line}`),
        `  config     ${paths.join(' + ')}, read again whenever it changes`,
        ...notes.map((note) => `             ${note}; its commands take -c ${DEMO}`),
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

async function start(config: Config, options: StartOptions, terminal: Terminal): Promise<StartedSource> {
  const { kubeconfig } = options;
  if (kubeconfig === undefined) {
    const headrooms = count(config.headrooms.length, 'headroom');
    terminal.err(`Starting ${headrooms}: the simulation warms up first, with nodes for what runs before the peak.\n`);
    return startSimulation(config, options);
  }
  const accessTo = (current: Config) => clusterAccess({ ...options, kubeconfig }, current, terminal);
  return startRealCluster(await openConnection(kubeconfig), config, {
    mismatch: async () => (await accessTo(config)).mismatch?.(),
    sendOverride: async (current, request) =>
      sendOverride(await accessTo(current), { ...request, by: terminal.user() }),
  });
}

/** Deploys a changed config; if it is invalid, the console shows its problems instead. */
async function reload(options: StartOptions, { source }: StartedSource, root: string): Promise<void> {
  const { files, notes } = shownFiles(options, root);
  const loaded = loadConfigFiles(files.config, files.env);
  source.configProblems = loaded.ok ? [] : loaded.problems.map(formatProblem);
  const isOther = notes.length !== source.notes.length;
  source.notes = notes;
  if (loaded.ok) await (isOther && source.restart ? source.restart(loaded.config) : source.useConfig(loaded.config));
}

/** The config that a simulation runs: a demo instead of one that nobody has edited yet. */
function shownFiles({ config, env, kubeconfig }: StartOptions, root: string) {
  const demo = kubeconfig === undefined ? demoInsteadOf(config, env, root) : undefined;
  const files: ConfigOptions = demo === undefined ? { config, ...(env !== undefined && { env }) } : { config: demo };
  return { files, notes: demo === undefined ? [] : [demoNote(config)] };
}
