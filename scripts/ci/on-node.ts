// npx tsx scripts/ci/on-node.ts 22 npx jest test/shared: runs a command on another version of Node.js, which is installed
// outside of the checkout. Without a command: what README says to try, the simulated cluster and npm test.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { installedNode } from '../../test/aws/harness/deployed-node';
import { VERSIONS } from '../../test/aws/harness/versions';

const [wanted = '', ...command] = process.argv.slice(2);
/** One below `engines`, on which README's commands pass all the same; the oldest that it promises; the functions' own. */
const version = { '20.19': '20.19.6', 22: '22.23.3', 24: VERSIONS.node }[wanted];
if (version === undefined) throw new Error('write on-node.ts 20.19, 22 or 24, then a command');
const README = 'node --version; npm start -- --headless --scenario lunch --until 24h --json > /dev/null; npm test';

installedNode(version, (message) => console.error(message)).then((node) => {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const [program = '', ...args] = command.length > 0 ? command : ['bash', '-ec', README];
  process.exitCode = spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;
});
