import type { V1ConfigMap } from '@kubernetes/client-node';
import { KubeError, orMissing } from '../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../shared/adapters/kube/kube-transport';
import { liveConfigMap, liveSchedulesPath } from '../../shared/adapters/kube/live-ports';
import { LIVE_SCHEDULES } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { loadLive } from '../../shared/core/config/read/load-live';
import { formatProblem } from '../../shared/core/config/yaml/problem';
import { checkParts } from '../../shared/core/live/check-parts';
import { liveTextOf } from '../../shared/core/live/live-text';
import { isOpen } from '../../shared/core/windows/is-open';
import { droppedDates } from '../../shared/drawing/live-edits';
import { deployedConfig } from '../functions/access';
import { openAccess } from '../functions/open-access';
import { withLive } from '../functions/with-live';
import type { AccessOptions } from '../input/access-options';
import { readFileOrFail } from '../input/files';
import { loadOrFail } from '../input/load-or-fail';
import { comparePlans } from '../plan/compare-plans';
import { drawComparison } from '../plan/draw-comparison';
import { EXIT, InputError } from '../terminal/exit';
import { plain } from '../terminal/plain';
import { confirm, type Terminal } from '../terminal/terminal';

const MANAGER = 'headstart-cli';
const DAY = 86_400_000;

export interface ApplyOptions extends AccessOptions {
  readonly kubeconfig: string;
  readonly clear?: boolean;
  readonly deployed?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export async function apply(file: string | undefined, options: ApplyOptions, terminal: Terminal): Promise<number> {
  if ((file === undefined) === (options.clear !== true))
    throw new InputError('apply needs a file with nodePools, or --clear');
  const config = await liveConfig(options, terminal);
  const access = await openAccess(options, config, terminal);
  const mismatch = options.otherCluster ? undefined : await access.mismatch?.();
  const { transport } = access;
  if (mismatch !== undefined)
    throw new InputError(`${mismatch}; nothing was changed: pass the kubeconfig of this one, or add --other-cluster`);
  if (!transport) throw new InputError('apply needs --kubeconfig');

  const now = terminal.now();
  const before = await withLive(config, access);
  const text = file && readFileOrFail(file, { expected: 'a YAML file with nodePools, or - for standard input' });
  const after = text === undefined ? config : checkedConfig({ file: file ?? '', text }, config, before, now);
  const found = await orMissing(transport.get<V1ConfigMap>(liveSchedulesPath(config.cluster.namespace)));
  const names = { before: 'what counts now', after: file ?? 'what is deployed' };
  terminal.out(drawComparison(comparePlans(before, after, now, now + DAY), names, terminal));
  for (const text of droppedIn(before, after)) terminal.err(`${text}: the window opens on dates without it\n`);
  const owner = found && liveConfigMap(found).edit?.by;
  if (owner !== undefined && owner !== MANAGER)
    terminal.err(`the ConfigMap ${LIVE_SCHEDULES} was last changed by ${plain(owner)}, which may change it back\n`);
  if (options.dryRun) return EXIT.ok;
  if (!options.yes)
    await confirm(
      `Write ConfigMap ${LIVE_SCHEDULES} on ${access.place}?`,
      'nobody can confirm this; add --yes, or --dry-run to look only',
      terminal,
    );
  await write(transport, config.cluster.namespace, text, found);
  const when = text === undefined ? 'in two minutes' : 'from the next heartbeat';
  terminal.out(`${text === undefined ? 'deleted' : 'wrote'} ConfigMap ${LIVE_SCHEDULES}; it counts ${when}\n`);
  return EXIT.ok;
}

async function liveConfig(options: ApplyOptions, terminal: Terminal): Promise<Config> {
  const local = loadOrFail(options, terminal);
  const { functionAccess } = await import('../functions/function-access');
  const config = options.deployed ? await deployedConfig(await functionAccess(local.cluster, terminal)) : local;
  if (!config.cluster.liveSchedules)
    throw new InputError(`cluster.liveSchedules is not set in ${options.config}; set it to true and deploy once`);
  return config;
}

/** What would count with the text; everything that a deploy may cause later is refused now. */
function checkedConfig(source: { file: string; text: string }, config: Config, before: Config, now: number): Config {
  const seen = liveTextOf({ data: { [source.file]: source.text }, binaryKeys: [] }, now);
  if (seen.kind === 'broken') throw new InputError(seen.problem);
  const loaded = loadLive(source);
  if (!loaded.ok) throw new InputError(loaded.problems.map(formatProblem).join('\n'));
  const checked = checkParts(loaded.parts, config, { by: MANAGER, at: new Date(now).toISOString() });
  const problems = [...checked.problems, ...turnedRelative(before, checked.config, now)];
  if (problems.length > 0) throw new InputError(problems.map((text) => `${source.file}: ${text}`).join('\n'));
  return checked.config;
}

/** A window that is open would count the nodes that it brought itself. */
function turnedRelative(before: Config, after: Config, now: number): string[] {
  return after.headrooms.flatMap(({ name, windows }) => {
    const old = before.headrooms.find((pool) => pool.name === name);
    const turned = windows.filter(({ name: window, relative }) => {
      const was = relative && old?.windows.find((one) => one.name === window);
      return was && !was.relative && isOpen(was, now, old?.leadMinutes);
    });
    return turned.map(
      (one) =>
        `nodePools.${name}: ${one.name} is open and cannot become addNodes now; wait for its end, or give the new window another name and a later start`,
    );
  });
}

/** A live window replaces a deployed one as a whole, so that holidays are easily forgotten. */
function droppedIn(before: Config, after: Config): string[] {
  return after.headrooms.flatMap(({ name, windows }) => {
    const old = before.headrooms.find((pool) => pool.name === name)?.windows ?? [];
    return windows.flatMap((window) => {
      const was = old.find((one) => one.name === window.name);
      const dropped = was && droppedDates(was, window);
      return dropped ? [`nodePools.${name}: ${window.name}: ${dropped}`] : [];
    });
  });
}

async function write(
  transport: KubeTransport,
  namespace: string,
  text: string | undefined,
  found: V1ConfigMap | undefined,
): Promise<void> {
  const path = liveSchedulesPath(namespace);
  if (text === undefined) return void (await orMissing(transport.delete(path)));
  const [key = 'schedules.yaml', ...others] = Object.keys(found?.data ?? {});
  if (others.length > 0) throw new InputError(`ConfigMap ${LIVE_SCHEDULES} has several keys; delete all but one first`);
  const manifest = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: LIVE_SCHEDULES, namespace },
    data: { [key]: text },
  };
  await transport.apply(path, manifest, MANAGER, { force: false }).catch((error: unknown) => {
    if (!(error instanceof KubeError && error.status === 409)) throw error;
    throw new InputError(
      `another field manager owns the text, so nothing was changed; edit it there (${error.message})`,
    );
  });
}
