// Runs jest on request inside one process, so that a mutant costs its tests and not a start of jest. Jest ends the
// process with the first failure, which is told before.
const { runCLI } = require('jest');

const root = process.cwd();

process.on('message', async ({ files, env }) => {
  Object.assign(process.env, env);
  await runCLI(
    { config: `${root}/mutants.jest.config.js`, runInBand: true, runTestsByPath: true, _: files, $0: 'jest' },
    [root],
  );
  process.send({});
});
