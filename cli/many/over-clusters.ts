import { overlaidFiles } from '../../shared/adapters/files/config-files';
import { expandPattern } from '../../shared/adapters/files/config-glob';
import { messageOf } from '../../shared/core/basics/errors';
import { inParallel } from '../../shared/core/basics/promises';
import type { Config } from '../../shared/core/config/config';
import { count } from '../../shared/drawing/amounts';
import { type ConfigOptions, loadOrFail } from '../input/load-or-fail';
import { EXIT, InputError } from '../terminal/exit';
import { plain } from '../terminal/plain';
import { confirm, jsonText, type Terminal } from '../terminal/terminal';
import { drawRows } from './draw-rows';

/** What a command says of one cluster, made of what it prints with `--json`. */
export interface Said {
  readonly text: string;
  /** How much is wrong, at least 0: the table begins with the most. */
  readonly trouble: number;
}

/** How a command runs over many clusters. */
export interface OverClusters<Options extends ConfigOptions> {
  /** The command for one cluster. */
  readonly run: (options: Options, terminal: Terminal) => number | Promise<number>;
  readonly said: (result: never) => Said;
  /** Options that are for one cluster. */
  readonly alone: readonly (keyof Options & string)[];
  /** Of a command that writes: what it writes to this cluster, or an error if it cannot. */
  readonly writes?: (config: Config, options: Options) => string;
  /** A person has agreed already. */
  readonly yes?: boolean | undefined;
  /** @default enough for the waits of many clusters to overlap, few enough for the limits of an account */
  readonly atOnce?: number;
  /** Leaves out clusters without trouble. */
  readonly onlyTrouble?: boolean | undefined;
}

export interface Row {
  readonly config: string;
  readonly cluster?: string | undefined;
  readonly region?: string | undefined;
  readonly account?: string | undefined;
  readonly exitCode: number;
  readonly error?: string | undefined;
  readonly result?: unknown;
}

/** Warnings of a cluster, which go to stderr, and what would be written. */
interface Noted<Options> extends Row {
  readonly wave?: number | undefined;
  /** Of a cluster without an error. */
  readonly said?: Said;
  readonly options: Options;
  readonly notes: readonly string[];
  readonly will?: string;
}

const AT_ONCE = 10;

/** Runs a command for each config that a pattern matches: one table or JSON array, and the worst exit code. */
export async function overClusters<Options extends ConfigOptions>(
  options: Options,
  terminal: Terminal,
  command: OverClusters<Options>,
): Promise<number> {
  refuseAlone(options, command);
  const { files, left } = expandPattern(options.config);
  for (const { file, why } of left) terminal.err(`${file} is left out: ${why}\n`);
  if (files.length === 0) throw new InputError(`-c ${options.config} matches no config; check the path`);
  const all = withOverlays(files, options).map((one) => prepare(one, terminal, command));
  const prepared = ofWave(all, options);
  if (command.writes && !command.yes) await confirmAll(prepared, terminal);
  const done = await inParallel(prepared, command.atOnce ?? AT_ONCE, async (one) => {
    if (one.error !== undefined) return one;
    const row = await runOne(one, terminal, command);
    if (command.writes && terminal.redraws) terminal.err(`${row.cluster}: ${saidOf(row).text}\n`);
    return row;
  });
  const rows = done.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  for (const { cluster, config, notes } of rows)
    for (const note of notes) terminal.err(`${cluster ?? config}: ${note}\n`);
  if (options.json) terminal.out(jsonText(rows.map(publicRow)));
  else
    terminal.out(
      drawRows(
        rows.map((row) => ({ ...row, ...saidOf(row) })),
        command,
        terminal,
      ),
    );
  return Math.max(...rows.map(({ exitCode }) => exitCode));
}

function withOverlays<Options extends ConfigOptions>(files: readonly string[], options: Options): readonly Options[] {
  const { env, ...others } = options;
  const overlaid = overlaidFiles(files, env);
  return files.map((config) => ({ ...(overlaid.includes(config) ? options : (others as Options)), config }));
}

