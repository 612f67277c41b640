// Runs a program on the Node.js version that the functions run on: tsx on-deployed-node.mts PROGRAM ARGUMENTS
import { spawnSync } from 'node:child_process';
import { deployedNode } from '../../test/aws/harness/deployed-node';

const node = await deployedNode((message) => console.error(message));
const { status } = spawnSync(node, ['--import', 'tsx', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
