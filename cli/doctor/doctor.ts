import { loadConfigFiles } from '../../shared/adapters/files/config-files';
import { isPattern } from '../../shared/adapters/files/config-glob';
import { kubeCluster } from '../../shared/adapters/kube/kube-cluster';
import { messageOf } from '../../shared/core/basics/errors';
import type { LoadedConfig } from '../../shared/core/config/read/load';
import { count } from '../../shared/drawing/amounts';
import { credentialsFor, type RoleOptions } from '../aws/assume-role';
import { type Commands, commandsFor } from '../input/commands';
import { explainClusterError } from '../kube/cluster-failure';
import { kubeconfigCluster } from '../kube/kubeconfig-cluster';
import { openCluster } from '../kube/open-cluster';
import { readOr } from '../kube/read';
import { foundOwners } from '../kube/same-cluster';
import { overClusters, type Said } from '../many/over-clusters';
import { EXIT } from '../terminal/exit';
import { plainAll } from '../terminal/plain';
import { jsonText, type Terminal } from '../terminal/terminal';
import { checkCluster } from './check-cluster';
import { karpenterText } from './checks/check-controllers';
import { checkSameCluster } from './checks/check-same-cluster';
import { type Checkup, type Context, type Diagnosis, error, type Skipped, warning } from './checks/finding';
import { drawDoctor } from './draw-doctor';
import { readCluster } from './facts/read-cluster-facts';
import type { StartTrialOptions } from './trial/start-trial';
import { drawReport } from './trial/trial-report';

export interface DoctorOptions extends StartTrialOptions {
  readonly aws?: boolean;
  readonly try?: string;
}

/** The cluster and the AWS account. */
const PARTS = 2;

/** The checks of one part; `entered` is false if it could not be accessed. */
interface Part {
  readonly checkups: readonly Checkup[];
  readonly seen?: readonly string[];
  readonly entered: boolean;
}

export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<number> {
  if (isPattern(options.config))
    return overClusters(options, terminal, {
      run: doctor,
      said: saidOf,
      alone: ['kubeconfig', 'try', 'function', 'stack'],
    });
  const loaded = loadConfigFiles(options.config, options.env);
  const commands = commandsFor(options, terminal);
  const configCheckup = checkConfig(loaded, commands);
  const context = loaded.ok && { config: loaded.config, commands, now: terminal.now() };
  // The account comes first: EKS knows which endpoint the kubeconfig should have.
  const account =
    context && (options.aws || options.try !== undefined) ? await accountPart(context, options) : undefined;
  const cluster =
    context && options.kubeconfig !== undefined
      ? await clusterPart(options.kubeconfig, context, account?.endpoint, terminal)
      : undefined;
  const diagnosis: Diagnosis = {
    checkups: [configCheckup, ...(cluster?.checkups ?? []), ...(account?.checkups ?? [])],
    seen: plainAll([...(cluster?.seen ?? []), ...(account?.seen ?? [])]),
    skipped: [...skipped('the cluster', '--kubeconfig FILE', cluster), ...skipped('the AWS account', '--aws', account)],
  };
  const code = exitCode(diagnosis, configCheckup);
  if (!options.json) terminal.out(drawDoctor(diagnosis, terminal));
  // With known errors, buying a node would prove nothing.
  const isTried = context && code === EXIT.ok && options.try !== undefined;
  const report = isTried
    ? await (await import('./trial/start-trial')).startTrial(options.try, context.config, options, terminal)
    : undefined;
  if (options.json) terminal.out(jsonText({ ...asJson(diagnosis), trial: report }));
  else if (report) terminal.out(`\n${drawReport(report, terminal)}`);
  if (options.try !== undefined && !report) terminal.err('the trial was not started; fix the errors first\n');
  return report?.checks.some(({ result }) => result === 'failed') ? EXIT.failed : code;
}

function skipped(part: Skipped['part'], option: string, looked: Part | undefined): Skipped[] {
  if (looked?.entered) return [];
  return [{ part, ...(!looked && { add: option }) }];
}

