import { loadConfigFiles } from '../../shared/adapters/config-files';
import { messageOf } from '../../shared/core/basics/errors';
import type { Config } from '../../shared/core/config/config';
import type { Problem } from '../../shared/core/config/problem';
import { openCluster } from '../access/cluster-access';
import { explainClusterError } from '../access/explain-cluster-error';
import type { ConfigOptions } from '../input/load-config';
import { EXIT } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { checkCluster } from './check-cluster';
import { karpenterText } from './checks/check-controllers';
import type { Checkup, Diagnosis, Finding } from './checks/finding';
import { drawDoctor } from './draw-doctor';
import { readCluster } from './facts/read-cluster';

export interface DoctorOptions extends ConfigOptions {
  readonly kubeconfig?: string;
  readonly aws?: boolean;
  readonly json?: boolean;
}

/** Checks config, cluster and AWS account, and suggests a fix for each problem. */
export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<number> {
  const loaded = loadConfigFiles(options.config, options.env);
  const config = loaded.ok ? loaded.config : undefined;
  const configCheckup = configFindings(loaded.ok ? [] : loaded.problems, loaded.ok ? loaded.warnings : []);
  const cluster =
    config && options.kubeconfig !== undefined ? await clusterPart(options.kubeconfig, config, terminal) : undefined;
  const account = config && options.aws ? await accountPart(config, terminal) : undefined;
  const diagnosis: Diagnosis = {
    checkups: [configCheckup, ...(cluster?.checkups ?? []), ...(account ?? [])],
    seen: cluster?.seen ?? [],
    skipped: [
      ...(cluster || !config ? [] : ['the cluster: add --kubeconfig FILE']),
      ...(account || !config ? [] : ['the AWS account: add --aws']),
    ],
  };
  terminal.out(options.json ? `${JSON.stringify(asJson(diagnosis), null, 2)}\n` : drawDoctor(diagnosis, terminal));
  return exitCode(diagnosis, configCheckup);
}

function configFindings(problems: readonly Problem[], warnings: readonly Problem[]): Checkup {
  const finding =
    (severity: Finding['severity']) =>
    (problem: Problem): Finding => ({
      severity,
      about: 'config',
      problem: `${problem.path} ${problem.message}`.trim(),
      evidence: `${problem.file}:${problem.line}:${problem.column}`,
      fix: `edit ${problem.file}, then run headstart validate`,
    });
  return { area: 'config', findings: [...problems.map(finding('error')), ...warnings.map(finding('warning'))] };
}

async function clusterPart(
  kubeconfig: string,
  config: Config,
  terminal: Terminal,
): Promise<Omit<Diagnosis, 'skipped'>> {
  const open = await openCluster(kubeconfig);
  try {
    await open.transport.get('/version');
  } catch (error) {
    const finding: Finding = {
      severity: 'error',
      about: `cluster ${config.cluster.name}`,
      ...(explainClusterError(error) ?? { problem: 'returned an error', fix: 'check the address in the kubeconfig' }),
      evidence: messageOf(error),
    };
    return { checkups: [{ area: 'access', findings: [finding] }], seen: [] };
  }
  const facts = await readCluster(open, config, terminal.now);
  const version = karpenterText(facts);
  return {
    checkups: [{ area: 'access', findings: [] }, ...checkCluster(facts, config, terminal.now())],
    seen: [open.server, ...(version === undefined ? [] : [version])],
  };
}

async function accountPart(config: Config, terminal: Terminal): Promise<readonly Checkup[]> {
  const { readAccount } = await import('./facts/read-account');
  const { checkAccount } = await import('./checks/check-account');
  return checkAccount(await readAccount(config), config, terminal.now());
}

function exitCode({ checkups }: Diagnosis, config: Checkup): number {
  const hasError = ({ findings }: Checkup) => findings.some(({ severity }) => severity === 'error');
  if (hasError(config)) return EXIT.invalidInput;
  return checkups.some(hasError) ? EXIT.failed : EXIT.ok;
}

function asJson({ checkups, seen, skipped }: Diagnosis) {
  return {
    findings: checkups.flatMap(({ area, findings }) => findings.map((finding) => ({ area, ...finding }))),
    unread: checkups.flatMap(({ area, unread }) => (unread === undefined ? [] : [{ area, why: unread }])),
    seen,
    skipped,
  };
}