/** A config that cannot be read may be of any wave. */
function ofWave<Options extends ConfigOptions>(
  rows: readonly Noted<Options>[],
  { wave }: Options,
): readonly Noted<Options>[] {
  if (wave === undefined) return rows;
  const found = rows.filter((row) => row.cluster === undefined || String(row.wave) === wave);
  if (found.length > 0) return found;
  throw new InputError(`--wave ${wave}: no cluster has cluster.wave: ${wave}; write it in their configs`);
}

function publicRow({ config, cluster, region, account, exitCode, error, result }: Row): Row {
  return { config, cluster, region, account, exitCode, error, result };
}

function refuseAlone<Options extends ConfigOptions>(options: Options, { alone }: OverClusters<Options>): void {
  const given = alone.filter((option) => options[option] !== undefined && options[option] !== false);
  if (given.length === 0) return;
  const flags = given.map((option) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  throw new InputError(
    `${flags.join(', ')} can only be used with one cluster, and -c ${options.config} is for several`,
  );
}

function prepare<Options extends ConfigOptions>(
  options: Options,
  terminal: Terminal,
  { writes }: OverClusters<Options>,
): Noted<Options> {
  const notes: string[] = [];
  const quiet = { ...terminal, err: (text: string) => notes.push(text.trimEnd()) };
  const about = { options, config: options.config, exitCode: EXIT.ok, notes };
  try {
    const config = loadOrFail(options, quiet);
    const { name, region, account, wave } = config.cluster;
    const known = { ...about, wave, cluster: name, region, account };
    try {
      return writes ? { ...known, will: writes(config, options) } : known;
    } catch (error) {
      return failed(known, error);
    }
  } catch (error) {
    return failed(about, error);
  }
}

function failed<Options>(row: Noted<Options>, error: unknown): Noted<Options> {
  const exitCode = error instanceof InputError ? EXIT.invalidInput : EXIT.failed;
  return { ...row, exitCode, error: messageOf(error).split('\n').map(plain).join('\n') };
}

/** Nothing is written to any cluster before somebody has seen all of them. */
async function confirmAll(prepared: readonly Noted<unknown>[], terminal: Terminal): Promise<void> {
  const [ready, not] = [prepared.filter(({ error }) => error === undefined), prepared.filter(({ error }) => error)];
  const list = ready.map(({ cluster, region, will }) => `  ${cluster} (${region}): ${will}\n`);
  const others = not.map(({ cluster, config, error }) => `  not ${cluster ?? config}: ${error}\n`);
  if (ready.length === 0) return;
  const what = count(ready.length, 'cluster');
  terminal.err([`${what}:\n`, ...list, ...others].join(''));
  await confirm(`Write to ${what}?`, `no terminal to confirm writing to ${what} on; add --yes`, terminal);
}

async function runOne<Options extends ConfigOptions>(
  prepared: Noted<Options>,
  terminal: Terminal,
  { run, said }: OverClusters<Options>,
): Promise<Noted<Options>> {
  let printed = '';
  const notes = new Set(prepared.notes);
  const quiet: Terminal = {
    ...terminal,
    out: (text) => {
      printed += text;
    },
    err: (text) => notes.add(text.trimEnd()),
    interactive: false,
    redraws: false,
  };
  try {
    const exitCode = await run({ ...prepared.options, json: true, yes: true }, quiet);
    const result = JSON.parse(printed);
    // Here, so that a result which makes no sense is the error of its cluster and hides no other one.
    return { ...prepared, notes: [...notes], exitCode, result, said: said(result as never) };
  } catch (error) {
    return failed({ ...prepared, notes: [...notes] }, error);
  }
}

function saidOf({ said, error = '' }: Noted<unknown>): Said {
  return said ?? { text: error, trouble: Number.POSITIVE_INFINITY };
}