function checkConfig(loaded: LoadedConfig, { headstart }: Commands): Checkup {
  const [found, problems] = loaded.ok ? [warning, loaded.warnings] : [error, loaded.problems];
  const findings = problems.map(({ file, line, column, path, message }) =>
    found(
      'config',
      `${path} ${message}`.trim(),
      `${file}:${line}:${column}`,
      `edit ${file}, then run ${headstart('validate')}`,
    ),
  );
  return { area: 'config', findings };
}

async function clusterPart(
  kubeconfig: string,
  context: Context,
  endpoint: string | undefined,
  { now }: Terminal,
): Promise<Part> {
  const { cluster } = context.config;
  const open = await openCluster(kubeconfig);
  const owners = await foundOwners(kubeCluster(open.transport, cluster.namespace));
  const access = [...checkSameCluster(await kubeconfigCluster(kubeconfig), cluster, { endpoint, owners })];
  try {
    await open.transport.get('/version');
  } catch (cause) {
    const why = explainClusterError(cause) ?? ['returned an error', 'check the address in the kubeconfig'];
    const [problem, fix] = why;
    const finding = error(`cluster ${cluster.name}`, problem, messageOf(cause), fix);
    return { checkups: [{ area: 'access', findings: [...access, finding] }], entered: false };
  }
  const facts = await readCluster(open, context.config, now);
  const version = karpenterText(facts);
  return {
    checkups: [{ area: 'access', findings: access }, ...checkCluster(facts, { ...context, now: now() })],
    seen: [open.server, ...(version === undefined ? [] : [version])],
    entered: true,
  };
}

async function accountPart(
  context: Context,
  role: RoleOptions,
): Promise<Part & { readonly endpoint: string | undefined }> {
  const { config } = context;
  const facts = await (await import('./facts/read-account')).readAccount(
    config,
    await credentialsFor(role, config.cluster),
  );
  const [{ checkAccount }, { accessPoliciesText }] = await Promise.all([
    import('./checks/check-account'),
    import('./checks/check-access-policies'),
  ]);
  const checkups = checkAccount(facts, context);
  const endpoint = readOr(facts.cluster, undefined)?.server;
  const [first] = checkups;
  if (checkups.some(({ unread }) => unread === undefined)) {
    const seen = facts.accessPolicies.ok ? [accessPoliciesText(facts.accessPolicies.value)] : [];
    return { checkups, seen, entered: true, endpoint };
  }
  const finding = error(
    'AWS account',
    `cannot be read, so these were not checked: ${checkups.map(({ area }) => area).join(', ')}`,
    first?.unread ?? '',
    `set AWS_PROFILE or run \`aws sso login\`, and check the connection to the region ${config.cluster.region}`,
  );
  return { checkups: [{ area: 'AWS account', findings: [finding] }], entered: false, endpoint };
}

/** 0 only if something besides the config was checked, and no error was found. */
function exitCode({ checkups, skipped: left }: Diagnosis, config: Checkup): number {
  const hasError = ({ findings }: Checkup) => findings.some(({ severity }) => severity === 'error');
  if (hasError(config)) return EXIT.invalidInput;
  const lookedAtNothing = left.length === PARTS;
  return lookedAtNothing || checkups.some(hasError) ? EXIT.failed : EXIT.ok;
}

/** Of one cluster of many. */
function saidOf({ findings, unread }: ReturnType<typeof asJson>): Said {
  const serious = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  const parts = [
    ...serious.map(({ about, problem }) => `${about} ${problem}`),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
    ...unread.map(({ area, why }) => `could not check ${area}: ${why}`),
  ];
  return { text: parts.join('; ') || 'no problems found', trouble: 2 * serious.length + unread.length };
}

function asJson({ checkups, seen, skipped: left }: Diagnosis) {
  return {
    findings: checkups.flatMap(({ area, findings }) => findings.map((finding) => ({ area, ...finding }))),
    unread: checkups.flatMap(({ area, unread }) => (unread === undefined ? [] : [{ area, why: unread }])),
    seen,
    skipped: left,
  };
}
