import { Command, type Help } from 'commander';
import { addImport } from '../lab/import/command';
import { addMigrate } from '../lab/migrate/command';
import { addSandbox } from '../lab/sandbox/command';
import { addSimulate } from '../lab/simulate/command';
import { addSuggest } from '../lab/suggest/command';
import { version } from '../package.json';
import { addApply } from './apply/command';
import { addCompletion } from './completion/command';
import { addDiff } from './diff/command';
import { addDoctor } from './doctor/command';
import { addExport } from './export/command';
import { addHandle } from './handle/command';
import { addInflate } from './inflate/command';
import { addInit } from './init/command';
import { addPlan } from './plan/command';
import { addRelease } from './release/command';
import { addReport } from './report/command';
import { addStatus } from './status/command';
import { EXIT_HELP } from './terminal/exit';
import type { Run } from './terminal/run';
import { addValidate } from './validate/command';

const COMMANDS = [
  addInit,
  addValidate,
  addPlan,
  addDiff,
  addApply,
  addStatus,
  addReport,
  addInflate,
  addRelease,
  addDoctor,
  addExport,
  addImport,
  addMigrate,
  addSimulate,
  addSuggest,
  addSandbox,
  addHandle,
  addCompletion,
];

/** Below this width a description has no room beside its option. */
const NARROW = 60;
const NARROWEST = 20;
const INDENT = 6;

function stacked(term: string, _width: number, description: string, help: Help): string {
  if (description === '') return `  ${term}`;
  const text = help.boxWrap(description, (help.helpWidth ?? NARROW) - INDENT);
  return [`  ${term}`, ...text.split('\n').map((line) => `${' '.repeat(INDENT)}${line}`)].join('\n');
}

/** The command line; each command's code is loaded only when it runs. */
export function program(run: Run): Command {
  const { terminal } = run;
  const root: Command = new Command(terminal.launcher)
    .description('keep nodes ready ahead of a peak, on EKS clusters with Karpenter')
    .version(version)
    .showHelpAfterError('(add --help to see all options)')
    // Options belong to the command before them: import and its sources have options of the same names.
    .enablePositionalOptions()
    .exitOverride()
    .hook('preAction', async (_, command) => {
      const { kubeconfig } = command.opts<{ readonly kubeconfig?: string }>();
      if (kubeconfig !== undefined)
        run.terminal = await (await import('./kube/sandbox-clock')).onSandboxTime(terminal, kubeconfig);
    })
    .configureHelp({ minWidthToWrap: NARROWEST, ...(terminal.width < NARROW && { formatItem: stacked }) })
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      getOutHelpWidth: () => terminal.width,
      getErrHelpWidth: () => terminal.width,
    })
    .addHelpText('after', () => `\n${root.createHelp().boxWrap(`Exit codes: ${EXIT_HELP}.`, terminal.width)}`);
  for (const add of COMMANDS) add(root, run);
  return root;
}
