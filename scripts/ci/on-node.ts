// npx tsx scripts/ci/on-node.ts 22 npm test: runs a command on another version of Node.js, which is installed outside of the checkout.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { installedNode } from '../../test/aws/harness/deployed-node';
import { VERSIONS } from '../../test/aws/harness/versions';

const [major = '', program = '', ...args] = process.argv.slice(2);
/** The oldest that `engines` promises, and the one that the functions are deployed on. */
const version = { 22: '22.23.3', 24: VERSIONS.node }[major];
if (version === undefined || program === '') throw new Error('write on-node.ts 22 or 24, then a command');

installedNode(version, (message) => console.error(message)).then((node) => {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  process.exitCode = spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;
});
