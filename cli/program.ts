import { Command } from 'commander';
import { addDoctor } from './doctor/command';
import { addHandle } from './handle/command';
import { addImport } from './import/command';
import { addInflate } from './inflate/command';
import { addMigrate } from './migrate/command';
import { addPlan } from './plan/command';
import { addRelease } from './release/command';
import { addSandbox } from './sandbox/command';
import { addSimulate } from './simulate/command';
import { addStatus } from './status/command';
import { EXIT_HELP } from './terminal/exit';
import type { Run } from './terminal/run';
import { addValidate } from './validate/command';

const COMMANDS = [
  addValidate,
  addPlan,
  addStatus,
  addInflate,
  addRelease,
  addDoctor,
  addImport,
  addMigrate,
  addSimulate,
  addSandbox,
  addHandle,
];

/** The command line; each command's code is loaded only when it runs. */
export function program(run: Run): Command {
  const { terminal } = run;
  const root = new Command('headstart')
    .description('nodes ready ahead of the peak: headroom for EKS clusters that run Karpenter')
    .version('0.1.0')
    .showHelpAfterError('(add --help to see all options)')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err, getOutHelpWidth: () => terminal.width })
    .addHelpText('after', `\nExit codes: ${EXIT_HELP}.`);
  for (const add of COMMANDS) add(root, run);
  return root;
}
