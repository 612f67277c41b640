import { version } from '../../package.json';
import { runCli } from './run-cli';

test.each(['--version', '-V'])('headstart %s prints the version', async (word) => {
  expect(await runCli([word])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});
