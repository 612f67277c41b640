import { serveConsole } from '../../console/server/server';
import { foldersOf } from '../../console/server/static-files';
import type { StartedSource } from '../../console/sources/console-source';
import { startRealCluster } from '../../console/sources/start-real-cluster';
import { startSimulation } from '../../console/sources/start-simulation';
import { configPaths, loadConfigFiles } from '../../shared/adapters/config-files';
import { messageOf } from '../../shared/core/basics/errors';
import type { Config } from '../../shared/core/config/config';
import { formatProblem } from '../../shared/core/config/problem';
import { runHeadless } from '../../simulator/run/headless';
import { OptionError, type StartOptions } from '../../simulator/run/start-options';
import { watchFiles } from './config-watch';
import { HELP, readOptions } from './options';

/** What `npm start` is given by whoever calls it. */
export interface Surroundings {
  /** The folder of the checkout: the page and its library lie under it. */
  readonly root: string;
  readonly write: (text: string) => void;
  /** Ends the console; Ctrl-C does by default. */
  readonly end?: Promise<void>;
}

/** 0 fine, 1 the user's input is wrong, 2 the outside world failed. */
const EXIT = { fine: 0, input: 1, outside: 2 } as const;

/** Runs `npm start` and answers the exit code. */
export async function main(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    const options = readOptions(argv);
    if (options.mode === 'help') surroundings.write(HELP);
    else if (options.mode === 'headless') surroundings.write(await runHeadless(loadOrFail(options), options));
    else await runConsole(options, surroundings);
    return EXIT.fine;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return error instanceof OptionError ? EXIT.input : EXIT.outside;
  }
}

function loadOrFail({ config, env }: StartOptions): Config {
  const loaded = loadConfigFiles(config, env);
  if (loaded.ok) return loaded.config;
  throw new OptionError(loaded.problems.map(formatProblem).join('\n'));
}

async function runConsole(options: StartOptions, { root, write, end = interrupted() }: Surroundings): Promise<void> {
  const config = loadOrFail(options);
  const started =
    options.kubeconfig === undefined ? await startSimulation(config, options) : await startRealCluster(config, options);
  const { source } = started;
  try {
    const server = await serveConsole(source, {
      folders: foldersOf(root),
      ...(options.port !== undefined && { port: options.port }),
    });
    const paths = configPaths(options.config, options.env);
    const watching = watchFiles(paths, () => reload(options, started));
    write(`${started.greeting}\n  console    ${server.url}\n${started.lines.map((line) => `  ${line}\n`).join('')}`);
    write(`  config     ${paths.join(' + ')}, read again whenever it changes\n\nCtrl-C ends it.\n`);
    await end;
    watching.close();
    await server.close();
  } finally {
    await started.stop();
  }
}

/** A changed file is deployed; one with a mistake is not, and its problems are shown. */
async function reload({ config, env }: StartOptions, { source }: StartedSource): Promise<void> {
  const loaded = loadConfigFiles(config, env);
  source.configProblems = loaded.ok ? [] : loaded.problems.map(formatProblem);
  if (loaded.ok) await source.useConfig(loaded.config);
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
