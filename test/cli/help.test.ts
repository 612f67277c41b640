import { program } from '../../cli/program';
import { golden } from '../golden/golden';
import { fakeTerminal } from './run-cli';
import { typed } from './session';

const said = golden(`${__dirname}/help.txt`);
const names = program({ terminal: fakeTerminal(), root: '', exitCode: 0 }).commands.map((command) => command.name());

test.each(['', ...names].map((name) => `${name} --help`.trim()))('headstart %s', async (line) => {
  said(await typed(line));
});
