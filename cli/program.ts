import { Command } from 'commander';
import { addDoctor } from './commands/doctor';
import { addHandle } from './commands/handle';
import { addImport } from './commands/import';
import { addInflate, addRelease } from './commands/inflate';
import { addMigrate } from './commands/migrate';
import { addPlan } from './commands/plan';
import { addSimulate } from './commands/simulate';
import { addStatus } from './commands/status';
import { addValidate } from './commands/validate';
import type { Run } from './run';

/** The command line; each command's code is loaded only when it runs. */
export function program(run: Run): Command {
  const { terminal } = run;
  const root = new Command('headstart')
    .description('nodes ready ahead of the peak: headroom for EKS clusters that run Karpenter')
    .version('0.1.0')
    .showHelpAfterError('(run with --help for what can be written)')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err, getOutHelpWidth: () => terminal.width })
    .addHelpText('after', '\nExit codes: 0 fine, 1 the input is wrong, 2 the outside world failed.');
  for (const add of [
    addValidate,
    addPlan,
    addStatus,
    addInflate,
    addRelease,
    addDoctor,
    addImport,
    addMigrate,
    addSimulate,
    addHandle,
  ])
    add(root, run);
  return root;
}
