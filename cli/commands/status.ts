import type { Command } from 'commander';
import { CONFIG, ENV, FUNCTION, JSON_OPTION, KUBECONFIG, withGuide } from '../options';
import type { Run } from '../run';

export function addStatus(root: Command, run: Run): void {
  const command = root
    .command('status')
    .description('tell what every headroom is now, why, what is missing and what comes next')
    .argument('[nodepool]', 'only this one')
    .option(...CONFIG)
    .option(...ENV)
    .option(...KUBECONFIG)
    .option(...FUNCTION)
    .option('-w, --watch', 'look again and again until Ctrl-C')
    .option('--interval <duration>', 'how often to look with --watch', '2s')
    .option('--timezone <zone>', "show times in this zone (default: each NodePool's own windows' zone)")
    .option(...JSON_OPTION)
    .action(async (nodePool, options) => {
      run.exitCode = await (await import('../status/status')).status(nodePool, options, run.terminal);
    });
  withGuide(command, {
    details: [
      "Without --kubeconfig the deployed function is asked, which takes lambda:InvokeFunction on it. A cluster is only talked to when its kubeconfig is named: a command must never reach the cluster that some shell happened to point at. With it, missing nodes are explained by the NodePool's limits, the NodeClaims' conditions and what the scheduler and Karpenter said of the pause pods; that takes reading pods and events of the namespace.",
    ],
    examples: [
      { line: 'status', does: 'ask the deployed function, with the AWS credentials of this shell' },
      {
        line: 'status --kubeconfig ~/.kube/config',
        does: 'ask the cluster itself; also tells why nodes that are missing do not come',
      },
      { line: 'status default --watch', does: 'keep an eye on one NodePool' },
    ],
  });
}
