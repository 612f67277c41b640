import { loadConfigFiles } from '../../shared/adapters/files/config-files';
import { kubeCluster } from '../../shared/adapters/kube/kube-cluster';
import { messageOf } from '../../shared/core/basics/errors';
import type { Config } from '../../shared/core/config/config';
import type { LoadedConfig } from '../../shared/core/config/read/load';
import type { Problem } from '../../shared/core/config/yaml/problem';
import { openCluster } from '../access/cluster-access';
import { explainClusterError } from '../access/explain-cluster-error';
import { kubeconfigCluster } from '../access/kubeconfig-cluster';
import { foundOwners } from '../access/same-cluster';
import { type Commands, commandsFor } from '../input/commands';
import type { ConfigOptions } from '../input/load-config';
import { EXIT } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { checkCluster } from './check-cluster';
import { karpenterText } from './checks/check-controllers';
import { checkSameCluster } from './checks/check-same-cluster';
import { type Checkup, type Diagnosis, error, type Finding, type Skipped } from './checks/finding';
import { drawDoctor } from './draw-doctor';
import type { AccountFacts } from './facts/account-facts';
import { readCluster } from './facts/read-cluster';
import { drawReport, type LiveReport } from './live/report';

export interface DoctorOptions extends ConfigOptions {
  readonly kubeconfig?: string;
  readonly aws?: boolean;
  readonly live?: string;
  readonly timeout: string;
  readonly function?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** The cluster and the AWS account. */
const PARTS = 2;

/** The checks of one part; `entered` is false if it could not be accessed. */
interface Part {
  readonly checkups: readonly Checkup[];
  readonly seen?: readonly string[];
  readonly entered: boolean;
}

/** What the checks of every part need besides the config. */
interface Looking {
  readonly now: () => number;
  readonly commands: Commands;
}

/** Checks config, cluster and AWS account, and suggests a fix for each problem. */
export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<number> {
  const loaded = loadConfigFiles(options.config, options.env);
  const commands = commandsFor(options, terminal);
  const configCheckup = configFindings(loaded, commands);
  const parts = loaded.ok ? await look(options, loaded.config, { commands, now: terminal.now }) : {};
  const { cluster, account } = parts;
  const diagnosis: Diagnosis = {
    checkups: [configCheckup, ...(cluster?.checkups ?? []), ...(account?.checkups ?? [])],
    seen: cluster?.seen ?? [],
    skipped: [...skipped('the cluster', '--kubeconfig FILE', cluster), ...skipped('the AWS account', '--aws', account)],
  };
  const code = exitCode(diagnosis, configCheckup);
  if (!options.json) terminal.out(drawDoctor(diagnosis, terminal));
  // With known errors, buying a node would prove nothing.
  const isHealthy = code === EXIT.ok;
  const report = loaded.ok && isHealthy ? await livePart(loaded.config, options, terminal) : undefined;
  if (options.json) terminal.out(`${JSON.stringify({ ...asJson(diagnosis), live: report }, null, 2)}\n`);
  else if (report) terminal.out(`\n${drawReport(report, terminal)}`);
  if (options.live !== undefined && !report) terminal.err('the live test was not started; fix the errors first\n');
  return report?.checks.some(({ result }) => result === 'failed') ? EXIT.failed : code;
}

async function livePart(config: Config, options: DoctorOptions, terminal: Terminal): Promise<LiveReport | undefined> {
  const { live } = options;
  if (live === undefined) return undefined;
  return (await import('./live/run-live')).runLive(config, { ...options, live }, terminal);
}

async function look(
  { kubeconfig, aws, live }: DoctorOptions,
  config: Config,
  at: Looking,
): Promise<{ readonly cluster?: Part; readonly account?: Part }> {
  // The account comes first: EKS knows which endpoint the kubeconfig should have.
  const facts =
    aws || live !== undefined ? await (await import('./facts/read-account')).readAccount(config) : undefined;
  const endpoint = facts?.cluster.ok ? facts.cluster.value?.server : undefined;
  const cluster = kubeconfig === undefined ? undefined : await clusterPart(kubeconfig, config, { ...at, endpoint });
  const account = facts && (await accountPart(facts, config, at));
  return { ...(cluster && { cluster }), ...(account && { account }) };
}

function skipped(part: Skipped['part'], option: string, looked: Part | undefined): Skipped[] {
  if (looked?.entered) return [];
  return [{ part, ...(!looked && { add: option }) }];
}

function configFindings(loaded: LoadedConfig, { headstart }: Commands): Checkup {
  const finding =
    (severity: Finding['severity']) =>
    (problem: Problem): Finding => ({
      severity,
      about: 'config',
      problem: `${problem.path} ${problem.message}`.trim(),
      evidence: `${problem.file}:${problem.line}:${problem.column}`,
      fix: `edit ${problem.file}, then run ${headstart('validate')}`,
    });
  return {
    area: 'config',
    findings: loaded.ok ? loaded.warnings.map(finding('warning')) : loaded.problems.map(finding('error')),
  };
}

async function clusterPart(
  kubeconfig: string,
  config: Config,
  { now, commands, endpoint }: Looking & { readonly endpoint: string | undefined },
): Promise<Part> {
  const open = await openCluster(kubeconfig);
  const owners = await foundOwners(kubeCluster(open.transport, config.cluster.namespace));
  const access = checkSameCluster(await kubeconfigCluster(kubeconfig), config.cluster, { endpoint, owners });
  try {
    await open.transport.get('/version');
  } catch (cause) {
    const finding: Finding = {
      severity: 'error',
      about: `cluster ${config.cluster.name}`,
      ...(explainClusterError(cause) ?? { problem: 'returned an error', fix: 'check the address in the kubeconfig' }),
      evidence: messageOf(cause),
    };
    return { checkups: [{ area: 'access', findings: [...access, finding] }], entered: false };
  }
  const facts = await readCluster(open, config, now);
  const version = karpenterText(facts);
  return {
    checkups: [{ area: 'access', findings: access }, ...checkCluster(facts, config, { now: now(), commands })],
    seen: [open.server, ...(version === undefined ? [] : [version])],
    entered: true,
  };
}

async function accountPart(facts: AccountFacts, config: Config, { now, commands }: Looking): Promise<Part> {
  const { checkAccount } = await import('./checks/check-account');
  const checkups = checkAccount(facts, config, { now: now(), commands });
  const [first] = checkups;
  if (checkups.some(({ unread }) => unread === undefined)) return { checkups, entered: true };
  const finding = error(
    'AWS account',
    `cannot be read, so these were not checked: ${checkups.map(({ area }) => area).join(', ')}`,
    first?.unread ?? '',
    `set AWS_PROFILE or run \`aws sso login\`, and check the connection to the region ${config.cluster.region}`,
  );
  return { checkups: [{ area: 'AWS account', findings: [finding] }], entered: false };
}

/** 0 only if something besides the config was checked, and no error was found. */
function exitCode({ checkups, skipped: left }: Diagnosis, config: Checkup): number {
  const hasError = ({ findings }: Checkup) => findings.some(({ severity }) => severity === 'error');
  if (hasError(config)) return EXIT.invalidInput;
  const lookedAtNothing = left.length === PARTS;
  return lookedAtNothing || checkups.some(hasError) ? EXIT.failed : EXIT.ok;
}

function asJson({ checkups, seen, skipped: left }: Diagnosis) {
  return {
    findings: checkups.flatMap(({ area, findings }) => findings.map((finding) => ({ area, ...finding }))),
    unread: checkups.flatMap(({ area, unread }) => (unread === undefined ? [] : [{ area, why: unread }])),
    seen,
    skipped: left,
  };
}
